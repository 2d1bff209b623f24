// The text of one op: what stands behind `%name =`.
#include <fmt/format.h>

#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/parts.h"
#include "codegen/ir/text/print_function.h"
#include "codegen/ir/text/spelling.h"
#include "codegen/ir/text/syntax.h"
#include "codegen/ir/verify/op_rules.h"

namespace weft::ir {

namespace {

// Appends the data of a type, whose leaves begin at `leaf`, which moves behind them.
void append_data(std::string& out, TypeTable& types, TypeId type, const Constant& constant, std::size_t& leaf,
                 bool brackets) {
  if (is_scalar(types[type].kind)) {
    out += scalar_literal(types[type].kind, constant.leaves[leaf++]);
    return;
  }
  const std::uint64_t parts = types.part_count(type);
  out += brackets ? "[" : "";
  for (std::uint64_t i = 0; i < parts; ++i) {
    out += i == 0 ? "" : ", ";
    append_data(out, types, types.part(type, i), constant, leaf, true);
  }
  out += brackets ? "]" : "";
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    out += (out.empty() ? "" : ", ") + item;
  }
  return out;
}

}  // namespace

std::string data_text(TypeTable& types, const Constant& constant) {
  std::string out;
  std::size_t leaf = 0;
  append_data(out, types, constant.type, constant, leaf, false);
  return out;
}

TypeId FunctionPrinter::given_of(const Op& op) const { return view(m_, f_, op).given; }

std::string FunctionPrinter::op_text(const Op& op) {
  const OpInfo& i = info(op.code);
  std::string out(i.text);
  if (i.immediate == Immediate::dimension) {
    out += fmt::format(".{}", "xyz"[op.imm % 3]);
  }
  if (has_given_type(op.code)) {
    out += " " + types_.text(given_of(op));
  }
  out += symbol_text(op);
  const std::string operands = operands_text(op);
  if (i.immediate == Immediate::function) {
    return out + "(" + operands + ")";
  }
  return operands.empty() ? out : out + " " + operands;
}

std::string FunctionPrinter::symbol_text(const Op& op) const {
  switch (info(op.code).immediate) {
    case Immediate::function: return " @" + spelled(m_.function(FunctionId(op.imm)).name);
    case Immediate::global: return " @" + spelled(m_.globals[op.imm].name);
    case Immediate::spec: return " @" + spelled(m_.specs[op.imm].name);
    case Immediate::none:
    case Immediate::part:
    case Immediate::components:
    case Immediate::dimension:
    case Immediate::text:
    case Immediate::cases: return {};
  }
  return {};
}

std::string FunctionPrinter::operands_text(const Op& op) {
  const OpInfo& i = info(op.code);
  const bool part = i.immediate == Immediate::part || i.immediate == Immediate::components;
  std::vector<std::string> items;
  std::size_t next = 0;
  if (part || has_bracket_index(op.code)) {
    items.push_back(access_text(op));
    next = part ? 1 : 2;
  }
  for (; next < std::min<std::size_t>(i.operand_count, op.operand_count); ++next) {
    items.push_back(operand_text(op, next));
  }
  if (i.immediate == Immediate::text) {
    items.push_back(quoted(m_.string(StringId(op.imm))));
  }
  for (; next < op.operand_count; ++next) {
    items.push_back(operand_text(op, next));
  }
  return joined(items);
}

// Operand 1 with the part or index that the op takes of it.
std::string FunctionPrinter::access_text(const Op& op) {
  const std::string base = operand_text(op, 0);
  if (info(op.code).immediate == Immediate::components) {
    return base + "." + components_text(op.imm);
  }
  if (info(op.code).immediate == Immediate::part) {
    const TypeId type = f_.type(f_.operand(op, 0));
    const TypeId aggregate = types_[type].kind == TypeKind::reference ? types_[type].element : type;
    return base + "." + part_text(types_, aggregate, op.imm);
  }
  return base + "[" + operand_text(op, 1) + "]";
}

// An op written in the place of its use.
std::string FunctionPrinter::inline_text(const Op& op) {
  if (is_access(op.code)) {
    return access_text(op);
  }
  const std::string symbol = symbol_text(op);
  return symbol.empty() ? op_text(op) : symbol.substr(1);
}

std::string FunctionPrinter::operand_text(const Op& op, std::size_t index) {
  const ValueId v = f_.operand(op, index);
  if (const Constant* constant = m_.constant_of(f_, v)) {
    const bool bare = is_scalar(types_[constant->type].kind) && literal_type_of(op, index) == constant->type;
    return bare ? scalar_literal(types_[constant->type].kind, constant->leaves[0]) : constant_text(*constant);
  }
  const Op* definition = f_.definition(v);
  return definition != nullptr && names_[v.index].empty() ? inline_text(*definition) : names_[v.index];
}

std::string FunctionPrinter::constant_text(const Constant& constant) {
  const TypeKind kind = types_[constant.type].kind;
  if (kind == TypeKind::boolean) {
    return data_text(types_, constant);
  }
  if (!is_scalar(kind)) {
    return fmt::format("{}({})", types_.text(constant.type), data_text(types_, constant));
  }
  const std::string digits = scalar_literal(kind, constant.leaves[0]);
  return fmt::format("{}_{}", digits, scalar_text(kind));
}

// The type that the text gives a number as operand `index`: later numbers tell nothing, earlier ones have their type.
TypeId FunctionPrinter::literal_type_of(const Op& op, std::size_t index) {
  std::vector<TypeId> known;
  for (std::size_t i = 0; i < op.operand_count; ++i) {
    const ValueId v = f_.operand(op, i);
    const bool later_number = i >= index && f_.value(v).kind == ValueKind::constant;
    known.push_back(later_number ? TypeId() : f_.type(v));
  }
  return literal_type(types_, m_, f_, {op.code, known, op.imm, given_of(op)}, index);
}

}  // namespace weft::ir
