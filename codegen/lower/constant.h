// Constants of the IR as LLVM constants.
#pragma once

#include <llvm/IR/Constants.h>

#include <vector>

#include "codegen/lower/emitter.h"

namespace weft::lower {

// A scalar from its bits.
[[nodiscard]] llvm::Constant* scalar_constant(Emitter& e, ir::TypeKind kind, std::uint64_t bits);

// The leaves of a constant, as scalars.
[[nodiscard]] std::vector<llvm::Value*> constant_leaves(Emitter& e, const ir::Constant& constant);

// The bytes of a constant in memory, by its type's layout.
[[nodiscard]] std::vector<std::uint8_t> constant_bytes(Emitter& e, const ir::Constant& constant);

}  // namespace weft::lower
