// Random kernels whose result is defined: what they write depends on no race, no unwritten memory, and not on which NaN
// comes out. They use integers and floats of several widths, locals, local arrays, shared memory, barriers, divergent
// and uniform control flow nested in each other, callables with values and references, and indices out of range.
#pragma once

#include <cstdint>
#include <memory>

#include "codegen/ir/module.h"

namespace weft::fuzz {

// Parameters of every kernel: %in: buffer<u32>, %floats: buffer<f32>, %out: buffer<u32>, %counts: buffer<u32>, %n: u32.
// Each lane of the dispatch owns kWordsPerLane elements of %out, at its linear number in the dispatch; %counts has
// kCounts elements that are only added to.
inline constexpr std::uint32_t kWordsPerLane = 2;
inline constexpr std::uint32_t kCounts = 4;

struct Generated {
  std::unique_ptr<ir::Module> module;
  std::array<std::uint32_t, 3> dispatch_size;
};

[[nodiscard]] Generated generate_kernel(std::uint64_t seed);

}  // namespace weft::fuzz
