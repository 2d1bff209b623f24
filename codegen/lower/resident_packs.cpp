#include "codegen/lower/resident_packs.h"

#include "codegen/lower/context.h"

namespace weft::lower {

namespace {

constexpr std::uint64_t kStateBytes = sizeof(abi::PackState);

class ResidentPacks {
 public:
  ResidentPacks(BlockBuilder& block, const SplitFunction& version, bool full)
      : block_(block),
        b_(block.b),
        plan_(block.plan),
        version_(version),
        full_(full),
        count_(plan_.pack_count(block.kernel)),
        resident_(load_context(b_, block.context, offsetof(abi::BlockContext, resident), b_.getPtrTy())),
        kind_(block.variable(b_.getInt32Ty(), "kind")),
        most_(block.variable(b_.getInt32Ty(), "most")) {}

  void run() {
    llvm::BasicBlock* start = block_.block("start");
    llvm::BasicBlock* pass = block_.block("pass");
    llvm::BasicBlock* check = block_.block("check");
    llvm::BasicBlock* after = block_.block("ended");
    llvm::Value* point = b_.CreateTrunc(b_.CreateLoad(b_.getInt64Ty(), resume_point()), b_.getInt32Ty());
    b_.CreateStore(point, kind_);
    b_.CreateStore(state(abi::PackState::ended), most_);
    b_.CreateCondBr(b_.CreateICmpEQ(point, b_.getInt32(0)), start, pass);
    b_.SetInsertPoint(start);
    for_each_pack([&](const Pack& pack) { start_pack(pack); });
    b_.CreateBr(check);
    b_.SetInsertPoint(pass);
    b_.CreateStore(state(abi::PackState::ended), most_);
    for_each_pack([&](const Pack& pack) { resume_pack(pack); });
    b_.CreateBr(check);
    b_.SetInsertPoint(check);
    decide(pass, after);
    b_.SetInsertPoint(after);
  }

 private:
  struct Pack {
    llvm::Value* lane;  // its first
    llvm::Value* frame;
    llvm::Value* state;  // where it is kept
  };

  llvm::ConstantInt* state(abi::PackState s) { return b_.getInt32(static_cast<std::uint32_t>(s)); }
  llvm::Value* field(std::size_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block_.context, offset);
  }
  llvm::Value* resume_point() { return field(offsetof(abi::BlockContext, resume_point)); }

  void for_each_pack(const std::function<void(const Pack&)>& body) {
    llvm::Value* states = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), resident_, count_ * plan_.frame_bytes);
    block_.loop(b_.getInt32(0), b_.getInt32(count_), [&](llvm::Value* i) {
      llvm::Value* wide = b_.CreateZExt(i, b_.getInt64Ty());
      llvm::Value* frame = b_.CreateGEP(b_.getInt8Ty(), resident_, b_.CreateMul(wide, b_.getInt64(plan_.frame_bytes)));
      body({b_.CreateMul(i, b_.getInt32(plan_.width)), frame, b_.CreateGEP(b_.getInt32Ty(), states, wide)});
    });
  }

  void call(llvm::Function* function, const Pack& pack, llvm::Value* mask) {
    llvm::Value* stopped = field(offsetof(abi::BlockContext, pack_state));
    b_.CreateStore(state(abi::PackState::ended), stopped);
    b_.CreateCall(function, {pack.frame, block_.context, pack.lane, mask, block_.scratch});
    b_.CreateStore(b_.CreateLoad(b_.getInt32Ty(), stopped), pack.state);
  }

  void start_pack(const Pack& pack) {
    if (full_) {
      call(version_.ramp, pack, block_.all_lanes());
    } else {
      b_.CreateStore(state(abi::PackState::ended), pack.state);
      llvm::Value* mask = block_.existing(pack.lane);
      block_.emit_if(b_.CreateICmpNE(mask, llvm::ConstantInt::get(mask->getType(), 0)),
                     [&] { call(version_.ramp, pack, mask); });
    }
    note_state(pack);
  }

  void resume_pack(const Pack& pack) {
    llvm::Value* is_meant =
        b_.CreateICmpEQ(b_.CreateLoad(b_.getInt32Ty(), pack.state), b_.CreateLoad(b_.getInt32Ty(), kind_));
    block_.emit_if(is_meant,
                   [&] { call(version_.resume, pack, full_ ? block_.all_lanes() : block_.existing(pack.lane)); });
    note_state(pack);
  }

  void note_state(const Pack& pack) {
    llvm::Value* here = b_.CreateLoad(b_.getInt32Ty(), pack.state);
    llvm::Value* most = b_.CreateLoad(b_.getInt32Ty(), most_);
    b_.CreateStore(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, here, most), most_);
  }

  void decide(llvm::BasicBlock* pass, llvm::BasicBlock* after) {
    llvm::BasicBlock* barrier = block_.block("barrier");
    llvm::BasicBlock* waits = block_.block("waits");
    llvm::Value* most = b_.CreateLoad(b_.getInt32Ty(), most_);
    llvm::SwitchInst* way = b_.CreateSwitch(most, waits, 2);
    way->addCase(state(abi::PackState::ended), after);
    way->addCase(state(abi::PackState::at_block_barrier), barrier);
    b_.SetInsertPoint(barrier);
    b_.CreateStore(most, kind_);
    b_.CreateBr(pass);
    b_.SetInsertPoint(waits);
    b_.CreateStore(b_.CreateZExt(most, b_.getInt64Ty()), resume_point());
    block_.return_status(abi::BlockStatus::waiting);
  }

  BlockBuilder& block_;
  llvm::IRBuilder<>& b_;
  const KernelPlan& plan_;
  const SplitFunction& version_;
  const bool full_;
  const std::uint32_t count_;
  llvm::Value* resident_;
  llvm::AllocaInst* kind_;
  llvm::AllocaInst* most_;
};

}  // namespace

std::uint64_t resident_bytes(const ir::Function& kernel, const KernelPlan& plan) {
  const std::uint64_t count = plan.pack_count(kernel);
  return abi::frame_stride(count * plan.frame_bytes + count * kStateBytes, plan.frame_align);
}

void run_resident_packs(BlockBuilder& block, const SplitFunction& version, bool full) {
  ResidentPacks(block, version, full).run();
}

}  // namespace weft::lower
