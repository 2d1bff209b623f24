// Numbers as operands: their type follows from the op, once its other operands are known.
#include <fmt/format.h>

#include "codegen/ir/text/body_reader.h"
#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/read_type.h"
#include "codegen/ir/text/syntax.h"

namespace weft::ir {

// False if an operand has no value.
bool BodyReader::resolve_literals(Statement& s) {
  std::vector<TypeId> types;
  for (const Operand& operand : s.operands) {
    types.push_back(operand.value.valid() ? type_of(operand)
                    : operand.literal     ? split_literal(operand.literal->text).suffix
                                          : TypeId());
  }
  bool dropped = false;
  for (const Operand& operand : s.operands) {
    dropped |= operand.dropped;
  }
  for (std::size_t i = 0; i < s.operands.size(); ++i) {
    Operand& operand = s.operands[i];
    if (!operand.literal || (dropped && !types[i].valid())) {
      continue;
    }
    const TypeId type =
        types[i].valid() ? types[i] : literal_type(m_.types, m_, f_, {s.code, types, s.imm, s.given}, i);
    if (!resolve_literal(operand, type)) {
      return false;
    }
    types[i] = type_of(operand);
  }
  return !dropped;
}

// Makes the constant of a number. A number where a vector or matrix is expected stands in each of its components.
bool BodyReader::resolve_literal(Operand& operand, TypeId type) {
  const Token& token = *operand.literal;
  const Literal literal = split_literal(token.text);
  if (!type.valid() && (literal.digits == "true" || literal.digits == "false")) {
    type = kBool;
  }
  if (!type.valid() && !literal.bad_suffix) {
    in_.error(token, fmt::format("type of {0} does not follow from the op; write it behind, as in {1}_f32 or {1}_u32",
                                 describe(token), token.text));
    return false;
  }
  const TypeId scalar = type.valid() ? m_.types.scalar_of(type) : kU32;
  if (!scalar.valid()) {
    in_.error(token, fmt::format("expected {}, found {}", m_.types.text(type), describe(token)));
    return false;
  }
  const auto bits = read_literal(in_, token, m_.types, scalar);
  if (!bits) {
    return false;
  }
  std::vector<std::uint64_t> leaves(m_.types[type].leaf_count, *bits);
  operand.value = f_.constant(m_.constant({type, std::move(leaves)}), type);
  operand.literal.reset();
  return true;
}

}  // namespace weft::ir
