// SLEEF's and libmvec's functions of functions.def, applied to arrays by packs of the widest kind that a CPU level has.
#pragma once

#include <span>
#include <string_view>

#include "tests/device_lib/batch_table.h"

namespace weft::bench {

// Functions that a library lacks are null. libmvec promises 4 ulp, SLEEF 1.
struct Peer {
  std::string_view name;
  test::ElementType type;
  test::BatchFunction sleef;
  test::BatchFunction libmvec;
};

std::span<const Peer> peers_v3();
std::span<const Peer> peers_v4();

}  // namespace weft::bench
