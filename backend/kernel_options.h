// Options of the C interface as the compiler's parts want them.
#pragma once

#include "codegen/ir/module.h"
#include "codegen/passes/prepare.h"

#include <weft/backend.h>

#include <cstdint>
#include <map>
#include <optional>

namespace weft::backend {

std::optional<ir::MathMode> math_mode(const WeftKernelOptions& options);
std::optional<bool> unchecked(const WeftKernelOptions& options);
std::map<std::uint32_t, std::uint64_t> spec_bits(const WeftKernelOptions& options);

// The values of specialisation constants take the types that they have in the module.
passes::PrepareOptions prepare_options(const ir::Module& module, const WeftKernelOptions& options);

}  // namespace weft::backend
