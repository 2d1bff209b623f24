#include "codegen/lower/block.h"

#include <llvm/IR/IRBuilder.h>

#include <algorithm>

#include "codegen/lower/block_builder.h"
#include "codegen/lower/resident_packs.h"

namespace weft::lower {

namespace {

// Runs the packs of a kernel that is one function a pack, split or not.
class PackDriver {
 public:
  explicit PackDriver(BlockBuilder& block) : block_(block), b_(block.b), plan_(block.plan) {
    if (plan_.suspends && !plan_.cooperative) {
      runs_ = block_.check_memory("weft_arena_frames",
                                  {block_.context, b_.getInt64(plan_.frame_bytes), b_.getInt64(plan_.frame_align),
                                   b_.getInt64(plan_.pack_count(block_.kernel))});
    }
  }

  void run_version(const SplitFunction& version, bool full);

 private:
  using Body = std::function<void(llvm::Value* lane, llvm::Value* frame)>;

  // Every pack; with frames run by run.
  void for_each_pack(const Body& body);
  void call(llvm::Function* function, llvm::Value* frame, llvm::Value* lane, llvm::Value* mask);
  // Starts a pack that has lanes; another is marked as ended.
  void start_partial(llvm::Function* ramp, llvm::Value* frame, llvm::Value* lane);
  void run_phases(const SplitFunction& version);
  void run_rounds(const SplitFunction& version, bool full);

  BlockBuilder& block_;
  llvm::IRBuilder<>& b_;
  const KernelPlan& plan_;
  llvm::Value* runs_ = nullptr;
};

//   for (run = runs; run->pack_count != 0; ++run)
//     for (i = 0; i < run->pack_count; ++i)
//       body((run->first_pack + i) * width, run->base + i * frame_bytes)
void PackDriver::for_each_pack(const Body& body) {
  if (runs_ == nullptr) {
    block_.loop(b_.getInt32(0), b_.getInt32(plan_.pack_count(block_.kernel)), [&](llvm::Value* pack) {
      body(b_.CreateMul(pack, b_.getInt32(plan_.width)), llvm::ConstantPointerNull::get(b_.getPtrTy()));
    });
    return;
  }
  llvm::Type* bytes = b_.getInt8Ty();
  const auto field = [&](llvm::Value* run, std::uint64_t offset, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(bytes, run, offset));
  };
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* head = block_.block("run");
  llvm::BasicBlock* inside = block_.block("packs");
  llvm::BasicBlock* after = block_.block("endruns");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* run = b_.CreatePHI(b_.getPtrTy(), 2);
  run->addIncoming(runs_, before);
  llvm::Value* count = field(run, offsetof(abi::FrameRun, pack_count), b_.getInt32Ty());
  b_.CreateCondBr(b_.CreateICmpNE(count, b_.getInt32(0)), inside, after);
  b_.SetInsertPoint(inside);
  llvm::Value* base = field(run, offsetof(abi::FrameRun, base), b_.getPtrTy());
  llvm::Value* first = field(run, offsetof(abi::FrameRun, first_pack), b_.getInt32Ty());
  block_.loop(b_.getInt32(0), count, [&](llvm::Value* i) {
    llvm::Value* offset = b_.CreateMul(b_.CreateZExt(i, b_.getInt64Ty()), b_.getInt64(plan_.frame_bytes));
    llvm::Value* lane = b_.CreateMul(b_.CreateAdd(first, i), b_.getInt32(plan_.width));
    body(lane, b_.CreateGEP(bytes, base, offset));
  });
  run->addIncoming(b_.CreateConstInBoundsGEP1_64(bytes, run, sizeof(abi::FrameRun)), b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
}

void PackDriver::call(llvm::Function* function, llvm::Value* frame, llvm::Value* lane, llvm::Value* mask) {
  b_.CreateCall(function, {frame, block_.context, lane, mask, block_.scratch});
}

void PackDriver::start_partial(llvm::Function* ramp, llvm::Value* frame, llvm::Value* lane) {
  llvm::Value* mask = block_.existing(lane);
  if (plan_.suspends) {
    b_.CreateStore(llvm::ConstantPointerNull::get(b_.getPtrTy()), frame);
  }
  block_.emit_if(b_.CreateICmpNE(mask, llvm::ConstantInt::get(mask->getType(), 0)),
                 [&] { call(ramp, frame, lane, mask); });
}

void PackDriver::run_version(const SplitFunction& version, bool full) {
  if (plan_.cooperative) {
    return run_resident_packs(block_, version, full);
  }
  llvm::Value* all = block_.all_lanes();
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
void PackDriver::run_phases(const SplitFunction& version) {
  llvm::Type* bytes = b_.getInt8Ty();
  llvm::Value* all = block_.all_lanes();
  llvm::Value* first = b_.CreateLoad(b_.getPtrTy(), runs_);
  llvm::BasicBlock* head = block_.block("phase");
  llvm::BasicBlock* inside = block_.block("suspended");
  llvm::BasicBlock* after = block_.block("ended");
  llvm::BasicBlock* never = block_.block("no_such_index");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  b_.CreateCondBr(b_.CreateIsNull(b_.CreateLoad(b_.getPtrTy(), first)), after, inside);
  b_.SetInsertPoint(inside);
  llvm::Type* index_type = version.indices.front()->getType();
  llvm::Value* index =
      b_.CreateLoad(index_type, b_.CreateConstInBoundsGEP1_64(bytes, first, version.index_offset), "suspend_index");
  llvm::SwitchInst* way = b_.CreateSwitch(index, never, static_cast<unsigned>(version.phases.size()));
  for (std::size_t i = 0; i < version.phases.size(); ++i) {
    llvm::BasicBlock* entry = block_.block("phase.packs");
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
void PackDriver::run_rounds(const SplitFunction& version, bool full) {
  llvm::AllocaInst* some = block_.variable(b_.getInt1Ty(), "some");
  llvm::BasicBlock* round = block_.block("round");
  llvm::BasicBlock* after = block_.block("ended");
  b_.CreateBr(round);
  b_.SetInsertPoint(round);
  b_.CreateStore(b_.getFalse(), some);
  for_each_pack([&](llvm::Value* lane, llvm::Value* frame) {
    llvm::Value* suspended = b_.CreateIsNotNull(b_.CreateLoad(b_.getPtrTy(), frame));
    block_.emit_if(suspended, [&] {
      b_.CreateStore(b_.getTrue(), some);
      llvm::Value* all = block_.all_lanes();
      call(version.resume, frame, lane, full ? all : block_.existing(lane));
    });
  });
  b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), some), round, after);
  b_.SetInsertPoint(after);
}

void set_inlining(const SplitFunction& version, bool hot) {
  std::vector<llvm::Function*> functions = version.phases;
  functions.push_back(version.ramp);
  functions.push_back(version.resume);
  for (llvm::Function* f : functions) {
    if (f != nullptr) {
      lower::set_inlining(*f, hot);
    }
  }
}

}  // namespace

void build_block_function(llvm::Module& module, const ir::Function& kernel, KernelPlan& plan, const SplitFunction& full,
                          const SplitFunction& partial) {
  if (plan.suspends) {
    plan.frame_align = std::max({full.frame_align, partial.frame_align, abi::kMinFrameAlign});
    plan.frame_bytes = abi::frame_stride(std::max(full.frame_bytes, partial.frame_bytes), plan.frame_align);
  }
  plan.resident_bytes = plan.cooperative ? resident_bytes(kernel, plan) : 0;
  BlockBuilder block(module, kernel, plan);
  PackDriver driver(block);
  const SplitFunction& hot = full.ramp != nullptr || plan.width > 1 ? full : partial;  // one lane needs no masks
  block.run_versions(hot.ramp != nullptr, [&](bool is_full) { driver.run_version(is_full ? hot : partial, is_full); });
  set_inlining(hot, true);
  if (&hot != &partial) {
    set_inlining(partial, false);
  }
}

}  // namespace weft::lower
