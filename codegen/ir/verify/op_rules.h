// The rules of one op by itself: number and types of its operands, what its immediate names, its result's type. Parser
// and verifier ask here, so that the same mistake is called the same.
//
// Not checked here: what depends on where the op stands (verify.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

// An op that is, or is about to be made.
struct OpView {
  OpCode code;
  std::span<const ValueId> operands;
  std::uint64_t imm = 0;
  TypeId given;  // the type in the text of ops that have one
};

// What an op of a function is as an OpView.
[[nodiscard]] OpView view(const Module& module, const Function& function, const Op& op);

struct OpProblem {
  std::optional<std::size_t> operand;  // the guilty one, if it is one
  std::string message;
};

// How a message calls operand `index`.
using OperandName = std::function<std::string(std::size_t index)>;

// All that is wrong. An op without problems has a result type by typing.h.
[[nodiscard]] std::vector<OpProblem> op_problems(Module& module, const Function& function, const OpView& op,
                                                 const OperandName& name);

// What a value is, for notes: "shared array<f32, 256>" or "u32".
[[nodiscard]] std::string declaration_text(const Module& module, const Function& function, ValueId value);

// The number of `{}` in a print's format; any other brace stands for itself.
[[nodiscard]] std::size_t print_placeholders(std::string_view format);

}  // namespace weft::ir
