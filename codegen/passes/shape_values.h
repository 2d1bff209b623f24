// What an op makes of its operands' shapes, op by op; the part of the shape analysis that knows ops. shape.cpp knows
// control flow and variables.
#pragma once

#include <span>
#include <vector>

#include "codegen/passes/shape.h"

namespace weft::passes {

// What the rules need to know of the function and the group of lanes.
struct ShapeSetting {
  ir::Module* module = nullptr;
  const ir::Function* function = nullptr;
  LaneGroup group;
  std::uint32_t row = 1;              // row_width
  bool buffers_are_constant = false;  // the function writes no buffer

  [[nodiscard]] bool has_rows() const { return !group.block && row > 1 && row < group.width; }
};

// The shapes of an op's result, one for each slot, from those of its operands. Not for `load` of a local.
[[nodiscard]] std::vector<Shape> result_shapes(const ShapeSetting& setting, const ir::Op& op,
                                               std::span<const std::span<const Shape>> operands);

// The place of a lane in its block along a dimension.
[[nodiscard]] Shape thread_id_shape(const ShapeSetting& setting, std::uint32_t dimension);

}  // namespace weft::passes
