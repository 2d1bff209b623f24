#include "examples/multifrontal/peer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#ifdef MULTIFRONTAL_CHOLMOD
#include <suitesparse/cholmod.h>
#endif

namespace multifrontal {

#ifdef MULTIFRONTAL_CHOLMOD

namespace {

// L D L^T of a quasi-definite matrix, column by column: CHOLMOD's supernodes are for positive definite matrices alone.
class Cholmod {
 public:
  explicit Cholmod(const SymmetricMatrix& matrix) {
    cholmod_l_start(&common_);
    common_.supernodal = CHOLMOD_SIMPLICIAL;
    common_.final_ll = 0;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    common_.print = 0;
    matrix_ =
        cholmod_l_allocate_sparse(matrix.size(), matrix.size(), matrix.entries(), 1, 1, -1, CHOLMOD_REAL, &common_);
    std::ranges::copy(matrix.starts, static_cast<SuiteSparse_long*>(matrix_->p));
    std::ranges::copy(matrix.rows, static_cast<SuiteSparse_long*>(matrix_->i));
    std::ranges::copy(matrix.values, static_cast<double*>(matrix_->x));
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_free_sparse(&matrix_, &common_);
    cholmod_l_finish(&common_);
  }

  double factor() {
    cholmod_l_free_factor(&factor_, &common_);
    factor_ = cholmod_l_analyze(matrix_, &common_);
    const auto start = std::chrono::steady_clock::now();
    if (factor_ == nullptr || cholmod_l_factorize(matrix_, factor_, &common_) == 0 || common_.status != CHOLMOD_OK) {
      throw std::runtime_error("CHOLMOD cannot factor the matrix");
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  std::vector<double> solve(std::span<const double> b) {
    cholmod_dense* right = cholmod_l_allocate_dense(b.size(), 1, b.size(), CHOLMOD_REAL, &common_);
    std::ranges::copy(b, static_cast<double*>(right->x));
    cholmod_dense* solution = cholmod_l_solve(CHOLMOD_A, factor_, right, &common_);
    const double* const values = static_cast<const double*>(solution->x);
    std::vector<double> x(values, values + b.size());
    cholmod_l_free_dense(&right, &common_);
    cholmod_l_free_dense(&solution, &common_);
    return x;
  }

 private:
  cholmod_common common_{};
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};

}  // namespace

Peer factor_with_cholmod(const SymmetricMatrix& matrix, std::span<const double> right_side, std::uint32_t repeats) {
  Cholmod cholmod(matrix);
  Peer peer{.seconds = INFINITY, .method = "simplicial L D L^T in an order by METIS"};
  for (std::uint32_t i = 0; i < repeats; ++i) {
    peer.seconds = std::min(peer.seconds, cholmod.factor());
  }
  const std::vector<double> x = cholmod.solve(right_side);
  std::vector<double> rest = multiply(matrix, x);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] -= right_side[i];
  }
  peer.residual = infinity_norm(rest) / infinity_norm(right_side);
  return peer;
}

#else

Peer factor_with_cholmod(const SymmetricMatrix&, std::span<const double>, std::uint32_t) {
  throw std::runtime_error("built without CHOLMOD (libsuitesparse-dev): nothing to compare with");
}

#endif

}  // namespace multifrontal
