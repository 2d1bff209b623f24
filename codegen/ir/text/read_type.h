// Reads types and constants of the text form.
#pragma once

#include "codegen/ir/module.h"
#include "codegen/ir/text/reader.h"

namespace weft::ir {

// A type; invalid after an error, which was reported.
[[nodiscard]] TypeId read_type(Reader& in, TypeTable& types);

// Whether a type may begin at the next token: a type word or a struct's name.
[[nodiscard]] bool at_type(const Reader& in, const TypeTable& types);

// Data of a type: a number for a scalar, else the parts in order in brackets, as `[[0.0, 1.0], [2.0, 3.0]]`. Appends
// its leaves; false after an error.
[[nodiscard]] bool read_data(Reader& in, TypeTable& types, TypeId type, std::vector<std::uint64_t>& leaves);

// The same in parentheses, as written after the type of a constant operand: `vec<f32, 3>(0.0, 1.0, 2.0)`.
[[nodiscard]] bool read_data_in_parentheses(Reader& in, TypeTable& types, TypeId type,
                                            std::vector<std::uint64_t>& leaves);

// The bits of a literal token as a scalar of `type`; nothing after an error.
[[nodiscard]] std::optional<std::uint64_t> read_literal(Reader& in, const Token& token, const TypeTable& types,
                                                        TypeId type);

// ` at "file":line:column`, if it follows; false after an error.
[[nodiscard]] bool read_place(Reader& in, Module& module, Location& location);

}  // namespace weft::ir
