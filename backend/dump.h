// WEFT_DUMP_KERNELS: every kernel that a device compiles is written to a folder as a .weft file that weftc takes.
#pragma once

#include "backend/module_handle.h"

#include <weft/shader.h>

namespace weft::backend {

// Does nothing unless WEFT_DUMP_KERNELS names a folder, which is made if need be. The file holds what the options say
// of the kernel (math, checks, values of specialisation constants), so that it gives the same results without them.
// Equal kernels are one file, different ones never. A failure is logged as a warning;
// CompileError is thrown if the module is wrong.
void dump_kernel(const WeftModule& module, const ShaderOptions& options);

}  // namespace weft::backend
