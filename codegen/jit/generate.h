// LLVM's code generator.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/jit/compile.h"

namespace weft::jit {

// An object or assembly file of the module, which is used up.
[[nodiscard]] llvm::SmallVector<char, 0> generate(llvm::Module& module, llvm::TargetMachine& machine, Effort effort,
                                                  llvm::CodeGenFileType type);

}  // namespace weft::jit
