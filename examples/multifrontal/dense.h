// A dense symmetric front on the host, by a BLAS.
#pragma once

#include <cstdint>
#include <span>

namespace multifrontal {

// Its pivots' columns and, apart, what it contributes, column by column; of both, lower triangles count.
struct DenseFront {
  std::uint32_t size = 0, pivots = 0;
  std::span<double> panel, contribution;
  std::span<double> diagonal;  // D
};

// L into the panel, D into the diagonal; what the pivots explain is taken from the contribution. Pivots smaller than
// `threshold` are replaced; gives their number.
std::uint64_t factor_dense(const DenseFront& front, double threshold);

}  // namespace multifrontal
