// L D L^T = P A P^T: the factors, how the host makes them, and what is done with them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "examples/multifrontal/analysis.h"
#include "examples/multifrontal/matrix.h"

namespace multifrontal {

struct Factors {
  std::vector<double> panels;   // L of each front, column by column, its diagonal 1
  std::vector<double> pivots;   // D, in the order of elimination
  std::uint64_t perturbed = 0;  // pivots that were too small and were replaced
};

// Pivots smaller than this are replaced by it: the order of elimination is fixed (Li, Demmel: Making sparse Gaussian
// elimination scalable by static pivoting, 1998). What that spoils, refinement repairs.
// Throws std::runtime_error where the norm is not finite.
double pivot_threshold(const SymmetricMatrix& matrix);

// The plain way, on one thread of the host: what the device's factors are compared with.
Factors factor_on_host(const SymmetricMatrix& matrix, const Analysis& analysis);

struct Solution {
  std::vector<double> x;
  double residual = 0;  // |b - A x| / |b|, in the maximum norm
  std::uint32_t refinements = 0;
};

inline constexpr double kResidualWanted = 1e-10;

// Solves by the factors and refines. Throws std::runtime_error where the residual stays above kResidualWanted: then the
// matrix is singular, or too nearly so, and the right side not in its range.
Solution solve(const SymmetricMatrix& matrix, const Analysis& analysis, const Factors& factors,
               std::span<const double> right_side);

}  // namespace multifrontal
