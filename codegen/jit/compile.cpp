// compile() as a list of verbs: prepare, inline, plan, lower, split, build the block, optimise, generate.
#include "codegen/jit/compile.h"

#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>

#include "codegen/ir/text/print.h"
#include "codegen/jit/choose.h"
#include "codegen/jit/device_library.h"
#include "codegen/jit/generate.h"
#include "codegen/jit/pipeline.h"
#include "codegen/jit/target.h"
#include "codegen/lower/block.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/kernel.h"
#include "codegen/passes/inline_callables.h"
#include "codegen/passes/prepare.h"
#include "codegen/passes/promote_locals.h"
#include "codegen/passes/share_values.h"
#include "runtime/support/stage_times.h"

namespace weft::jit {

namespace {

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

// One compilation, stage by stage; each stage may be the last that is asked for.
class Compilation {
 public:
  Compilation(const CompileOptions& options, Target target) : options_(options), target_(std::move(target)) {}

  // From here on the kernel is prepared and has no calls: the module is ours to change.
  DiagnosticList prepare(const ir::Module& source);
  // From here on there is an LLVM module with pack functions, not yet split.
  void lower();
  // From here on no value crosses a barrier in a register, and the block function calls all there is.
  void assemble();
  void optimise();
  [[nodiscard]] llvm::SmallVector<char, 0> generate(llvm::CodeGenFileType type);

  [[nodiscard]] std::string prepared_text() const { return ir::print(*module_); }
  [[nodiscard]] std::string llvm_text() const { return print(*out_); }
  CompileStats stats;

 private:
  void check_llvm(const char* stage) const;
  void set_target_attributes();

  const CompileOptions& options_;
  Target target_;
  std::unique_ptr<ir::Module> module_;
  const ir::Function* kernel_ = nullptr;
  Effort effort_ = Effort::full;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> out_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  lower::KernelPlan plan_;
  lower::PackFunctions packs_;       // of a kernel that is not cut
  lower::SegmentVersions segments_;  // of one that is
};

DiagnosticList Compilation::prepare(const ir::Module& source) {
  const StageScope scope(Stage::prepare);
  passes::PrepareOptions prepare{.math = options_.math, .unchecked = options_.unchecked};
  prepare.spec_values = spec_values(source, options_.specs);
  auto prepared = passes::prepare(source, options_.kernel, prepare);
  if (!prepared) {
    return prepared.take_diagnostics();
  }
  auto inlined =
      passes::inline_callables(**prepared, {.wanted = [](const auto&, const auto&, const auto&) { return true; }});
  if (!inlined) {
    return inlined.take_diagnostics();
  }
  module_ = std::move(*inlined);
  for (ir::Function& function : module_->functions) {
    function = passes::promote_locals(*module_, function);
    function = passes::share_values(*module_, function);
  }
  kernel_ = module_->find_kernel();
  auto choice = choose(*module_, *kernel_, target_, options_);
  if (!choice) {
    return choice.take_diagnostics();
  }
  effort_ = choice->effort;
  stats.width = choice->width;
  stats.effort = kEffortNames[static_cast<std::size_t>(effort_)];
  stats.ir_ops = kernel_->op_count();
  const StageScope analyses(Stage::analyse);
  plan_ = lower::make_plan(*module_, *kernel_, choice->width, options_.form);
  plan_.interruptible = options_.interruptible && !plan_.suspends && !plan_.fission;
  stats.form = plan_.fission ? "fission" : plan_.suspends ? "coroutines" : "";
  return {};
}

void Compilation::lower() {
  const StageScope scope(Stage::lower);
  const auto level = effort_ == Effort::minimal ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  machine_ = make_target_machine(target_, level);
  out_ = std::make_unique<llvm::Module>(kernel_->name, context_);
  out_->setDataLayout(machine_->createDataLayout());
  out_->setTargetTriple(machine_->getTargetTriple());
  if (plan_.fission) {
    segments_ = lower::lower_segments(*out_, *module_, *kernel_, plan_);
  } else {
    packs_ = lower::lower_kernel(*out_, *module_, *kernel_, plan_);
  }
  check_llvm("lowering");
  for (const llvm::Function& f : *out_) {
    stats.llvm_instructions += f.getInstructionCount();
  }
}

void Compilation::assemble() {
  const StageScope scope(Stage::split);
  lower::SplitFunction full{.ramp = packs_.full};
  lower::SplitFunction partial{.ramp = packs_.partial};
  if (plan_.suspends) {
    split_coroutines(*out_, *machine_);
    lower::drop_keep_marks(*out_);
    const bool phases = lower::uses_phases(plan_, kernel_->op_count());
    full = lower::finish_split(*out_, packs_.full, phases);
    partial = lower::finish_split(*out_, packs_.partial, phases && plan_.width == 1);
  }
  if (plan_.fission) {
    lower::build_block_program(*out_, *kernel_, plan_, segments_);
  } else {
    lower::build_block_function(*out_, *kernel_, plan_, full, partial);
  }
  lower::build_kernel_info(*out_, *module_, *kernel_, plan_);
  link_device_library(*out_);
  set_target_attributes();
  check_llvm("assembling the block");
}

void Compilation::optimise() {
  const StageScope scope(Stage::optimise);
  jit::optimise(*out_, *machine_, effort_);
}

llvm::SmallVector<char, 0> Compilation::generate(llvm::CodeGenFileType type) {
  const StageScope scope(Stage::generate);
  llvm::SmallVector<char, 0> bytes = jit::generate(*out_, *machine_, effort_, type);
  stats.object_bytes = bytes.size();
  return bytes;
}

void Compilation::check_llvm(const char* stage) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const bool broken = llvm::verifyModule(*out_, &stream);
  WEFT_CHECK(!broken, "after {}: {}", stage, text);
}

void Compilation::set_target_attributes() {
  for (llvm::Function& f : *out_) {
    if (f.isDeclaration()) {
      continue;
    }
    f.addFnAttr("target-cpu", target_.cpu);
    f.addFnAttr("target-features", target_.features);
    if (target_.vector_bits >= 512) {
      f.addFnAttr("prefer-vector-width", "512");
    }
  }
}

Result<std::unique_ptr<Compilation>> start(const ir::Module& module, const CompileOptions& options) {
  auto target = resolve_target(options.cpu);
  if (!target) {
    return target.take_diagnostics();
  }
  auto compilation = std::make_unique<Compilation>(options, *target);
  DiagnosticList problems = compilation->prepare(module);
  if (problems.has_errors()) {
    return problems;
  }
  return compilation;
}

}  // namespace

Result<ObjectCode> compile(const ir::Module& module, const CompileOptions& options) {
  auto compilation = start(module, options);
  if (!compilation) {
    return compilation.take_diagnostics();
  }
  Compilation& c = **compilation;
  c.lower();
  c.assemble();
  c.optimise();
  const auto bytes = c.generate(llvm::CodeGenFileType::ObjectFile);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return ObjectCode{{begin, begin + bytes.size()}, c.stats};
}

Result<std::string> emit(const ir::Module& module, const CompileOptions& options, Output output) {
  auto compilation = start(module, options);
  if (!compilation) {
    return compilation.take_diagnostics();
  }
  Compilation& c = **compilation;
  if (output == Output::prepared_ir) {
    return c.prepared_text();
  }
  c.lower();
  if (output == Output::llvm) {
    return c.llvm_text();
  }
  c.assemble();
  c.optimise();
  if (output == Output::optimised_llvm) {
    return c.llvm_text();
  }
  const auto text = c.generate(llvm::CodeGenFileType::AssemblyFile);
  return std::string(text.begin(), text.end());
}

}  // namespace weft::jit
