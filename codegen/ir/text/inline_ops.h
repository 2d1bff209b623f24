// Which ops the text form writes as operands of the op that uses them.
#pragma once

#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

// For each op of a function, whether it is written in the place of its use. Such an op has no name, one use, in an op
// of the same region, and stands where reading that use makes it again. With `same_place`, it also comes from the same
// place in the source, which the text says once for both.
[[nodiscard]] std::vector<bool> find_inline_ops(const Function& function, bool same_place);

}  // namespace weft::ir
