// Rules of single ops that call, return and report.
#include "codegen/ir/verify/rule_context.h"

namespace weft::ir {

namespace {

void check_call(RuleContext& c) {
  const Function& callee = c.module.function(FunctionId(c.op.imm));
  if (!c.require(callee.kind == FunctionKind::callable, "call of kernel @{}: expected a callable", callee.name) ||
      !c.require(callee.parameters.size() == c.types.size(), "call of @{} has {} arguments, expected {}", callee.name,
                 c.types.size(), callee.parameters.size())) {
    return;
  }
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    if (const TypeId expected = callee.type(callee.parameters[i].value); expected != c.types[i]) {
      c.fail_operand(i, c.type_text(expected));
    }
  }
}

void check_return(RuleContext& c) {
  const TypeId expected = c.function.result_type;
  if (expected == kVoid) {
    c.require(c.types.empty(), "return with a value, @{} has no result", c.function.name);
    return;
  }
  if (c.require(c.types.size() == 1, "return with {} values, @{} has a result of type {}", c.types.size(),
                c.function.name, c.type_text(expected)) &&
      c.types[0] != expected) {
    c.fail_operand(0, c.type_text(expected));
  }
}

// What can be printed: scalars, vectors and matrices.
void check_print(RuleContext& c) {
  const std::size_t places = print_placeholders(c.module.string(StringId(c.op.imm)));
  c.require(places == c.types.size(), "print format has {} {{}}, found {} operands", places, c.types.size());
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    if (!c.module.types.scalar_of(c.types[i]).valid()) {
      c.fail_operand(i, "a scalar, vector or matrix");
    }
  }
}

}  // namespace

std::size_t print_placeholders(std::string_view format) {
  std::size_t count = 0;
  for (std::size_t at = format.find("{}"); at != std::string_view::npos; at = format.find("{}", at + 2)) {
    ++count;
  }
  return count;
}

void check_control(RuleContext& c) {
  if (c.op.code == OpCode::call) {
    check_call(c);
  } else if (c.op.code == OpCode::return_) {
    check_return(c);
  } else if (c.op.code == OpCode::print) {
    check_print(c);
  }
}

}  // namespace weft::ir
