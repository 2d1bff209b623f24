#include "codegen/jit/generate.h"

#include <llvm/CodeGen/CodeGenTargetMachineImpl.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetLoweringObjectFile.h>

#include "runtime/support/check.h"

namespace weft::jit {

namespace {

// The passes from LLVM IR to a file, as the target has them, but for those that `effort` leaves out. LLVM's own way to
// make this list gives no chance to.
void add_passes(llvm::legacy::PassManager& passes, llvm::CodeGenTargetMachineImpl& machine, Effort effort,
                llvm::raw_pwrite_stream& out, llvm::CodeGenFileType type) {
  llvm::TargetPassConfig* config = machine.createPassConfig(passes);
  if (effort != Effort::full) {
    // Scheduling takes time by the square of a block's length.
    config->disablePass(&llvm::MachineSchedulerID);
    config->disablePass(&llvm::PostRASchedulerID);
  }
  config->setDisableVerify(true);
  passes.add(config);
  auto* info = new llvm::MachineModuleInfoWrapperPass(&machine);
  passes.add(info);
  const bool failed = config->addISelPasses();
  WEFT_CHECK(!failed, "the target selects no instructions");
  config->addMachinePasses();
  config->setInitialized();
  const bool cannot_print = machine.addAsmPrinter(passes, out, nullptr, type, info->getMMI().getContext());
  WEFT_CHECK(!cannot_print, "the target cannot emit this kind of file");
  passes.add(llvm::createFreeMachineFunctionPass());
}

}  // namespace

llvm::SmallVector<char, 0> generate(llvm::Module& module, llvm::TargetMachine& machine, Effort effort,
                                    llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  add_passes(passes, static_cast<llvm::CodeGenTargetMachineImpl&>(machine), effort, stream, type);
  passes.run(module);
  return bytes;
}

}  // namespace weft::jit
