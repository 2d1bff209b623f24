// One compilation as its stages; compile.h is what others see of it.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/jit/compile.h"
#include "codegen/jit/inspect.h"
#include "codegen/lower/debug_info.h"
#include "codegen/lower/kernel.h"
#include "codegen/lower/segments.h"

namespace weft::jit {

// One compilation, stage by stage; each stage may be the last that is asked for.
class Compilation {
 public:
  // Prepares the kernel. What is wrong with the options or the kernel is a diagnostic. The options must live as long;
  // `remarks`, if not null, is told what the lowering decides.
  [[nodiscard]] static Result<std::unique_ptr<Compilation>> start(const ir::Module& module,
                                                                  const CompileOptions& options,
                                                                  lower::RemarkSink* remarks = nullptr);

  // From here on there is an LLVM module with pack functions, not yet split.
  void lower();
  // From here on no value crosses a barrier in a register, and the block function calls all there is.
  void assemble();
  void optimise();
  [[nodiscard]] llvm::SmallVector<char, 0> generate(llvm::CodeGenFileType type);

  [[nodiscard]] std::string prepared_text() const;
  [[nodiscard]] std::string llvm_text() const;
  [[nodiscard]] const ir::Module& module() const { return *module_; }
  [[nodiscard]] const ir::Function& kernel() const { return *kernel_; }
  [[nodiscard]] const lower::KernelPlan& plan() const { return plan_; }
  // The values that suspended packs keep beside their variables, with their bytes; known once the block is assembled,
  // where remarks were asked for.
  [[nodiscard]] std::map<ir::ValueId, std::uint64_t> spilled_values() const;
  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] const std::string& width_reason() const { return width_reason_; }
  CompileStats stats;

 private:
  Compilation(const CompileOptions& options, Target target) : options_(options), target_(std::move(target)) {}

  // From here on the kernel is prepared and has no calls: the module is ours to change.
  DiagnosticList prepare(const ir::Module& source);
  void check_llvm(const char* stage) const;
  void set_target_attributes();

  const CompileOptions& options_;
  const Inspection inspection_;
  Target target_;
  std::unique_ptr<ir::Module> module_;
  const ir::Function* kernel_ = nullptr;
  Effort effort_ = Effort::full;
  std::string width_reason_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> out_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<lower::DebugInfo> debug_info_;  // null unless it is asked for
  lower::KernelPlan plan_;
  lower::PackFunctions packs_;       // of a kernel that is not cut
  lower::SegmentVersions segments_;  // of one that is
};

}  // namespace weft::jit
