// Sparse symmetric matrices: the lower triangle, column by column, each diagonal entry present (as 0 if need be).
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace multifrontal {

// What is wrong with an input: "file:line: error: ...", the line 0 and left out where the whole file is meant.
class InputError : public std::runtime_error {
 public:
  InputError(const std::filesystem::path& file, std::size_t line, const std::string& what);
};

// For reading. Throws InputError where it cannot be read, as a folder cannot.
std::ifstream open_input(const std::filesystem::path& file);

struct Entry {
  std::uint32_t row = 0, column = 0;
  double value = 0;
};

struct SymmetricMatrix {
  std::vector<std::uint64_t> starts;  // of each column, and the end
  std::vector<std::uint32_t> rows;    // ascending in a column, the diagonal first
  std::vector<double> values;

  std::uint32_t size() const { return static_cast<std::uint32_t>(starts.size() - 1); }
  std::uint64_t entries() const { return rows.size(); }
};

// A matrix from entries of either triangle; those of the same place are added.
SymmetricMatrix assemble(std::uint32_t size, std::vector<Entry> entries);

// Reads a Matrix Market file: coordinate; real, integer or pattern; symmetric, or general where the values are. A
// pattern becomes its graph's Laplacian plus the identity. Throws InputError.
SymmetricMatrix read_matrix_market(const std::filesystem::path& file);

std::vector<double> multiply(const SymmetricMatrix& matrix, std::span<const double> x);
double infinity_norm(const SymmetricMatrix& matrix);
double infinity_norm(std::span<const double> x);

}  // namespace multifrontal
