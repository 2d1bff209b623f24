// The processor that code is made for.
#pragma once

#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "codegen/jit/compile.h"

namespace weft::jit {

// A new target machine for a checked target; not shared between threads.
[[nodiscard]] std::unique_ptr<llvm::TargetMachine> make_target_machine(const Target& target,
                                                                       llvm::CodeGenOptLevel level);

}  // namespace weft::jit
