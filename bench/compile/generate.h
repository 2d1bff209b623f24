// Kernels of a chosen number of ops, as text: what compile time is measured with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::bench {

// What a generated kernel is made of. Each op depends on some of the last few, so that little can be left out.
enum class Flavour {
  arithmetic,  // one long block
  memory,      // reads and writes of buffers, at places computed
  branches,    // short ifs that lanes take differently
  loops,       // short loops that end for lanes at different times
  mixed,       // all of these
};
inline constexpr std::string_view kFlavourNames[] = {"arithmetic", "memory", "branches", "loops", "mixed"};

struct KernelShape {
  std::size_t ops = 1000;  // about so many
  std::size_t barriers = 0;
  Flavour flavour = Flavour::mixed;
};

// A kernel @k(in: buffer<f32>, out: buffer<f32>) of 64 lanes. Behind each barrier a lane reads from shared memory what
// another stored before it.
std::string generate_kernel(const KernelShape& shape);

}  // namespace weft::bench
