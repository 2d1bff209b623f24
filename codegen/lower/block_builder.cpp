#include "codegen/lower/block_builder.h"

#include "codegen/lower/context.h"
#include "codegen/lower/debug_info.h"
#include "codegen/lower/lane_ids.h"

namespace weft::lower {

namespace {

constexpr std::uint64_t kScratchAlign = 64;

// Larger functions than this are called: inlining them gains nothing that the call costs.
constexpr unsigned kMaxInlineInstructions = 4000;

}  // namespace

BlockBuilder::BlockBuilder(llvm::Module& m, const ir::Function& k, const KernelPlan& p)
    : module(m), kernel(k), plan(p), b(m.getContext()) {
  auto* type = llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy()}, false);
  function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, abi::kBlockSymbol, module);
  function->setDoesNotThrow();
  context = function->getArg(0);
  if (plan.debug_info != nullptr) {
    plan.debug_info->begin_function(*function, "");
    b.SetCurrentDebugLocation(plan.debug_info->location(*function, kernel.location));
  }
  b.SetInsertPoint(block("entry"));
  scratch = llvm::ConstantPointerNull::get(b.getPtrTy());
  if (plan.scratch_bytes > 0) {
    scratch = check_memory("weft_arena_allocate", {context, b.getInt64(plan.scratch_bytes), b.getInt64(kScratchAlign)});
  }
  compute_limits();
}

void BlockBuilder::run_versions(bool has_full, const std::function<void(bool full)>& version) {
  if (has_full) {
    llvm::BasicBlock* whole = block("full");
    llvm::BasicBlock* other = block("partial");
    b.CreateCondBr(is_full(), whole, other);
    b.SetInsertPoint(whole);
    version(true);
    return_status(abi::BlockStatus::done);
    b.SetInsertPoint(other);
  }
  version(false);
  return_status(abi::BlockStatus::done);
}

llvm::Value* BlockBuilder::check_memory(const char* helper, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::FunctionCallee callee = module.getOrInsertFunction(helper, llvm::FunctionType::get(b.getPtrTy(), types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->addRetAttr(llvm::Attribute::NoAlias);
  llvm::Value* memory = b.CreateCall(callee, arguments);
  llvm::BasicBlock* failed = block("no_memory");
  llvm::BasicBlock* good = block("memory");
  b.CreateCondBr(b.CreateIsNull(memory), failed, good);
  b.SetInsertPoint(failed);
  return_status(abi::BlockStatus::fault);
  b.SetInsertPoint(good);
  return memory;
}

llvm::AllocaInst* BlockBuilder::variable(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
}

// limit[d] = min(dispatch_size[d] - block_id[d] * block_size[d], block_size[d]); the block is full where all are
// block_size.
void BlockBuilder::compute_limits() {
  for (std::uint64_t d = 0; d < 3; ++d) {
    llvm::Type* word = b.getInt32Ty();
    llvm::Value* id = load_context(b, context, offsetof(abi::BlockContext, block_id), word, d);
    llvm::Value* size = load_context(b, context, offsetof(abi::BlockContext, dispatch_size), word, d);
    llvm::Value* extent = b.getInt32(kernel.attributes.block_size[d]);
    llvm::Value* left = b.CreateSub(size, b.CreateMul(id, extent));
    limits_.push_back(b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, extent));
  }
}

llvm::Value* BlockBuilder::is_full() {
  llvm::Value* full = b.getTrue();
  for (std::uint64_t d = 0; d < 3; ++d) {
    full = b.CreateAnd(full, b.CreateICmpEQ(limits_[d], b.getInt32(kernel.attributes.block_size[d])));
  }
  return full;
}

void BlockBuilder::loop(llvm::Value* begin, llvm::Value* end, const std::function<void(llvm::Value*)>& body) {
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* head = block("loop");
  llvm::BasicBlock* inside = block("body");
  llvm::BasicBlock* after = block("endloop");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* i = b.CreatePHI(b.getInt32Ty(), 2);
  i->addIncoming(begin, before);
  b.CreateCondBr(b.CreateICmpULT(i, end), inside, after);
  b.SetInsertPoint(inside);
  body(i);
  i->addIncoming(b.CreateAdd(i, b.getInt32(1)), b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(after);
}

void BlockBuilder::emit_if(llvm::Value* condition, const std::function<void()>& then) {
  llvm::BasicBlock* inside = block("then");
  llvm::BasicBlock* after = block("fi");
  b.CreateCondBr(condition, inside, after);
  b.SetInsertPoint(inside);
  then();
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

llvm::Value* BlockBuilder::existing(llvm::Value* lane) {
  return b.CreateBitCast(existing_lanes(b, kernel, lane, plan.width, limits_), b.getIntNTy(plan.width));
}

void set_inlining(llvm::Function& function, bool hot) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  const bool small = function.getInstructionCount() <= kMaxInlineInstructions;
  function.addFnAttr(hot && small ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
}

}  // namespace weft::lower
