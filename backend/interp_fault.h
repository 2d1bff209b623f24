// What the interpreter found wrong, as the runtime reports it.
#pragma once

#include "codegen/interp/machine.h"
#include "codegen/ir/module.h"
#include "runtime/fault.h"

namespace weft::backend {

// Without dispatch_lanes.
runtime::KernelFault to_kernel_fault(const ir::Module& module, const std::string& kernel, const interp::Fault& fault);

}  // namespace weft::backend
