#include "runtime/grid.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::runtime {
namespace {

constexpr std::uint64_t kMaxLanes = std::uint64_t{1} << 63;

DiagnosticList too_large(std::string message) {
  DiagnosticList diagnostics;
  diagnostics.error({}, std::move(message));
  return diagnostics;
}

std::uint64_t product(Size3 size) {
  __extension__ using Wide = unsigned __int128;
  const Wide all = Wide{size[0]} * size[1] * size[2];
  return static_cast<std::uint64_t>(std::min<Wide>(all, UINT64_MAX));
}

}  // namespace

Result<Grid> grid_of_lanes(Size3 lanes, Size3 block_size) {
  Grid grid;
  grid.lanes = lanes;
  for (int i = 0; i < 3; ++i) {
    WEFT_CHECK_NE(block_size[i], 0u);
    grid.blocks[i] = lanes[i] / block_size[i] + (lanes[i] % block_size[i] != 0);
  }
  grid.block_count = product(grid.blocks);
  if (grid.block_count > kMaxLanes / product(block_size)) {
    return too_large(fmt::format("dispatch of {} x {} x {} lanes is too large, expected at most 2^63 lanes", lanes[0],
                                 lanes[1], lanes[2]));
  }
  return grid;
}

Result<Grid> grid_of_blocks(Size3 blocks, Size3 block_size) {
  Size3 lanes;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t count = std::uint64_t{blocks[i]} * block_size[i];
    if (count > UINT32_MAX) {
      return too_large(
          fmt::format("dispatch of {} blocks of {} lanes in dimension {} is too large, expected fewer than "
                      "2^32 lanes in each dimension",
                      blocks[i], block_size[i], "xyz"[i]));
    }
    lanes[i] = static_cast<std::uint32_t>(count);
  }
  return grid_of_lanes(lanes, block_size);
}

}  // namespace weft::runtime
