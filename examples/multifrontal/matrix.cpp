#include "examples/multifrontal/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace multifrontal {

InputError::InputError(const std::filesystem::path& file, std::size_t line, const std::string& what)
    : std::runtime_error(line > 0 ? fmt::format("{}:{}: error: {}", file.string(), line, what)
                                  : fmt::format("{}: error: {}", file.string(), what)) {}

std::ifstream open_input(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) {
    throw InputError(file, 0, "cannot be read");
  }
  return in;
}

SymmetricMatrix assemble(std::uint32_t size, std::vector<Entry> entries) {
  entries.reserve(entries.size() + size);
  for (Entry& entry : entries) {
    if (entry.row < entry.column) {
      std::swap(entry.row, entry.column);
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    entries.push_back({i, i, 0.0});
  }
  // By value, too, so that the sum of entries of one place does not depend on the library's way of sorting.
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.column, e.row, e.value); });
  SymmetricMatrix matrix;
  matrix.starts.assign(size + std::size_t{1}, 0);
  const Entry* last = nullptr;
  for (const Entry& entry : entries) {
    if (last != nullptr && last->row == entry.row && last->column == entry.column) {
      matrix.values.back() += entry.value;
    } else {
      matrix.rows.push_back(entry.row);
      matrix.values.push_back(entry.value);
      ++matrix.starts[entry.column + std::size_t{1}];
    }
    last = &entry;
  }
  for (std::size_t column = 0; column < size; ++column) {
    matrix.starts[column + 1] += matrix.starts[column];
  }
  return matrix;
}

std::vector<double> multiply(const SymmetricMatrix& matrix, std::span<const double> x) {
  std::vector<double> product(x.size(), 0.0);
  for (std::uint32_t column = 0; column < matrix.size(); ++column) {
    for (std::uint64_t e = matrix.starts[column]; e < matrix.starts[column + 1]; ++e) {
      const std::uint32_t row = matrix.rows[e];
      product[row] += matrix.values[e] * x[column];
      if (row != column) {
        product[column] += matrix.values[e] * x[row];
      }
    }
  }
  return product;
}

double infinity_norm(const SymmetricMatrix& matrix) {
  std::vector<double> sums(matrix.size(), 0.0);
  for (std::uint32_t column = 0; column < matrix.size(); ++column) {
    for (std::uint64_t e = matrix.starts[column]; e < matrix.starts[column + 1]; ++e) {
      sums[column] += std::abs(matrix.values[e]);
      if (matrix.rows[e] != column) {
        sums[matrix.rows[e]] += std::abs(matrix.values[e]);
      }
    }
  }
  return infinity_norm(sums);
}

double infinity_norm(std::span<const double> x) {
  double norm = 0;
  for (const double value : x) {
    norm = std::isnan(value) ? value : std::max(norm, std::abs(value));
    if (std::isnan(norm)) {
      return norm;
    }
  }
  return norm;
}

}  // namespace multifrontal
