// Puts the body of a callable in the place of one call; see inline_callables.h for what becomes of its returns.
#pragma once

#include <span>

#include "codegen/ir/builder.h"

namespace weft::passes {

// Appends the body at the builder's place and leaves the builder in the same region, after it. The callee's tables are
// the builder's module's. Returns the call's result, an invalid id for a callable without one.
ir::ValueId inline_body(const ir::Function& callee, std::span<const ir::ValueId> arguments, ir::Builder& builder);

}  // namespace weft::passes
