// Print, assert, unreachable.
#include <fmt/format.h>

#include "codegen/ir/verify/op_rules.h"
#include "dsl/operands.h"

namespace weft::dsl {

namespace {

// The k-th {} of a format becomes ({}, {}, {}) for a vector.
std::string expand_placeholders(std::string_view format, const std::vector<std::uint32_t>& components) {
  std::string result;
  std::size_t k = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (!format.substr(i).starts_with("{}")) {
      result += format[i];
      continue;
    }
    const std::uint32_t n = components[k++];
    std::string list = "{}";
    for (std::uint32_t c = 1; c < n; ++c) {
      list += ", {}";
    }
    result += n > 1 ? "(" + list + ")" : list;
    ++i;
  }
  return result;
}

}  // namespace

void record_assert(const Operand& condition, const char* message) {
  FunctionRecording& f = FunctionRecording::current("device_assert", condition.where);
  const ir::ValueId value = evaluate(f, condition);
  f.emit(ir::OpCode::assert_, {value}, condition.where, f.module().string(message).index);
}

void record_unreachable(const char* message, Where where) {
  FunctionRecording& f = FunctionRecording::current("unreachable", where);
  const ir::StringId text = f.module().string(message);
  f.emit(ir::OpCode::unreachable, {}, where, text.index);
  f.top().ended_by = "unreachable";
  f.top().ended_at = f.location(where);
}

void record_print(const char* format, Where where, std::initializer_list<Operand> operands) {
  FunctionRecording& f = FunctionRecording::current("print", where);
  if (const std::size_t expected = ir::print_placeholders(format); expected != operands.size()) {
    fail(where, fmt::format("print has {} value{} for {} place{} {{}} in its format", operands.size(),
                            operands.size() == 1 ? "" : "s", expected, expected == 1 ? "" : "s"));
  }
  std::vector<ir::ValueId> values;
  std::vector<std::uint32_t> components;
  for (const Operand& o : operands) {
    const ir::ValueId value = evaluate(f, o);
    const auto n = static_cast<std::uint32_t>(f.module().types.part_count(f.function().type(value)));
    components.push_back(n == 0 ? 1 : n);
    if (n == 0) {
      values.push_back(value);
    }
    for (std::uint32_t c = 0; c < n; ++c) {
      values.push_back(f.emit(ir::OpCode::extract, {value}, where, c));
    }
  }
  const ir::StringId text = f.module().string(expand_placeholders(format, components));
  f.emit(ir::OpCode::print, values, where, text.index);
}

}  // namespace weft::dsl
