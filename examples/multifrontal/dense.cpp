#include "examples/multifrontal/dense.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace multifrontal {

namespace {

constexpr std::uint32_t kPanel = 48;   // pivots that are eliminated by plain loops, the rest by the BLAS
constexpr std::uint32_t kChunk = 128;  // columns of a lower triangle that are updated as a rectangle

class Factorisation {
 public:
  Factorisation(const DenseFront& front, double threshold)
      : front_(front), threshold_(threshold), scaled_(std::size_t{kPanel} * front.size) {}

  std::uint64_t run() {
    for (std::uint32_t first = 0; first < front_.pivots; first += kPanel) {
      const std::uint32_t end = std::min(first + kPanel, front_.pivots);
      eliminate_panel(first, end);
      if (end < front_.pivots) {
        update(first, end, at(end, end), front_.size, end, front_.pivots);
      }
      const std::uint32_t border = front_.size - front_.pivots;
      update(first, end, front_.contribution.data(), border, front_.pivots, front_.size);
    }
    return replaced_;
  }

 private:
  double* at(std::uint32_t row, std::uint32_t column) {
    return front_.panel.data() + std::size_t{column} * front_.size + row;
  }
  double* scaled(std::uint32_t row, std::uint32_t pivot) {
    return scaled_.data() + std::size_t{pivot} * front_.size + row;
  }

  // The panel's own rows by plain loops, those below as X = A L^-T; then L D is kept, and L = X D^-1.
  void eliminate_panel(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t pivot = first; pivot < end; ++pivot) {
      eliminate_pivot(pivot, end);
    }
    const int count = static_cast<int>(end - first);
    const int below = static_cast<int>(front_.size - end);
    if (below > 0) {
      const int stride = static_cast<int>(front_.size);
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasUnit, below, count, 1.0, at(first, first),
                  stride, at(end, first), stride);
    }
    for (std::uint32_t pivot = first; pivot < end; ++pivot) {
      const double d = front_.diagonal[pivot];
      for (std::uint32_t row = end; row < front_.size; ++row) {
        *scaled(row, pivot - first) = *at(row, pivot);
        *at(row, pivot) /= d;
      }
    }
  }

  void eliminate_pivot(std::uint32_t pivot, std::uint32_t end) {
    double d = *at(pivot, pivot);
    if (std::abs(d) < threshold_) {
      d = std::copysign(threshold_, d);
      ++replaced_;
    }
    front_.diagonal[pivot] = d;
    *at(pivot, pivot) = 1;
    for (std::uint32_t column = pivot + 1; column < end; ++column) {
      const double factor = *at(column, pivot) / d;
      for (std::uint32_t row = column; row < end; ++row) {
        *at(row, column) -= *at(row, pivot) * factor;
      }
    }
    for (std::uint32_t row = pivot + 1; row < end; ++row) {
      *at(row, pivot) /= d;
    }
  }

  // Takes L (L D)^T of a panel from columns `begin` to `limit`, of which `target` is the first's diagonal entry.
  void update(std::uint32_t first, std::uint32_t end, double* target, std::uint32_t stride, std::uint32_t begin,
              std::uint32_t limit) {
    for (std::uint32_t column = begin; column < limit; column += kChunk) {
      const std::uint32_t width = std::min(kChunk, limit - column);
      const std::size_t moved = std::size_t{column - begin} * (std::size_t{stride} + 1);
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<int>(front_.size - column),
                  static_cast<int>(width), static_cast<int>(end - first), -1.0, at(column, first),
                  static_cast<int>(front_.size), scaled(column, 0), static_cast<int>(front_.size), 1.0, target + moved,
                  static_cast<int>(stride));
    }
  }

  const DenseFront& front_;
  const double threshold_;
  std::vector<double> scaled_;  // L D of a panel
  std::uint64_t replaced_ = 0;
};

}  // namespace

std::uint64_t factor_dense(const DenseFront& front, double threshold) { return Factorisation(front, threshold).run(); }

}  // namespace multifrontal
