#include "codegen/ir/verify/op_rules.h"

#include <fmt/format.h>

#include "codegen/ir/typing.h"
#include "codegen/ir/verify/rule_context.h"

namespace weft::ir {

namespace {

std::string operand_words(RuleContext& c, std::size_t index) {
  const OperandShape shape = info(c.op.code).operands[index];
  const auto expected = expected_type(c.module.types, shape, c.types, c.op.imm);
  return expected ? c.module.types.text(*expected) : std::string(words(shape));
}

bool check_count(RuleContext& c) {
  const OpInfo& op = info(c.op.code);
  const std::size_t found = c.types.size();
  if (found < op.operand_count || (found > op.operand_count && !op.variadic)) {
    c.fail("{} has {} operand{}, expected {}{}", op.text, found, found == 1 ? "" : "s", op.variadic ? "at least " : "",
           op.operand_count);
    return false;
  }
  return true;
}

// A mismatch of operand 1 makes what others are compared with, so that the first one found is the only one reported.
bool check_operands(RuleContext& c) {
  for (std::size_t i = 0; i < info(c.op.code).operand_count; ++i) {
    if (!matches(c.module.types, c.op.code, i, c.types, c.op.imm)) {
      c.fail_operand(i, operand_words(c, i));
      return false;
    }
  }
  return true;
}

bool check_given(RuleContext& c) {
  if (has_given_type(c.op.code) && !is_value_type(c.module.types, c.op.given)) {
    c.fail("{} of {}: expected a value type", info(c.op.code).text,
           c.op.given.valid() ? c.module.types.text(c.op.given) : "nothing");
    return false;
  }
  return true;
}

bool check_immediate(RuleContext& c) {
  const OpInfo& op = info(c.op.code);
  switch (op.immediate) {
    case Immediate::none:
    case Immediate::text:
    case Immediate::cases: return true;
    case Immediate::part: return check_part(c);
    case Immediate::components: return check_components(c);
    case Immediate::dimension:
      return c.require(c.op.imm < 3, "{} has dimensions x, y and z, found {}", op.text, c.op.imm);
    case Immediate::function: return c.require(c.op.imm < c.module.functions.size(), "{} of no function", op.text);
    case Immediate::global: return c.require(c.op.imm < c.module.globals.size(), "{} of no constant data", op.text);
    case Immediate::spec:
      return c.require(c.op.imm < c.module.specs.size(), "{} of no specialisation constant", op.text);
  }
  return true;
}

void check_special(RuleContext& c) {
  switch (info(c.op.code).family) {
    case OpFamily::convert: return check_convert(c);
    case OpFamily::vector: return check_vector(c);
    case OpFamily::aggregate: return check_aggregate(c);
    case OpFamily::control: return check_control(c);
    case OpFamily::arith:
    case OpFamily::bits:
    case OpFamily::compare:
    case OpFamily::math:
    case OpFamily::memory:
    case OpFamily::atomic:
    case OpFamily::group:
    case OpFamily::warp: return;
  }
}

}  // namespace

OpView view(const Module& module, const Function& function, const Op& op) {
  TypeId given;
  if (has_given_type(op.code)) {
    const Type& result = module.types[op.type];
    given = info(op.code).result == ResultShape::given_reference ? result.element : op.type;
  }
  return {op.code, function.operands(op), op.imm, given};
}

std::string declaration_text(const Module& module, const Function& function, ValueId value) {
  const Op* op = function.definition(value);
  if (op != nullptr && info(op->code).result == ResultShape::given_reference) {
    return fmt::format("{} {}", info(op->code).text, module.types.text(view(module, function, *op).given));
  }
  return module.types.text(function.type(value));
}

std::vector<OpProblem> op_problems(Module& module, const Function& function, const OpView& op,
                                   const OperandName& name) {
  RuleContext c{module, function, op, name, {}, {}};
  for (const ValueId v : op.operands) {
    c.types.push_back(function.type(v));
  }
  if (check_count(c) && check_given(c) && check_operands(c) && check_immediate(c)) {
    check_special(c);
  }
  return std::move(c.problems);
}

}  // namespace weft::ir
