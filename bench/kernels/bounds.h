// The same work written by hand in C++ for this machine (-O3 -march=native, vector types), on one thread: what
// generated code is measured against. Same algorithm and tiles; the block reduction sums straight down its tree.
#pragma once

#include <cstdint>

namespace weft::bench {

void bound_reduction(const float* in, float* out, std::uint32_t blocks);
void bound_matmul(const float* a, const float* b, float* c, std::uint32_t n);
void bound_mandelbrot(std::uint32_t* out, std::uint32_t n);
void bound_nbody(const float* const position[3], const float* mass, float* const acceleration[3], std::uint32_t n);

}  // namespace weft::bench
