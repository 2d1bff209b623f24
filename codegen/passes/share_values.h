// One value for equal integers: an op on the same operands as one before it, in the same region or one around it, gives
// way to that one's result.
//
// LLVM would find them too, but later: what is known of a value (shape.h, lower/range.h) is known of all its uses when
// they are one value, such as thread_id.x in `if thread_id.x < n` and in the access that the condition guards. Floats
// and references stay as they are: sharing them could make more live across barriers, or move a place to where less is
// known of its index.
#pragma once

#include "codegen/ir/module.h"

namespace weft::passes {

[[nodiscard]] ir::Function share_values(ir::Module& module, const ir::Function& function);

}  // namespace weft::passes
