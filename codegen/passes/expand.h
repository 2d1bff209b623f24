// Replaces every op of kind `expand` (but spec, see specialise.h) by its expansion into ops of the other kinds, and
// the vectors and matrices that are printed by their components: (1, 2, 3).
#pragma once

#include "codegen/ir/module.h"

namespace weft::passes {

[[nodiscard]] ir::Function expand(ir::Module& module, const ir::Function& from);

}  // namespace weft::passes
