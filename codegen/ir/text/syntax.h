// What printer and parser must agree on beyond the op table: the form of an op's operands, and the type that an op
// gives to a number without suffix.
#pragma once

#include <span>

#include "codegen/ir/module.h"

namespace weft::ir {

// How many ops may be written within each other: as many are printed so, and a few more are read.
inline constexpr std::uint32_t kMaxInlineDepth = 32;

// Whether operand 2 is written as an index of operand 1: `read %in[%i]`.
[[nodiscard]] bool has_bracket_index(OpCode code);

// Whether an op may be written as an operand of another, by its text alone: `dispatch_id.x`.
[[nodiscard]] bool is_inline_op(OpCode code);

// Whether an op is written as an access of its operand 1: `%tile[%i].x`.
[[nodiscard]] bool is_access(OpCode code);

// What decides the type of a number without suffix. Types of operands that are such numbers themselves are invalid.
struct LiteralContext {
  OpCode code;
  std::span<const TypeId> operands;
  std::uint64_t imm = 0;
  TypeId given;
};

// The type that the op gives to operand `index` if it is a number without suffix; invalid if it gives none.
[[nodiscard]] TypeId literal_type(TypeTable& types, const Module& module, const Function& function,
                                  const LiteralContext& context, std::size_t index);

}  // namespace weft::ir
