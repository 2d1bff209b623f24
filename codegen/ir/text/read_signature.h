// Reads the head of a function.
#pragma once

#include "codegen/ir/text/reader.h"

namespace weft::ir {

// What stands between the opening parenthesis of the parameters and the body: `%a: f32, %out: restrict buffer<f32>)
// block(64)`. `parameters` gets the token of each parameter's name. False if reading cannot go on behind it.
[[nodiscard]] bool read_signature(Reader& in, Module& module, Function& function, const Token& name,
                                  std::vector<Token>& parameters);

}  // namespace weft::ir
