// One atomic operation of one lane, on scalars: a real one, or the plain one that shared memory needs.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// Of an op of the family atomic but `fence`. A block runs on one thread, so nobody else sees its shared memory.
struct AtomicAccess {
  ir::OpCode code;
  ir::TypeKind kind;  // of the number at the place
  bool is_shared;
};

// Operates on the number at `address` with the op's other operands, and gives the value before (null for atomic_store).
llvm::Value* access(Emitter& e, const AtomicAccess& how, llvm::Value* address, llvm::ArrayRef<llvm::Value*> operands);

// The op by which an atomic combines the value before with its operand: add for atomic_add ...; nothing for load,
// store, exchange and compare_exchange.
[[nodiscard]] std::optional<ir::OpCode> combining_op(ir::OpCode atomic);

}  // namespace weft::lower
