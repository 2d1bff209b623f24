// Folds over the lanes of a pack, for warp operations and for atomics at one address.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// What may stand for a lane that takes no part in a fold by add, mul, min, max, and_, or_ or xor_: combining it with a
// value gives the value. -0 for sums of floats; NaN for min and max of floats, which give the other operand.
[[nodiscard]] llvm::Constant* neutral(Emitter& e, ir::OpCode code, ir::TypeKind kind);

// The fold of all lanes, as a scalar: lane i with lane i + W/2, then i + W/4, down to 1.
[[nodiscard]] llvm::Value* fold(Emitter& e, ir::OpCode code, ir::TypeKind kind, llvm::Value* pack);

// Each lane gets the fold of the lanes before it: of integers in any order, of floats one by one in lane order.
[[nodiscard]] llvm::Value* fold_before(Emitter& e, ir::OpCode code, ir::TypeKind kind, llvm::Value* pack);

}  // namespace weft::lower
