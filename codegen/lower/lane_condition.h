// Conditions that scalars decide for a whole pack: an affine integer against a uniform one, such as thread_id.x < n,
// and what is made of such conditions and uniform ones. Where the integer does not wrap within the pack, the lanes for
// which the comparison holds are its first or its last.
#pragma once

#include <optional>

#include "codegen/lower/emitter.h"

namespace weft::lower {

struct LaneCondition {
  llvm::Value* any;  // i1: it holds in some lane; null if scalars do not tell
  llvm::Value* all;  // i1: it holds in every lane; null if scalars do not tell
};

// Of a condition that is evaluated in all lanes; nothing where it is not of this kind, or W = 1.
[[nodiscard]] std::optional<LaneCondition> lane_condition(Emitter& e, ir::ValueId condition);

// Of the opposite condition.
[[nodiscard]] LaneCondition negation(Emitter& e, const LaneCondition& condition);

}  // namespace weft::lower
