// The reference of all ops, generated from the op table.
#pragma once

#include <string>

#include "codegen/ir/op.h"

namespace weft::ir {

// How an op is written, with a, b, c, d for its operands: "read a[b]", "cast TYPE a".
[[nodiscard]] std::string op_form(OpCode code);

// One Markdown table for each family: form, operands, result, kind and meaning.
[[nodiscard]] std::string op_reference();

}  // namespace weft::ir
