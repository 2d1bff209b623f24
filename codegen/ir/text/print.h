// Writes a module in its text form, which parse.h reads back to the same module: the same functions, ops, types,
// constants and attributes, and the same bytes when it is printed again.
//
// An op whose result has no name and is used once, by what follows it, is written in place: `load %tile[%lane].x`.
// Values without a name are numbered in order.
#pragma once

#include <string>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

struct PrintOptions {
  bool locations = false;  // ` at "file":line:column` behind each op that has a place
};

[[nodiscard]] std::string print(const Module& module, PrintOptions options = {});

// One function alone.
[[nodiscard]] std::string print(const Module& module, const Function& function, PrintOptions options = {});

// How the text calls each value of a function, by its id: "%name", "%12", or the text of the constant or the op that is
// written in its place.
[[nodiscard]] std::vector<std::string> value_texts(const Module& module, const Function& function,
                                                   PrintOptions options = {});

}  // namespace weft::ir
