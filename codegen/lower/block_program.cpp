#include "codegen/lower/block.h"
#include "codegen/lower/block_builder.h"

namespace weft::lower {

using passes::BlockStep;
using passes::Segment;

namespace {

// Runs the steps of a kernel that is cut at its barriers, for one version.
class ProgramDriver {
 public:
  ProgramDriver(BlockBuilder& block, const SegmentFunctions& version, bool full)
      : block_(block),
        b_(block.b),
        kernel_(block.kernel),
        program_(block.plan.fission->program),
        version_(version),
        full_(full),
        pack_count_(block.plan.pack_count(block.kernel)),
        frames_(block.variable(llvm::ArrayType::get(version.state.frame, pack_count_), "frames")),
        block_in_(block.variable(version.state.block, "block_in")),
        block_out_(block.variable(version.state.block, "block_out")) {
    frames_->setAlignment(llvm::Align(64));
  }

  void run() {
    end_ = block_.block("end");
    run(program_.steps);
    go_on_at(end_);
  }

 private:
  struct Loop {
    llvm::BasicBlock* update;
    llvm::BasicBlock* exit;
  };

  void go_on_at(llvm::BasicBlock* target) {
    b_.CreateBr(target);
    b_.SetInsertPoint(target);
  }
  void leave_to(llvm::BasicBlock* target) {
    b_.CreateBr(target);
    b_.SetInsertPoint(block_.block("dead"));
  }

  void run(const std::vector<BlockStep>& steps) {
    for (const BlockStep& step : steps) {
      switch (step.kind) {
        case BlockStep::Kind::segment: run_segment(step.segment); break;
        case BlockStep::Kind::if_: run_if(step); break;
        case BlockStep::Kind::switch_: run_switch(step); break;
        case BlockStep::Kind::loop: run_loop(step); break;
        case BlockStep::Kind::break_: leave_to(loops_.back().exit); break;
        case BlockStep::Kind::continue_: leave_to(loops_.back().update); break;
        case BlockStep::Kind::return_: leave_to(end_); break;
      }
    }
  }

  //   for each pack with lanes: decision = segment(pack)
  //   block_in = block_out, as far as the segment has written it
  void run_segment(std::uint32_t index) {
    const Segment& segment = program_.segments[index];
    if (segment.decides.valid()) {
      decision_ = block_.variable(version_.functions[index]->getReturnType(), "decision");
    }
    if (segment.once) {
      call(index, b_.getInt32(0));  // a block has its first lane
    } else {
      block_.loop(b_.getInt32(0), b_.getInt32(pack_count_), [&](llvm::Value* pack) { call(index, pack); });
    }
    for (const KeptField& field : version_.block_out[index]) {
      const auto address = [&](llvm::Value* record) {
        return b_.CreateStructGEP(version_.state.block, record, field.index);
      };
      b_.CreateStore(b_.CreateLoad(field.type, address(block_out_)), address(block_in_));
    }
  }

  void call(std::uint32_t index, llvm::Value* pack) {
    llvm::Value* lane = b_.CreateMul(pack, b_.getInt32(block_.plan.width));
    llvm::Value* frame = b_.CreateInBoundsGEP(version_.state.frame, frames_, pack);
    llvm::Value* lanes = full_ ? block_.all_lanes() : block_.existing(lane);
    const auto make = [&] {
      llvm::Value* result = b_.CreateCall(version_.functions[index],
                                          {frame, block_.context, lane, lanes, block_.scratch, block_in_, block_out_});
      if (program_.segments[index].decides.valid()) {
        b_.CreateStore(result, decision_);
      }
    };
    if (full_) {
      make();
    } else {
      block_.emit_if(b_.CreateICmpNE(lanes, llvm::ConstantInt::get(lanes->getType(), 0)), make);
    }
  }

  llvm::Value* decision() { return b_.CreateLoad(decision_->getAllocatedType(), decision_); }

  void run_if(const BlockStep& step) {
    llvm::BasicBlock* then = block_.block("block.then");
    llvm::BasicBlock* otherwise = block_.block("block.else");
    llvm::BasicBlock* after = block_.block("block.endif");
    b_.CreateCondBr(decision(), then, otherwise);
    for (const bool way : {true, false}) {
      b_.SetInsertPoint(way ? then : otherwise);
      run(step.regions[way ? 0 : 1]);
      b_.CreateBr(after);
    }
    b_.SetInsertPoint(after);
  }

  void run_switch(const BlockStep& step) {
    const ir::Op& op = kernel_.op(step.op);
    const ir::CaseList& cases = kernel_.case_lists[op.imm];
    llvm::BasicBlock* otherwise = block_.block("block.default");
    llvm::BasicBlock* after = block_.block("block.endswitch");
    auto* type = llvm::cast<llvm::IntegerType>(decision_->getAllocatedType());
    llvm::SwitchInst* way = b_.CreateSwitch(decision(), otherwise);
    for (std::size_t i = 0; i < step.regions.size(); ++i) {
      const bool is_default = i == cases.size();
      llvm::BasicBlock* entry = is_default ? otherwise : block_.block("block.case");
      for (const std::int64_t value : is_default ? std::vector<std::int64_t>() : cases[i]) {
        way->addCase(llvm::ConstantInt::get(type, static_cast<std::uint64_t>(value), false, true), entry);
      }
      b_.SetInsertPoint(entry);
      run(step.regions[i]);
      b_.CreateBr(after);
    }
    b_.SetInsertPoint(after);
  }

  void run_loop(const BlockStep& step) {
    llvm::BasicBlock* head = block_.block("block.loop");
    llvm::BasicBlock* body = block_.block("block.body");
    loops_.push_back({block_.block("block.update"), block_.block("block.endloop")});
    const Loop loop = loops_.back();
    go_on_at(head);
    run(step.regions[0]);
    b_.CreateCondBr(decision(), body, loop.exit);
    b_.SetInsertPoint(body);
    run(step.regions[1]);
    go_on_at(loop.update);
    loops_.pop_back();
    run(step.regions[2]);
    b_.CreateBr(head);
    b_.SetInsertPoint(loop.exit);
  }

  BlockBuilder& block_;
  llvm::IRBuilder<>& b_;
  const ir::Function& kernel_;
  const passes::BlockProgram& program_;
  const SegmentFunctions& version_;
  const bool full_;
  const std::uint32_t pack_count_;
  llvm::AllocaInst* frames_;
  llvm::AllocaInst* block_in_;
  llvm::AllocaInst* block_out_;
  llvm::AllocaInst* decision_ = nullptr;  // of the last segment that decides
  llvm::BasicBlock* end_ = nullptr;
  std::vector<Loop> loops_;
};

}  // namespace

void build_block_program(llvm::Module& module, const ir::Function& kernel, const KernelPlan& plan,
                         const SegmentVersions& versions) {
  const bool one_lane = plan.width == 1;  // needs no masks: one version serves for both
  BlockBuilder block(module, kernel, plan);
  block.run_versions(versions.full || one_lane, [&](bool is_full) {
    const SegmentFunctions& version = is_full && versions.full ? *versions.full : versions.partial;
    ProgramDriver(block, version, is_full).run();
    for (llvm::Function* segment : version.functions) {
      set_inlining(*segment, &version != &versions.partial || !versions.full);
    }
  });
}

}  // namespace weft::lower
