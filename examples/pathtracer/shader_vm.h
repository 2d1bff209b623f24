// Materials' colours are small programs for a stack machine that runs in the kernels, one stack for each lane. Words
// follow one another in a buffer; numbers are the bits of floats.
#pragma once

#include <bit>
#include <vector>

#include "examples/pathtracer/types.h"

namespace pathtracer {

enum VmOp : uint {
  kVmEnd = 0,       // the three topmost numbers are the colour
  kVmPush = 1,      // number follows
  kVmPosition = 2,  // axis 0 to 2 follows: pushes a coordinate of the hit
  kVmMultiply = 3,  // of the two topmost
  kVmAdd = 4,
  kVmFloor = 5,
  kVmParity = 6,  // 1 if the topmost is odd, else 0
  kVmMix = 7,     // a, b, t: a + t * (b - a)
  kVmCopy = 8,    // depth follows: pushes a copy from below the top
};

// More than any program needs: the machine keeps room for the deepest shader graphs.
inline constexpr uint kVmStack = 4096;

inline void append_constant(std::vector<uint>& program, float3 color) {
  for (const float c : {color.x, color.y, color.z}) {
    program.push_back(kVmPush);
    program.push_back(std::bit_cast<uint>(c));
  }
  program.push_back(kVmEnd);
}

// Cubes of two colours in space, `scale` of them along a unit of length.
inline void append_checker(std::vector<uint>& program, float3 a, float3 b, float scale) {
  const auto number = [](float x) { return std::bit_cast<uint>(x); };
  // parity = (floor(x * s) + floor(y * s) + floor(z * s)) odd
  for (uint axis = 0; axis < 3; ++axis) {
    for (const uint word : {uint{kVmPosition}, axis, uint{kVmPush}, number(scale), uint{kVmMultiply}, uint{kVmFloor}}) {
      program.push_back(word);
    }
  }
  program.insert(program.end(), {kVmAdd, kVmAdd, kVmParity});
  for (std::size_t c = 0; c < 3; ++c) {
    // the parity is c numbers below the top by now; the mix takes a, b and a copy of it
    for (const uint word : {uint{kVmPush}, number(a[c]), uint{kVmPush}, number(b[c]), uint{kVmCopy},
                            static_cast<uint>(2 + c), uint{kVmMix}}) {
      program.push_back(word);
    }
  }
  program.push_back(kVmEnd);
}

}  // namespace pathtracer
