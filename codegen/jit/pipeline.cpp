#include "codegen/jit/pipeline.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "codegen/lower/context.h"
#include "runtime/support/check.h"

namespace weft::jit {

namespace {

// The analyses that a pass list needs, for one target.
class Passes {
 public:
  explicit Passes(llvm::TargetMachine& machine) : builder(&machine, tuning()) {
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(sccs_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  void run(llvm::Module& module, llvm::ModulePassManager& passes) { passes.run(module, modules_); }

 private:
  // Packs are vectors already.
  static llvm::PipelineTuningOptions tuning() {
    llvm::PipelineTuningOptions options;
    options.LoopVectorization = false;
    options.SLPVectorization = false;
    options.LoopInterleaving = false;
    return options;
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;

 public:
  llvm::PassBuilder builder;
};

// What is cheaper to make again after a suspend point than to keep: context values, addresses, integer arithmetic.
// LLVM's own list has more, and lets the code grow with the square of the number of suspend points.
bool is_cheap_to_repeat(llvm::Instruction& i) {
  if (lower::is_context_call(i) || llvm::isa<llvm::GetElementPtrInst>(i)) {
    return true;
  }
  return i.getType()->isIntegerTy() && (llvm::isa<llvm::CastInst>(i) || llvm::isa<llvm::BinaryOperator>(i));
}

constexpr const char* kFullPipeline =
    "always-inline,"
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
    "loop-mssa(loop-rotate,licm),loop-unroll<O2>,sroa,early-cse<memssa>,gvn,dse,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm),simplifycfg,adce),globaldce";

// Without what takes time by the square of the number of loops (loop-rotate, loop-simplify) and what needs it.
constexpr const char* kReducedPipeline =
    "always-inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,early-cse<"
    "memssa>,gvn,"
    "dse,"
    "simplifycfg,adce),globaldce";

constexpr const char* kMinimalPipeline = "always-inline,function(sroa,early-cse,simplifycfg,adce),globaldce";

// Variables stay in memory.
constexpr const char* kLeastPipeline = "always-inline,function(simplifycfg,adce),globaldce";

// Beyond these there is no minimal pipeline: SROA takes time by the number of variables times that of blocks, EarlyCSE
// by the number of branches on the same condition times that of its uses.
constexpr std::size_t kMaxVariablesTimesBlocks = 500'000'000;
constexpr std::size_t kMaxBlocks = 100'000;

bool is_too_large(const llvm::Module& module) {
  for (const llvm::Function& f : module) {
    const auto is_variable = [](const llvm::Instruction& i) { return llvm::isa<llvm::AllocaInst>(i); };
    const auto variables = f.empty() ? 0 : llvm::count_if(f.getEntryBlock(), is_variable);
    if (f.size() > kMaxBlocks || static_cast<std::size_t>(variables) * f.size() > kMaxVariablesTimesBlocks) {
      return true;
    }
  }
  return false;
}

const char* pipeline(const llvm::Module& module, Effort effort) {
  switch (effort) {
    case Effort::automatic:
    case Effort::full: return kFullPipeline;
    case Effort::reduced: return kReducedPipeline;
    case Effort::minimal: return is_too_large(module) ? kLeastPipeline : kMinimalPipeline;
  }
  return kFullPipeline;
}

}  // namespace

void split_coroutines(llvm::Module& module, llvm::TargetMachine& machine) {
  Passes passes(machine);
  llvm::ModulePassManager list;
  list.addPass(llvm::CoroEarlyPass());
  llvm::FunctionPassManager tidy;
  tidy.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  tidy.addPass(llvm::EarlyCSEPass(false));
  tidy.addPass(llvm::SimplifyCFGPass());
  tidy.addPass(llvm::ADCEPass());
  // A value that a loop changes is kept once after the loop, not in every iteration.
  tidy.addPass(llvm::LoopSimplifyPass());
  tidy.addPass(llvm::LCSSAPass());
  list.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(tidy)));
  list.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::CoroSplitPass(is_cheap_to_repeat, true)));
  list.addPass(llvm::CoroCleanupPass());
  passes.run(module, list);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort) {
  Passes passes(machine);
  llvm::ModulePassManager list;
  llvm::Error error = passes.builder.parsePassPipeline(list, pipeline(module, effort));
  WEFT_CHECK(!error, "{}", llvm::toString(std::move(error)));
  passes.run(module, list);
}

}  // namespace weft::jit
