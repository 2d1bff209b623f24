#include "codegen/lower/split.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

#include "codegen/lower/coroutine.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

// Each phase is made from a copy of the whole, of which what follows its suspend point up to the next ones is left.
constexpr std::uint32_t kMaxPhases = 32;
constexpr std::size_t kMaxCopiedOps = 200'000;

// The load of the suspend index at the resume function's entry, and the switch on it.
struct Dispatch {
  llvm::LoadInst* index = nullptr;
  llvm::SwitchInst* way = nullptr;
  std::uint64_t offset = 0;
};

// Found by structure: the one switch on what was loaded from a constant offset of the frame in the entry block.
Dispatch find_dispatch(llvm::Function& resume) {
  auto* way = llvm::dyn_cast<llvm::SwitchInst>(resume.getEntryBlock().getTerminator());
  for (llvm::BasicBlock* block = &resume.getEntryBlock(); way == nullptr && block != nullptr;) {
    block = block->getSingleSuccessor();
    way = block != nullptr ? llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator()) : nullptr;
  }
  auto* index = way != nullptr ? llvm::dyn_cast<llvm::LoadInst>(way->getCondition()) : nullptr;
  if (index == nullptr) {
    return {};
  }
  llvm::APInt offset(64, 0);
  const llvm::Value* base =
      index->getPointerOperand()->stripAndAccumulateConstantOffsets(resume.getParent()->getDataLayout(), offset, true);
  WEFT_CHECK(base == resume.getArg(0), "the suspend index is not in the frame");
  return {index, way, offset.getZExtValue()};
}

// resume(frame) as a function with a pack function's parameters.
llvm::Function* with_context(llvm::Function& resume, const llvm::Function& ramp) {
  llvm::Module& module = *resume.getParent();
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), ramp.getFunctionType()->params(), false);
  auto* copy = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, resume.getName() + ".pack", module);
  llvm::ValueToValueMapTy map;
  map[resume.getArg(0)] = copy->getArg(kFrame);
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(copy, &resume, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->setCallingConv(llvm::CallingConv::C);
  copy->addParamAttr(kFrame, llvm::Attribute::NoAlias);  // frames are memory of their own; LLVM does not say so
  return copy;
}

// The resume function for one suspend index. What the index does not lead to becomes unreachable and goes in the
// pipeline.
llvm::Function* phase_of(llvm::Function& resume, const Dispatch& dispatch, llvm::ConstantInt* index) {
  llvm::ValueToValueMapTy map;
  llvm::Function* phase = llvm::CloneFunction(&resume, map);
  phase->setName(resume.getName() + ".phase");
  phase->setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::cast<llvm::LoadInst>(map[dispatch.index])->replaceAllUsesWith(index);
  return phase;
}

// The pack's ramp stores the addresses of LLVM's resume and destroy functions; only "not null" is of use.
void erase_parts(llvm::Module& module, llvm::StringRef name) {
  llvm::Type* ptr = llvm::PointerType::get(module.getContext(), 0);
  llvm::Constant* suspended =
      llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), 1), ptr);
  for (const char* part : {".resume", ".destroy", ".cleanup"}) {
    if (llvm::Function* function = module.getFunction((name + part).str())) {
      function->replaceAllUsesWith(suspended);
      function->eraseFromParent();
    }
  }
}

void read_frame_size(SplitFunction& split, llvm::Function& ramp) {
  llvm::CallInst* mark = nullptr;
  for (llvm::Instruction& i : llvm::instructions(ramp)) {
    if (is_frame_mark(i)) {
      mark = llvm::cast<llvm::CallInst>(&i);
    }
  }
  WEFT_CHECK(mark != nullptr, "no frame size in {}", ramp.getName().str());
  split.frame_bytes = llvm::cast<llvm::ConstantInt>(mark->getArgOperand(0))->getZExtValue();
  split.frame_align =
      std::max<std::uint64_t>(llvm::cast<llvm::ConstantInt>(mark->getArgOperand(1))->getZExtValue(), 16);
  mark->eraseFromParent();
}

}  // namespace

bool uses_phases(const KernelPlan& plan, std::size_t ops) {
  return plan.uniform_barriers && plan.suspend_points <= kMaxPhases && ops * plan.suspend_points <= kMaxCopiedOps;
}

SplitFunction finish_split(llvm::Module& module, llvm::Function* ramp, bool with_phases) {
  SplitFunction split;
  if (ramp == nullptr) {
    return split;
  }
  split.ramp = ramp;
  llvm::Function* original = module.getFunction((ramp->getName() + ".resume").str());
  WEFT_CHECK(original != nullptr, "{} was not split", ramp->getName().str());
  read_frame_size(split, *ramp);
  split.resume = with_context(*original, *ramp);
  const Dispatch dispatch = find_dispatch(*split.resume);
  if (with_phases && dispatch.way != nullptr) {
    split.index_offset = dispatch.offset;
    for (const auto& way : dispatch.way->cases()) {
      split.indices.push_back(way.getCaseValue());
      split.phases.push_back(phase_of(*split.resume, dispatch, way.getCaseValue()));
    }
  }
  erase_parts(module, ramp->getName());
  bind_pack_function(*ramp);
  bind_pack_function(*split.resume);
  for (llvm::Function* phase : split.phases) {
    bind_pack_function(*phase);
  }
  return split;
}

}  // namespace weft::lower
