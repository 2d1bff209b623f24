// The stages of a compilation: prepare, inline, plan, lower, split, build the block, optimise, generate.
#include "codegen/jit/compilation.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>

#include "codegen/ir/text/print.h"
#include "codegen/jit/choose.h"
#include "codegen/jit/device_library.h"
#include "codegen/jit/generate.h"
#include "codegen/jit/pipeline.h"
#include "codegen/jit/target.h"
#include "codegen/lower/block.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/emitter.h"
#include "codegen/passes/inline_callables.h"
#include "codegen/passes/prepare.h"
#include "codegen/passes/promote_locals.h"
#include "codegen/passes/share_values.h"
#include "runtime/support/check.h"
#include "runtime/support/stage_times.h"

namespace weft::jit {

DiagnosticList Compilation::prepare(const ir::Module& source) {
  const StageScope scope(Stage::prepare);
  passes::PrepareOptions prepare{.math = options_.math, .unchecked = options_.unchecked};
  prepare.spec_values = spec_values(source, options_.specs);
  auto prepared = passes::prepare(source, options_.kernel, prepare);
  if (!prepared) {
    return prepared.take_diagnostics();
  }
  inspection_.verify("prepare", **prepared);
  auto inlined =
      passes::inline_callables(**prepared, {.wanted = [](const auto&, const auto&, const auto&) { return true; }});
  if (!inlined) {
    return inlined.take_diagnostics();
  }
  module_ = std::move(*inlined);
  inspection_.verify("inline_callables", *module_);
  for (ir::Function& function : module_->functions) {
    function = passes::promote_locals(*module_, function);
    inspection_.verify("promote_locals", *module_);
    function = passes::share_values(*module_, function);
    inspection_.verify("share_values", *module_);
  }
  kernel_ = module_->find_kernel();
  inspection_.dump(Stage::prepare, kernel_->name, [&] { return prepared_text(); });
  auto choice = choose(*module_, *kernel_, target_, options_);
  if (!choice) {
    return choice.take_diagnostics();
  }
  effort_ = choice->effort;
  width_reason_ = choice->width_reason;
  stats.width = choice->width;
  stats.effort = kEffortNames[static_cast<std::size_t>(effort_)];
  stats.ir_ops = kernel_->op_count();
  const StageScope analyses(Stage::analyse);
  plan_ = lower::make_plan(*module_, *kernel_, choice->width, options_.form);
  plan_.interruptible = options_.interruptible && (plan_.cooperative || !plan_.suspends) && !plan_.fission;
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
  if (options_.debug_info) {
    debug_info_ = std::make_unique<lower::DebugInfo>(*out_, *module_, *kernel_);
    plan_.debug_info = debug_info_.get();
  }
  if (plan_.fission) {
    segments_ = lower::lower_segments(*out_, *module_, *kernel_, plan_);
  } else {
    packs_ = lower::lower_kernel(*out_, *module_, *kernel_, plan_);
  }
  check_llvm("lowering");
  inspection_.dump(Stage::lower, kernel_->name, [&] { return llvm_text(); });
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
  if (debug_info_ != nullptr) {
    debug_info_->finish();
  }
  lower::build_kernel_info(*out_, *module_, *kernel_, plan_);
  link_device_library(*out_);
  set_target_attributes();
  check_llvm("assembling the block");
  inspection_.dump(Stage::split, kernel_->name, [&] { return llvm_text(); });
}

void Compilation::optimise() {
  const StageScope scope(Stage::optimise);
  jit::optimise(*out_, *machine_, effort_);
  inspection_.dump(Stage::optimise, kernel_->name, [&] { return llvm_text(); });
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

std::map<ir::ValueId, std::uint64_t> Compilation::spilled_values() const {
  std::map<std::string, std::pair<ir::ValueId, std::uint64_t>> spills;  // by LLVM's name: both versions have it
  for (const llvm::Function& function : *out_) {
    for (const llvm::Instruction& i : llvm::instructions(function)) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
      llvm::StringRef name = store != nullptr ? store->getPointerOperand()->getName() : "";
      std::uint32_t value = 0;
      if (!name.contains(".spill.addr") || !name.consume_front(lower::kValueName) || name.consumeInteger(10, value)) {
        continue;
      }
      const std::uint64_t bytes = out_->getDataLayout().getTypeAllocSize(store->getValueOperand()->getType());
      spills[name.str()] = {ir::ValueId(value), bytes};
    }
  }
  std::map<ir::ValueId, std::uint64_t> values;
  for (const auto& [name, spill] : spills) {
    values[spill.first] += spill.second;
  }
  return values;
}

std::string Compilation::prepared_text() const { return ir::print(*module_); }

std::string Compilation::llvm_text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  out_->print(stream, nullptr);
  return text;
}

Result<std::unique_ptr<Compilation>> Compilation::start(const ir::Module& module, const CompileOptions& options,
                                                        lower::RemarkSink* remarks) {
  auto target = resolve_target(options.cpu);
  if (!target) {
    return target.take_diagnostics();
  }
  std::unique_ptr<Compilation> compilation(new Compilation(options, *target));
  DiagnosticList problems = compilation->prepare(module);
  if (problems.has_errors()) {
    return problems;
  }
  compilation->plan_.remarks = remarks;
  return compilation;
}

}  // namespace weft::jit
