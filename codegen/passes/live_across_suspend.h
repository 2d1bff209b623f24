// The question: which local variables live across each barrier? They are what a suspended pack must keep.
//
// A local lives across a barrier if it is declared before it and may be read after it: later in the text, or anywhere
// in a loop around the barrier that the declaration is outside of. That a variable may be overwritten before it is read
// is not looked at.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::passes {

struct LiveAcrossSuspend {
  // By barrier op, the results of the `local` ops that live across it, in the order of declaration.
  std::unordered_map<ir::OpId, std::vector<ir::ValueId>> locals;
  // Those that live across any.
  std::unordered_set<ir::ValueId> any;
};

[[nodiscard]] LiveAcrossSuspend live_across_suspend(const ir::Function& function);

}  // namespace weft::passes
