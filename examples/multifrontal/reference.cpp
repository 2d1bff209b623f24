#include <cmath>
#include <stdexcept>

#include "examples/multifrontal/factors.h"

namespace multifrontal {

namespace {

class HostFactorisation {
 public:
  HostFactorisation(const SymmetricMatrix& matrix, const Analysis& analysis)
      : analysis_(analysis), threshold_(pivot_threshold(matrix)), contributions_(analysis.fronts.size()) {
    factors_.panels.assign(analysis.panel_elements, 0.0);
    factors_.pivots.assign(matrix.size(), 0.0);
    for (std::uint64_t e = 0; e < matrix.entries(); ++e) {
      factors_.panels[analysis.destinations[e]] += matrix.values[e];
    }
  }

  Factors run() {
    for (std::uint32_t f = 0; f < analysis_.fronts.size(); ++f) {
      contributions_[f].assign(analysis_.fronts[f].contribution(), 0.0);
      for (const std::uint32_t child : analysis_.fronts[f].children) {
        add_child(f, child);
      }
      eliminate(f);
    }
    return std::move(factors_);
  }

 private:
  double* panel(std::uint32_t f) { return factors_.panels.data() + analysis_.fronts[f].panel; }

  void add_child(std::uint32_t f, std::uint32_t child) {
    const Front& front = analysis_.fronts[f];
    const std::vector<std::uint32_t>& to = analysis_.fronts[child].rows_in_parent;
    for (std::size_t column = 0; column < to.size(); ++column) {
      for (std::size_t row = column; row < to.size(); ++row) {
        const double value = contributions_[child][column * to.size() + row];
        if (to[column] < front.pivots) {
          panel(f)[std::size_t{to[column]} * front.size() + to[row]] += value;
        } else {
          contributions_[f][std::size_t{to[column] - front.pivots} * front.border() + to[row] - front.pivots] += value;
        }
      }
    }
    contributions_[child] = {};
  }

  void eliminate(std::uint32_t f) {
    const Front& front = analysis_.fronts[f];
    const std::size_t size = front.size();
    double* const l = panel(f);
    for (std::size_t pivot = 0; pivot < front.pivots; ++pivot) {
      double d = l[pivot * size + pivot];
      if (std::abs(d) < threshold_) {
        d = std::copysign(threshold_, d);
        ++factors_.perturbed;
      }
      factors_.pivots[front.first_pivot + pivot] = d;
      l[pivot * size + pivot] = 1;
      for (std::size_t row = pivot + 1; row < size; ++row) {
        l[pivot * size + row] /= d;
      }
      for (std::size_t column = pivot + 1; column < size; ++column) {
        const double factor = l[pivot * size + column] * d;
        double* const target = column < front.pivots
                                   ? l + column * size
                                   : contributions_[f].data() + (column - front.pivots) * front.border() - front.pivots;
        for (std::size_t row = column; row < size; ++row) {
          target[row] -= l[pivot * size + row] * factor;
        }
      }
    }
  }

  const Analysis& analysis_;
  const double threshold_;
  Factors factors_;
  std::vector<std::vector<double>> contributions_;
};

}  // namespace

double pivot_threshold(const SymmetricMatrix& matrix) {
  const double norm = infinity_norm(matrix);
  if (!std::isfinite(norm)) {
    throw std::runtime_error("a row of the matrix has a sum that no double can hold; scale the matrix");
  }
  return 1e-13 * norm;
}

Factors factor_on_host(const SymmetricMatrix& matrix, const Analysis& analysis) {
  return HostFactorisation(matrix, analysis).run();
}

}  // namespace multifrontal
