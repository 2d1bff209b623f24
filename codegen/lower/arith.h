// Binary arithmetic on scalars and packs, for the ops of the family arith and for whoever combines values by an op:
// warp operations, atomics.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

[[nodiscard]] inline bool is_float(ir::TypeKind kind) {
  return ir::scalar_category(kind) == ir::ScalarCategory::floating;
}
[[nodiscard]] inline bool is_signed(ir::TypeKind kind) {
  return ir::scalar_category(kind) == ir::ScalarCategory::signed_integer;
}

// a op b for add, sub, mul, min, max and, of integers and bools, and_, or_, xor_.
[[nodiscard]] llvm::Value* combine(Emitter& e, ir::OpCode code, ir::TypeKind kind, llvm::Value* a, llvm::Value* b);

}  // namespace weft::lower
