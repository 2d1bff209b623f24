// What the drivers of a block (block.h) share: the block function's frame, loops over packs, the lanes that exist.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <functional>

#include "codegen/lower/kernel_plan.h"

namespace weft::lower {

class BlockBuilder {
 public:
  // Begins "weft_block": at its end everything that is the same for both versions of a block is there.
  BlockBuilder(llvm::Module& module, const ir::Function& kernel, const KernelPlan& plan);

  // if (every lane of the block exists) { full version; return; } partial version; return
  void run_versions(bool has_full, const std::function<void(bool full)>& version);

  // --- memory
  // From a helper of the runtime; null ends the block with a fault, which the helper has reported.
  [[nodiscard]] llvm::Value* check_memory(const char* helper, llvm::ArrayRef<llvm::Value*> arguments);
  [[nodiscard]] llvm::AllocaInst* variable(llvm::Type* type, const char* name);

  // --- control flow
  void return_status(abi::BlockStatus status) { b.CreateRet(b.getInt32(static_cast<std::uint32_t>(status))); }
  [[nodiscard]] llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(b.getContext(), name, function);
  }
  // for (i = begin; i < end; ++i) body(i), in 32 bits
  void loop(llvm::Value* begin, llvm::Value* end, const std::function<void(llvm::Value*)>& body);
  void emit_if(llvm::Value* condition, const std::function<void()>& then);

  // --- packs
  [[nodiscard]] llvm::Value* all_lanes() { return llvm::ConstantInt::getAllOnesValue(b.getIntNTy(plan.width)); }
  // iW: which lanes of the pack that starts at `lane` exist.
  [[nodiscard]] llvm::Value* existing(llvm::Value* lane);

  llvm::Module& module;
  const ir::Function& kernel;
  const KernelPlan& plan;
  llvm::IRBuilder<> b;
  llvm::Function* function = nullptr;
  llvm::Value* context = nullptr;
  llvm::Value* scratch = nullptr;

 private:
  void compute_limits();
  [[nodiscard]] llvm::Value* is_full();
  llvm::SmallVector<llvm::Value*, 3> limits_;
};

// Makes a function that runs packs of full blocks part of its loop over packs, unless it is large, and keeps what runs
// the blocks at the grid's edge out of the way.
void set_inlining(llvm::Function& function, bool hot);

}  // namespace weft::lower
