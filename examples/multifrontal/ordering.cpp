#include <fmt/format.h>
#include <metis.h>

#include <array>
#include <limits>
#include <stdexcept>

#include "examples/multifrontal/analysis.h"

namespace multifrontal {

std::vector<std::uint32_t> dissect(const SymmetricMatrix& matrix, std::uint32_t seed) {
  const std::uint32_t size = matrix.size();
  if (2 * matrix.entries() > static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max())) {
    throw std::runtime_error(fmt::format("METIS cannot order a matrix of {} entries", matrix.entries()));
  }
  std::vector<idx_t> starts(size + std::size_t{1}, 0);
  const auto for_each_edge = [&](const auto& visit) {
    for (std::uint32_t column = 0; column < size; ++column) {
      for (std::uint64_t e = matrix.starts[column]; e < matrix.starts[column + 1]; ++e) {
        if (matrix.rows[e] != column) {
          visit(matrix.rows[e], column);
          visit(column, matrix.rows[e]);
        }
      }
    }
  };
  for_each_edge([&](std::uint32_t from, std::uint32_t) { ++starts[from + std::size_t{1}]; });
  for (std::size_t i = 0; i < size; ++i) {
    starts[i + 1] += starts[i];
  }
  std::vector<std::uint32_t> order(size);
  if (starts[size] == 0) {  // METIS refuses graphs without edges
    for (std::uint32_t i = 0; i < size; ++i) {
      order[i] = i;
    }
    return order;
  }
  std::vector<idx_t> neighbours(static_cast<std::size_t>(starts[size]));
  std::vector<idx_t> next(starts.begin(), starts.end() - 1);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) {
    neighbours[static_cast<std::size_t>(next[from]++)] = static_cast<idx_t>(to);
  });
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed);
  idx_t count = static_cast<idx_t>(size);
  std::vector<idx_t> permutation(size);
  std::vector<idx_t> positions(size);
  const int result = METIS_NodeND(&count, starts.data(), neighbours.data(), nullptr, options.data(), permutation.data(),
                                  positions.data());
  if (result != METIS_OK) {
    throw std::runtime_error(fmt::format("METIS cannot order the matrix: error {}", result));
  }
  order.assign(permutation.begin(), permutation.end());
  return order;
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> positions(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    positions[order[i]] = i;
  }
  return positions;
}

}  // namespace multifrontal
