#include "codegen/lower/block.h"

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <functional>

#include "codegen/lower/context.h"
#include "codegen/lower/lane_ids.h"

namespace weft::lower {

namespace {

constexpr std::uint64_t kScratchAlign = 64;

class BlockBuilder {
 public:
  BlockBuilder(llvm::Module& module, const ir::Function& kernel, const KernelPlan& plan)
      : module_(module), kernel_(kernel), plan_(plan), b_(module.getContext()) {}

  void run(const SplitFunction& full, const SplitFunction& partial);

 private:
  using Body = std::function<void(llvm::Value* lane, llvm::Value* frame)>;

  [[nodiscard]] llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, function_);
  }
  llvm::Value* check_memory(const char* helper, llvm::ArrayRef<llvm::Value*> arguments);
  [[nodiscard]] llvm::Value* block_is_full();
  void compute_limits();

  // for (i = begin; i < end; ++i) body(i), in 32 bits
  void loop(llvm::Value* begin, llvm::Value* end, const std::function<void(llvm::Value*)>& body);
  // Every pack; with frames run by run.
  void for_each_pack(const Body& body);
  void emit_if(llvm::Value* condition, const std::function<void()>& then);
  llvm::Value* existing(llvm::Value* lane);
  void call(llvm::Function* function, llvm::Value* frame, llvm::Value* lane, llvm::Value* mask);
  // Starts a pack that has lanes; another is marked as ended.
  void start_partial(llvm::Function* ramp, llvm::Value* frame, llvm::Value* lane);

  void run_version(const SplitFunction& version, bool full);
  void run_phases(const SplitFunction& version);
  void run_rounds(const SplitFunction& version, bool full);

  llvm::Module& module_;
  const ir::Function& kernel_;
  const KernelPlan& plan_;
  llvm::IRBuilder<> b_;
  llvm::Function* function_ = nullptr;
  llvm::Value* context_ = nullptr;
  llvm::Value* scratch_ = nullptr;
  llvm::Value* runs_ = nullptr;
  llvm::SmallVector<llvm::Value*, 3> limits_;
};

llvm::Value* status(llvm::IRBuilder<>& b, abi::BlockStatus s) { return b.getInt32(static_cast<std::uint32_t>(s)); }

// Memory from a helper; null ends the block with a fault, which the helper has reported.
llvm::Value* BlockBuilder::check_memory(const char* helper, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::FunctionCallee callee =
      module_.getOrInsertFunction(helper, llvm::FunctionType::get(b_.getPtrTy(), types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->addRetAttr(llvm::Attribute::NoAlias);
  llvm::Value* memory = b_.CreateCall(callee, arguments);
  llvm::BasicBlock* failed = block("no_memory");
  llvm::BasicBlock* good = block("memory");
  b_.CreateCondBr(b_.CreateIsNull(memory), failed, good);
  b_.SetInsertPoint(failed);
  b_.CreateRet(status(b_, abi::BlockStatus::fault));
  b_.SetInsertPoint(good);
  return memory;
}

// limit[d] = min(dispatch_size[d] - block_id[d] * block_size[d], block_size[d]); the block is full where all are
// block_size.
void BlockBuilder::compute_limits() {
  for (std::uint64_t d = 0; d < 3; ++d) {
    llvm::Type* word = b_.getInt32Ty();
    llvm::Value* id = load_context(b_, context_, offsetof(abi::BlockContext, block_id), word, d);
    llvm::Value* size = load_context(b_, context_, offsetof(abi::BlockContext, dispatch_size), word, d);
    llvm::Value* extent = b_.getInt32(kernel_.attributes.block_size[d]);
    llvm::Value* left = b_.CreateSub(size, b_.CreateMul(id, extent));
    limits_.push_back(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, extent));
  }
}

llvm::Value* BlockBuilder::block_is_full() {
  llvm::Value* full = b_.getTrue();
  for (std::uint64_t d = 0; d < 3; ++d) {
    full = b_.CreateAnd(full, b_.CreateICmpEQ(limits_[d], b_.getInt32(kernel_.attributes.block_size[d])));
  }
  return full;
}

void BlockBuilder::loop(llvm::Value* begin, llvm::Value* end, const std::function<void(llvm::Value*)>& body) {
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* head = block("loop");
  llvm::BasicBlock* inside = block("body");
  llvm::BasicBlock* after = block("endloop");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt32Ty(), 2);
  i->addIncoming(begin, before);
  b_.CreateCondBr(b_.CreateICmpULT(i, end), inside, after);
  b_.SetInsertPoint(inside);
  body(i);
  i->addIncoming(b_.CreateAdd(i, b_.getInt32(1)), b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
}

//   for (run = runs; run->pack_count != 0; ++run)
//     for (i = 0; i < run->pack_count; ++i)
//       body((run->first_pack + i) * width, run->base + i * frame_bytes)
void BlockBuilder::for_each_pack(const Body& body) {
  if (runs_ == nullptr) {
    loop(b_.getInt32(0), b_.getInt32(plan_.pack_count(kernel_)), [&](llvm::Value* pack) {
      body(b_.CreateMul(pack, b_.getInt32(plan_.width)), llvm::ConstantPointerNull::get(b_.getPtrTy()));
    });
    return;
  }
  llvm::Type* bytes = b_.getInt8Ty();
  const auto field = [&](llvm::Value* run, std::uint64_t offset, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(bytes, run, offset));
  };
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* head = block("run");
  llvm::BasicBlock* inside = block("packs");
  llvm::BasicBlock* after = block("endruns");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* run = b_.CreatePHI(b_.getPtrTy(), 2);
  run->addIncoming(runs_, before);
  llvm::Value* count = field(run, offsetof(abi::FrameRun, pack_count), b_.getInt32Ty());
  b_.CreateCondBr(b_.CreateICmpNE(count, b_.getInt32(0)), inside, after);
  b_.SetInsertPoint(inside);
  llvm::Value* base = field(run, offsetof(abi::FrameRun, base), b_.getPtrTy());
  llvm::Value* first = field(run, offsetof(abi::FrameRun, first_pack), b_.getInt32Ty());
  loop(b_.getInt32(0), count, [&](llvm::Value* i) {
    llvm::Value* offset = b_.CreateMul(b_.CreateZExt(i, b_.getInt64Ty()), b_.getInt64(plan_.frame_bytes));
    llvm::Value* lane = b_.CreateMul(b_.CreateAdd(first, i), b_.getInt32(plan_.width));
    body(lane, b_.CreateGEP(bytes, base, offset));
  });
  run->addIncoming(b_.CreateConstInBoundsGEP1_64(bytes, run, sizeof(abi::FrameRun)), b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
}

void BlockBuilder::emit_if(llvm::Value* condition, const std::function<void()>& then) {
  llvm::BasicBlock* inside = block("then");
  llvm::BasicBlock* after = block("fi");
  b_.CreateCondBr(condition, inside, after);
  b_.SetInsertPoint(inside);
  then();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

llvm::Value* BlockBuilder::existing(llvm::Value* lane) {
  return b_.CreateBitCast(existing_lanes(b_, kernel_, lane, plan_.width, limits_), b_.getIntNTy(plan_.width));
}

void BlockBuilder::call(llvm::Function* function, llvm::Value* frame, llvm::Value* lane, llvm::Value* mask) {
  b_.CreateCall(function, {frame, context_, lane, mask, scratch_});
}

void BlockBuilder::start_partial(llvm::Function* ramp, llvm::Value* frame, llvm::Value* lane) {
  llvm::Value* mask = existing(lane);
  if (plan_.suspends) {
    b_.CreateStore(llvm::ConstantPointerNull::get(b_.getPtrTy()), frame);
  }
  emit_if(b_.CreateICmpNE(mask, llvm::ConstantInt::get(mask->getType(), 0)), [&] { call(ramp, frame, lane, mask); });
}

void BlockBuilder::run_version(const SplitFunction& version, bool full) {
  llvm::Value* all = llvm::ConstantInt::getAllOnesValue(b_.getIntNTy(plan_.width));
  for_each_pack([&](llvm::Value* lane, llvm::Value* frame) {
    if (full) {
      call(version.ramp, frame, lane, all);
    } else {
      start_partial(version.ramp, frame, lane);
    }
  });
  if (!plan_.suspends) {
    return;
  }
  if (full && !version.phases.empty()) {
    run_phases(version);
  } else {
    run_rounds(version, full);
  }
}

// while (first frame is suspended) switch (its suspend index) { case i: every pack runs phase i }
void BlockBuilder::run_phases(const SplitFunction& version) {
  llvm::Type* bytes = b_.getInt8Ty();
  llvm::Value* all = llvm::ConstantInt::getAllOnesValue(b_.getIntNTy(plan_.width));
  llvm::Value* first = b_.CreateLoad(b_.getPtrTy(), runs_);
  llvm::BasicBlock* head = block("phase");
  llvm::BasicBlock* inside = block("suspended");
  llvm::BasicBlock* after = block("ended");
  llvm::BasicBlock* never = block("no_such_index");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  b_.CreateCondBr(b_.CreateIsNull(b_.CreateLoad(b_.getPtrTy(), first)), after, inside);
  b_.SetInsertPoint(inside);
  llvm::Type* index_type = version.indices.front()->getType();
  llvm::Value* index =
      b_.CreateLoad(index_type, b_.CreateConstInBoundsGEP1_64(bytes, first, version.index_offset), "suspend_index");
  llvm::SwitchInst* way = b_.CreateSwitch(index, never, static_cast<unsigned>(version.phases.size()));
  for (std::size_t i = 0; i < version.phases.size(); ++i) {
    llvm::BasicBlock* entry = block("phase.packs");
    way->addCase(version.indices[i], entry);
    b_.SetInsertPoint(entry);
    for_each_pack([&](llvm::Value* lane, llvm::Value* frame) { call(version.phases[i], frame, lane, all); });
    b_.CreateBr(head);
  }
  b_.SetInsertPoint(never);
  b_.CreateUnreachable();
  b_.SetInsertPoint(after);
}

// do { some = false; for each suspended pack { some = true; resume } } while (some)
void BlockBuilder::run_rounds(const SplitFunction& version, bool full) {
  llvm::BasicBlock& entry = function_->getEntryBlock();
  llvm::AllocaInst* some = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(b_.getInt1Ty());
  llvm::BasicBlock* round = block("round");
  llvm::BasicBlock* after = block("ended");
  b_.CreateBr(round);
  b_.SetInsertPoint(round);
  b_.CreateStore(b_.getFalse(), some);
  for_each_pack([&](llvm::Value* lane, llvm::Value* frame) {
    llvm::Value* suspended = b_.CreateIsNotNull(b_.CreateLoad(b_.getPtrTy(), frame));
    emit_if(suspended, [&] {
      b_.CreateStore(b_.getTrue(), some);
      llvm::Value* all = llvm::ConstantInt::getAllOnesValue(b_.getIntNTy(plan_.width));
      call(version.resume, frame, lane, full ? all : existing(lane));
    });
  });
  b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), some), round, after);
  b_.SetInsertPoint(after);
}

void BlockBuilder::run(const SplitFunction& full, const SplitFunction& partial) {
  auto* type = llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy()}, false);
  function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, abi::kBlockSymbol, module_);
  function_->setDoesNotThrow();
  context_ = function_->getArg(0);
  b_.SetInsertPoint(block("entry"));
  scratch_ = llvm::ConstantPointerNull::get(b_.getPtrTy());
  if (plan_.scratch_bytes > 0) {
    scratch_ =
        check_memory("weft_arena_allocate", {context_, b_.getInt64(plan_.scratch_bytes), b_.getInt64(kScratchAlign)});
  }
  if (plan_.suspends) {
    runs_ = check_memory("weft_arena_frames", {context_, b_.getInt64(plan_.frame_bytes), b_.getInt64(plan_.frame_align),
                                               b_.getInt64(plan_.pack_count(kernel_))});
  }
  compute_limits();
  const bool scalar_full = plan_.width == 1;  // no masks: the partial version is the full one
  const SplitFunction& for_full = full.ramp != nullptr || !scalar_full ? full : partial;
  if (for_full.ramp != nullptr) {
    llvm::BasicBlock* whole = block("full");
    llvm::BasicBlock* other = block("partial");
    b_.CreateCondBr(block_is_full(), whole, other);
    b_.SetInsertPoint(whole);
    run_version(for_full, true);
    b_.CreateRet(status(b_, abi::BlockStatus::done));
    b_.SetInsertPoint(other);
  }
  run_version(partial, false);
  b_.CreateRet(status(b_, abi::BlockStatus::done));
}

// Larger functions than this are called: inlining them gains nothing that the call costs.
constexpr unsigned kMaxInlineInstructions = 4000;

// What runs full blocks becomes part of their loops over packs; what runs the blocks at the grid's edge stays out of
// the way.
void set_inlining(const SplitFunction& version, bool inlined) {
  std::vector<llvm::Function*> functions = version.phases;
  functions.push_back(version.ramp);
  functions.push_back(version.resume);
  for (llvm::Function* f : functions) {
    if (f == nullptr) {
      continue;
    }
    f->setLinkage(llvm::GlobalValue::InternalLinkage);
    const bool small = f->getInstructionCount() <= kMaxInlineInstructions;
    f->addFnAttr(inlined && small ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
  }
}

}  // namespace

void build_block_function(llvm::Module& module, const ir::Function& kernel, KernelPlan& plan, const SplitFunction& full,
                          const SplitFunction& partial) {
  if (plan.suspends) {
    plan.frame_align = std::max({full.frame_align, partial.frame_align, abi::kMinFrameAlign});
    plan.frame_bytes = abi::frame_stride(std::max(full.frame_bytes, partial.frame_bytes), plan.frame_align);
  }
  BlockBuilder(module, kernel, plan).run(full, partial);
  const SplitFunction& hot = full.ramp != nullptr || plan.width > 1 ? full : partial;
  set_inlining(hot, true);
  if (&hot != &partial) {
    set_inlining(partial, false);
  }
}

}  // namespace weft::lower
