// The LLVM passes that a kernel goes through, as two lists of verbs.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/jit/compile.h"

namespace weft::jit {

// Splits the module's coroutines, early: before any optimiser may move code across a suspend point.
void split_coroutines(llvm::Module& module, llvm::TargetMachine& machine);

// From the block function and what it calls to what the code generator is given.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort);

}  // namespace weft::jit
