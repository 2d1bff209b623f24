// Integer division and remainder, defined for all operands: x / 0 = x, x % 0 = 0, MIN / -1 = MIN, MIN % -1 = 0.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// The quotient (OpCode::div) or remainder (OpCode::rem) of scalars or packs of an integer kind.
llvm::Value* divide(Emitter& e, ir::OpCode code, ir::TypeKind kind, llvm::Value* a, llvm::Value* b);

}  // namespace weft::lower
