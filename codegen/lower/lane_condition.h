// Conditions that a scalar decides for a whole pack: an affine integer against a uniform one, such as thread_id.x < n.
// Where the integer does not wrap within the pack, the lanes for which the condition holds are its first or its last.
#pragma once

#include <optional>

#include "codegen/lower/emitter.h"

namespace weft::lower {

struct LaneCondition {
  llvm::Value* any;  // i1: it holds in some lane
  llvm::Value* all;  // i1: it holds in every lane
};

// Of a condition that is evaluated in all lanes; nothing where it is not of this kind, or W = 1.
[[nodiscard]] std::optional<LaneCondition> lane_condition(Emitter& e, ir::ValueId condition);

}  // namespace weft::lower
