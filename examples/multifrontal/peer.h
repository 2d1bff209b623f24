// The same factorisation by CHOLMOD (Chen, Davis, Hager, Rajamanickam: Algorithm 887, 2008), to compare with.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "examples/multifrontal/matrix.h"

namespace multifrontal {

struct Peer {
  double seconds = 0;   // of the fastest numerical factorisation; ordered and analysed before
  double residual = 0;  // as of Solution, without refinement
  std::string method;
};

// Throws std::runtime_error, also where the example was built without CHOLMOD.
Peer factor_with_cholmod(const SymmetricMatrix& matrix, std::span<const double> right_side, std::uint32_t repeats);

}  // namespace multifrontal
