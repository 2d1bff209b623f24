// The type rules behind the shape words of the op table.
//
// matches() says whether one operand fits its word; result_type() computes what an op's result is. Both are total:
// given operands that break the rules, result_type gives nothing. The verifier, the parser and the builder use these
// and nothing else.
#pragma once

#include <optional>
#include <span>

#include "codegen/ir/module.h"

namespace weft::ir {

// Whether operand `index` of an op has a type that the table allows, given all its operands' types.
[[nodiscard]] bool matches(TypeTable& types, OpCode code, std::size_t index, std::span<const TypeId> operands,
                           std::uint64_t imm);

// The type that a relative shape word (same, pointee_of, ...) asks for, if the word is relative and can be resolved.
[[nodiscard]] std::optional<TypeId> expected_type(TypeTable& types, OperandShape shape,
                                                  std::span<const TypeId> operands, std::uint64_t imm);

// Whether a shape word speaks of operand 1 or 2.
[[nodiscard]] bool is_relative(OperandShape shape);

// Whether a type is that of a value: a scalar, vector, matrix, array or struct.
[[nodiscard]] bool is_value_type(const TypeTable& types, TypeId type);

// The result's type; kVoid for none. `given` is the type written after ops that have one. Nothing if it does not
// follow, as when an operand breaks the table's rules.
[[nodiscard]] std::optional<TypeId> result_type(Module& module, OpCode code, std::span<const TypeId> operands,
                                                TypeId given, std::uint64_t imm);

}  // namespace weft::ir
