// Comparison of scalars and packs, for the ops of the family compare and for warp operations.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// a op b for eq, ne, lt, le, gt, ge.
[[nodiscard]] llvm::Value* compare(Emitter& e, ir::OpCode code, ir::TypeKind kind, llvm::Value* a, llvm::Value* b);

}  // namespace weft::lower
