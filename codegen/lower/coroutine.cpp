#include "codegen/lower/coroutine.h"

#include <llvm/IR/Intrinsics.h>

namespace weft::lower {

namespace {

constexpr const char* kKeep = "weft.keep";
constexpr const char* kFrameMark = "weft.frame";

llvm::Function* intrinsic(Emitter& e, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types = {}) {
  return llvm::Intrinsic::getOrInsertDeclaration(&e.out, id, types);
}

// switch (coro.suspend(final)) { case 0: go on; case 1: destroyed; default: suspended }
void suspend(Emitter& e, bool is_final) {
  llvm::IRBuilder<>& b = e.b;
  llvm::Value* none = llvm::ConstantTokenNone::get(b.getContext());
  llvm::Value* how = b.CreateCall(intrinsic(e, llvm::Intrinsic::coro_suspend), {none, b.getInt1(is_final)});
  llvm::BasicBlock* resumed = e.block(is_final ? "resumed.final" : "resumed");
  llvm::BasicBlock* destroyed = e.block("destroyed");
  llvm::SwitchInst* way = b.CreateSwitch(how, e.coroutine->suspended, 2);
  way->addCase(b.getInt8(0), resumed);
  way->addCase(b.getInt8(1), destroyed);
  b.SetInsertPoint(destroyed);
  b.CreateBr(e.coroutine->suspended);
  b.SetInsertPoint(resumed);
  if (is_final) {
    b.CreateUnreachable();
  }
}

llvm::AllocaInst* home_of(Emitter& e, const LocalSlot& slot) {
  llvm::AllocaInst*& home = e.coroutine->homes[slot.address];
  if (home == nullptr) {
    home = e.variable(slot.type, "home");
    keep_in_frame(e, home);
  }
  return home;
}

}  // namespace

void begin_coroutine(Emitter& e) {
  llvm::IRBuilder<>& b = e.b;
  llvm::Value* null = llvm::ConstantPointerNull::get(b.getPtrTy());
  e.function->addFnAttr(llvm::Attribute::PresplitCoroutine);
  llvm::Value* id = b.CreateCall(intrinsic(e, llvm::Intrinsic::coro_id), {b.getInt32(0), null, null, null});
  e.coroutine->handle = b.CreateCall(intrinsic(e, llvm::Intrinsic::coro_begin), {id, e.function->getArg(0)});
  e.coroutine->suspended = e.block("suspended");
  llvm::Type* wide = b.getInt64Ty();
  llvm::FunctionCallee mark =
      e.out.getOrInsertFunction(kFrameMark, llvm::FunctionType::get(b.getVoidTy(), {wide, wide}, false));
  b.CreateCall(mark, {b.CreateCall(intrinsic(e, llvm::Intrinsic::coro_size, {wide})),
                      b.CreateCall(intrinsic(e, llvm::Intrinsic::coro_align, {wide}))});
}

void end_coroutine(Emitter& e) {
  suspend(e, true);
  llvm::IRBuilder<>& b = e.b;
  b.SetInsertPoint(e.coroutine->suspended);
  llvm::Value* none = llvm::ConstantTokenNone::get(b.getContext());
  b.CreateCall(intrinsic(e, llvm::Intrinsic::coro_end), {e.coroutine->handle, b.getFalse(), none});
  b.CreateRet(e.coroutine->handle);
}

void emit_suspend(Emitter& e, ir::OpId op, abi::PackState state) {
  std::vector<std::pair<const LocalSlot*, llvm::AllocaInst*>> kept;
  for (const ir::ValueId root : e.coroutine->live.locals.at(op)) {
    for (const LocalSlot& slot : e.local_slots(root)) {
      e.note(RemarkKind::keep, slot.elements * e.out.getDataLayout().getTypeAllocSize(slot.type), root);
      if (slot.elements == 1) {
        kept.emplace_back(&slot, home_of(e, slot));
      }
    }
  }
  for (const auto& [slot, home] : kept) {
    e.b.CreateStore(e.b.CreateLoad(slot->type, slot->address), home);
  }
  e.note(RemarkKind::suspend);
  ++e.plan.suspend_points;
  if (e.plan.cooperative) {
    store_context(e.b, offsetof(abi::BlockContext, pack_state), e.b.getInt32(static_cast<std::uint32_t>(state)));
  }
  suspend(e, false);
  for (const auto& [slot, home] : kept) {
    e.b.CreateStore(e.b.CreateLoad(slot->type, home), slot->address);
  }
}

bool lives_across_barrier(const Emitter& e, ir::ValueId root) {
  return e.coroutine != nullptr && e.coroutine->live.any.contains(root);
}

void keep_in_frame(Emitter& e, llvm::AllocaInst* memory) {
  llvm::FunctionCallee keep =
      e.out.getOrInsertFunction(kKeep, llvm::FunctionType::get(e.b.getVoidTy(), {e.b.getPtrTy()}, false));
  llvm::cast<llvm::Function>(keep.getCallee())->setDoesNotThrow();
  llvm::IRBuilder<> after(e.coroutine->handle->getNextNode());
  after.CreateCall(keep, {memory});
}

bool is_frame_mark(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == kFrameMark;
}

void drop_keep_marks(llvm::Module& module) {
  llvm::Function* keep = module.getFunction(kKeep);
  if (keep == nullptr) {
    return;
  }
  for (llvm::User* user : llvm::make_early_inc_range(keep->users())) {
    llvm::cast<llvm::Instruction>(user)->eraseFromParent();
  }
  keep->eraseFromParent();
}

}  // namespace weft::lower
