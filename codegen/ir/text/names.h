// The names of a function's values in the text form.
#pragma once

#include <string>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

// For each value its name with sigil; empty for constants and for results of ops in `inline_ops`, which are not
// written. A name that is visible already gets a number behind it; values without one are numbered in order.
[[nodiscard]] std::vector<std::string> value_names(const Module& module, const Function& function,
                                                   const std::vector<bool>& inline_ops);

}  // namespace weft::ir
