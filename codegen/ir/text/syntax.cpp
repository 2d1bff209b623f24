#include "codegen/ir/text/syntax.h"

#include <algorithm>
#include <array>

#include "codegen/ir/typing.h"

namespace weft::ir {

namespace {

// The known type of an operand that must equal operand `index`.
TypeId twin_type(const LiteralContext& context, std::size_t index) {
  const OpInfo& op = info(context.code);
  const OperandShape twin = index == 0 ? OperandShape::same : OperandShape::same1;
  for (std::size_t i = index + 1; index < 2 && i < op.operand_count && i < context.operands.size(); ++i) {
    if (op.operands[i] == twin && context.operands[i].valid()) {
      return context.operands[i];
    }
  }
  return {};
}

TypeId rest_type(TypeTable& types, const Module& m, const Function& f, const LiteralContext& context,
                 std::size_t index) {
  switch (context.code) {
    case OpCode::make: return types.part(context.given, index);
    case OpCode::return_: return f.result_type != kVoid ? f.result_type : TypeId();
    case OpCode::call: {
      const Function& callee = m.function(FunctionId(context.imm));
      return index < callee.parameters.size() ? callee.type(callee.parameters[index].value) : TypeId();
    }
    default: return {};
  }
}

}  // namespace

bool has_bracket_index(OpCode code) {
  static constexpr std::array kIndexed{OperandShape::indexable, OperandShape::indexable_reference, OperandShape::buffer,
                                       OperandShape::byte_buffer};
  const OpInfo& op = info(code);
  return op.operand_count >= 2 && op.operands[1] == OperandShape::index &&
         std::find(kIndexed.begin(), kIndexed.end(), op.operands[0]) != kIndexed.end();
}

bool is_inline_op(OpCode code) {
  const OpInfo& op = info(code);
  return op.operand_count == 0 && !op.variadic && op.result != ResultShape::nothing && !has_given_type(code);
}

bool is_access(OpCode code) {
  const OpInfo& op = info(code);
  const bool part = op.immediate == Immediate::part || op.immediate == Immediate::components;
  return op.effect == Effect::pure && !has_given_type(code) &&
         ((part && op.operand_count == 1) || (has_bracket_index(code) && op.operand_count == 2));
}

TypeId literal_type(TypeTable& types, const Module& m, const Function& f, const LiteralContext& context,
                    std::size_t index) {
  const OpInfo& op = info(context.code);
  if (index >= op.operand_count) {
    return rest_type(types, m, f, context, index);
  }
  switch (op.operands[index]) {
    case OperandShape::index:
    case OperandShape::u32: return kU32;
    case OperandShape::bool_scalar: return kBool;
    case OperandShape::scalar: return context.code == OpCode::splat ? types.scalar_of(context.given) : TypeId();
    default: break;
  }
  const bool known = index > 0 && context.operands[0].valid();
  const auto expected = known ? expected_type(types, op.operands[index], context.operands, context.imm) : std::nullopt;
  return expected ? *expected : twin_type(context, index);
}

}  // namespace weft::ir
