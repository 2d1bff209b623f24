// A kernel with barriers as a coroutine of LLVM's switched-resume lowering, one for each pack.
//
// The shape (measured to be what LLVM turns into good code): the caller hands in the frame, so there is no allocation
// in the coroutine; the part up to the first barrier is the ramp; each suspend's destroy edge goes to a block of its
// own; one last suspend marks the end. A local that lives across a barrier has a home slot in the frame: stored before
// the barrier, loaded after it, and a register in between. Context values (context.h) are made again after each suspend
// point.
#pragma once

#include "codegen/lower/context.h"
#include "codegen/lower/emitter.h"
#include "codegen/passes/live_across_suspend.h"

namespace weft::lower {

struct Coroutine {
  passes::LiveAcrossSuspend live;
  llvm::CallInst* handle = nullptr;       // coro.begin
  llvm::BasicBlock* suspended = nullptr;  // where every suspend returns to the driver
  std::unordered_map<llvm::Value*, llvm::AllocaInst*> homes;
};

// At the entry of a function `ptr (ptr frame)`: makes it a coroutine.
void begin_coroutine(Emitter& e);
// At its end: the last suspend and the common return.
void end_coroutine(Emitter& e);

// A suspend point, with every local that lives across the op in its home.
void emit_suspend(Emitter& e, ir::OpId op, abi::PackState state);

[[nodiscard]] bool lives_across_barrier(const Emitter& e, ir::ValueId root);
// Makes a stack variable part of the frame whatever LLVM finds out about its uses.
void keep_in_frame(Emitter& e, llvm::AllocaInst* memory);
// Whether an instruction is the mark that begin_coroutine left for the frame's size and alignment: its two operands.
[[nodiscard]] bool is_frame_mark(const llvm::Instruction& instruction);
// After the split: takes out the marks that keep_in_frame left.
void drop_keep_marks(llvm::Module& module);

}  // namespace weft::lower
