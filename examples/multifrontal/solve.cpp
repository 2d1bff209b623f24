#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "examples/multifrontal/factors.h"

namespace multifrontal {

namespace {

// x = P^T L^-T D^-1 L^-1 P b
std::vector<double> solve_once(const Analysis& analysis, const Factors& factors, std::span<const double> b) {
  std::vector<double> y(b.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = b[analysis.order[i]];
  }
  for (const Front& front : analysis.fronts) {
    for (std::size_t pivot = 0; pivot < front.pivots; ++pivot) {
      const double* const l = factors.panels.data() + front.panel + pivot * front.size();
      for (std::size_t row = pivot + 1; row < front.size(); ++row) {
        y[front.rows[row]] -= l[row] * y[front.rows[pivot]];
      }
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] /= factors.pivots[i];
  }
  for (std::size_t f = analysis.fronts.size(); f-- > 0;) {
    const Front& front = analysis.fronts[f];
    for (std::size_t pivot = front.pivots; pivot-- > 0;) {
      const double* const l = factors.panels.data() + front.panel + pivot * front.size();
      double sum = y[front.rows[pivot]];
      for (std::size_t row = pivot + 1; row < front.size(); ++row) {
        sum -= l[row] * y[front.rows[row]];
      }
      y[front.rows[pivot]] = sum;
    }
  }
  std::vector<double> x(b.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    x[analysis.order[i]] = y[i];
  }
  return x;
}

}  // namespace

Solution solve(const SymmetricMatrix& matrix, const Analysis& analysis, const Factors& factors,
               std::span<const double> right_side) {
  constexpr std::uint32_t kMostRefinements = 20;
  const double scale = infinity_norm(right_side);
  Solution solution{.x = std::vector<double>(right_side.size(), 0.0)};
  std::vector<double> rest(right_side.begin(), right_side.end());
  for (;; ++solution.refinements) {
    const std::vector<double> step = solve_once(analysis, factors, rest);
    for (std::size_t i = 0; i < step.size(); ++i) {
      solution.x[i] += step[i];
    }
    const std::vector<double> product = multiply(matrix, solution.x);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] = right_side[i] - product[i];
    }
    solution.residual = scale > 0 ? infinity_norm(rest) / scale : 0.0;
    if (solution.residual < kResidualWanted) {
      return solution;
    }
    if (solution.refinements == kMostRefinements || !std::isfinite(solution.residual)) {
      throw std::runtime_error(
          fmt::format("the matrix is singular, or too nearly so: {} of {} pivots were replaced, the residual is {:.1e} "
                      "after {} refinements",
                      factors.perturbed, right_side.size(), solution.residual, solution.refinements));
    }
  }
}

}  // namespace multifrontal
