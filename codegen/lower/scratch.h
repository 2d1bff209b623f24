// Stack memory for the length of one op. Its lifetime is marked, so that such memory is shared and is no part of a
// coroutine's frame.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

class Scratch {
 public:
  Scratch(Emitter& e, llvm::Type* type, const char* name) : e_(e), memory_(e.variable(type, name)) {
    e_.b.CreateLifetimeStart(memory_);
  }
  // Ends the lifetime where code is emitted now.
  ~Scratch() { e_.b.CreateLifetimeEnd(memory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void store(llvm::Value* value) { e_.b.CreateStore(value, memory_); }
  [[nodiscard]] llvm::Value* load() { return e_.b.CreateLoad(memory_->getAllocatedType(), memory_); }
  // The address of one lane of a pack, of the value itself at W = 1. Only for loads and stores: LLVM must see all uses
  // of memory to know that none is left at a suspend point.
  [[nodiscard]] llvm::Value* lane(llvm::Value* number) {
    llvm::Type* type = memory_->getAllocatedType();
    return type->isVectorTy() ? e_.b.CreateGEP(type, memory_, {e_.b.getInt32(0), number}) : memory_;
  }

 private:
  Emitter& e_;
  llvm::AllocaInst* memory_;
};

}  // namespace weft::lower
