// What the rules of the op families share while one op is checked.
#pragma once

#include <fmt/format.h>

#include "codegen/ir/verify/op_rules.h"

namespace weft::ir {

struct RuleContext {
  Module& module;
  const Function& function;
  const OpView& op;
  const OperandName& name;
  std::vector<TypeId> types;  // of the operands
  std::vector<OpProblem> problems;

  template <class... Args>
  void fail(fmt::format_string<Args...> format, Args&&... args) {
    problems.push_back({std::nullopt, fmt::format(format, std::forward<Args>(args)...)});
  }

  // Reports unless the condition holds, and returns it.
  template <class... Args>
  bool require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
    if (!condition) {
      fail(format, std::forward<Args>(args)...);
    }
    return condition;
  }

  // "store operand 2 (%n) has type u32, expected f32".
  void fail_operand(std::size_t index, std::string_view expected) {
    problems.push_back({index, fmt::format("{} operand {} ({}) has type {}, expected {}", info(op.code).text, index + 1,
                                           name(index), type_text(types[index]), expected)});
  }

  [[nodiscard]] std::string type_text(TypeId type) const { return module.types.text(type); }
};

// The immediates of parts and swizzles.
bool check_part(RuleContext& c);
bool check_components(RuleContext& c);

// By family: what the shape words cannot say. Operands have the number and types of the op table.
void check_convert(RuleContext& c);
void check_vector(RuleContext& c);
void check_aggregate(RuleContext& c);
void check_control(RuleContext& c);

}  // namespace weft::ir
