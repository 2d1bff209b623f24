// Proofs that an index is in range: bounds of integer values that follow from their expression alone.
#pragma once

#include <cstdint>
#include <optional>

#include "codegen/ir/module.h"

namespace weft::lower {

// A bound that a value, read as an unsigned number of its width, never exceeds; nothing if none is known. Looks a fixed
// number of steps into the expression.
[[nodiscard]] std::optional<std::uint64_t> upper_bound(const ir::Module& module, const ir::Function& function,
                                                       ir::ValueId value);

}  // namespace weft::lower
