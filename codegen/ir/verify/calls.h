// The calls of a function.
#pragma once

#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

// The call ops that stand in a region of the function, in any order.
[[nodiscard]] std::vector<OpId> calls_of(const Function& function);

// All functions of a module, each after those that it calls; there must be no recursion.
[[nodiscard]] std::vector<FunctionId> callees_first(const Module& module);

}  // namespace weft::ir
