// The shape of a dispatch: lanes and blocks in each dimension, and the order in which blocks are numbered, x fastest.
#pragma once

#include "runtime/support/result.h"

#include <array>
#include <cstdint>

namespace weft::runtime {

using Size3 = std::array<std::uint32_t, 3>;

// Each dimension is below 2^32, the number of lanes, whole blocks counted, at most 2^63.
struct Grid {
  Size3 lanes{};   // dispatched; what a block has beyond them stays off
  Size3 blocks{};  // rounded up
  std::uint64_t block_count = 0;

  std::uint64_t lane_count() const { return std::uint64_t{lanes[0]} * lanes[1] * lanes[2]; }

  // The place of block number `index`.
  Size3 block_at(std::uint64_t index) const {
    const std::uint64_t row = index / blocks[0];
    return {static_cast<std::uint32_t>(index % blocks[0]), static_cast<std::uint32_t>(row % blocks[1]),
            static_cast<std::uint32_t>(row / blocks[1])};
  }
};

// A size of zero in any dimension gives a grid of no blocks. The error says which limit is exceeded.
Result<Grid> grid_of_lanes(Size3 lanes, Size3 block_size);
Result<Grid> grid_of_blocks(Size3 blocks, Size3 block_size);

// The place within its block of lane number `lane`.
inline Size3 lane_at(std::uint32_t lane, Size3 block_size) {
  return {lane % block_size[0], lane / block_size[0] % block_size[1], lane / block_size[0] / block_size[1]};
}

}  // namespace weft::runtime
