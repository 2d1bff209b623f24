// The device library's bitcode, linked into a kernel's module as far as it is used.
#pragma once

#include <llvm/IR/Module.h>

namespace weft::jit {

// Adds the definitions of the device functions that the module calls, and what those call, as internal functions.
void link_device_library(llvm::Module& module);

}  // namespace weft::jit
