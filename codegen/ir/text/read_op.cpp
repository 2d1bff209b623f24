// One op of a function's body: its operands in the form that the op table gives, checks, and the op itself.
#include <fmt/format.h>

#include "codegen/ir/text/body_reader.h"
#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/read_type.h"
#include "codegen/ir/text/spelling.h"
#include "codegen/ir/text/syntax.h"
#include "codegen/ir/typing.h"
#include "codegen/ir/verify/op_rules.h"
#include "runtime/support/check.h"

namespace weft::ir {

bool BodyReader::read_op(Statement& s) {
  if (!read_operands(s) || !read_location(s)) {
    return false;
  }
  const bool good = check(s);
  const ValueId value = good ? append(s) : ValueId();
  if (!s.result) {
    return true;
  }
  if (good && !value.valid()) {
    in_.error(*s.result, fmt::format("{} gives no result", info(s.code).text));
  }
  declare(*s.result, value);
  return true;
}

bool BodyReader::read_operands(Statement& s) {
  const OpInfo& op = info(s.code);
  if (op.immediate == Immediate::dimension) {
    const auto dimension = read_dimension(s.code);
    s.imm = dimension.value_or(0);
    return dimension.has_value();
  }
  if (has_given_type(s.code)) {
    s.given = read_type(in_, m_.types);
    if (!s.given.valid()) {
      return false;
    }
  }
  const bool symbol =
      op.immediate == Immediate::function || op.immediate == Immediate::global || op.immediate == Immediate::spec;
  if (symbol && !read_symbol(s)) {
    return false;
  }
  if (op.immediate == Immediate::function) {
    return read_call_arguments(s);
  }
  return read_fixed_operands(s) && (op.immediate != Immediate::text || read_text(s)) && (!op.variadic || read_rest(s));
}

bool BodyReader::read_symbol(Statement& s) {
  const Token token = in_.peek();
  const auto name = in_.expect_name(TokenKind::symbol, fmt::format("a name (as @name) after {}", info(s.code).text));
  if (!name) {
    return false;
  }
  const Immediate kind = info(s.code).immediate;
  const auto found = symbols_.find(kind, *name);
  if (!found) {
    in_.error(token, fmt::format("undefined {} {}{}", kind == Immediate::function ? "callable" : info(s.code).text,
                                 describe(token), symbols_.suggestion(kind, *name)));
    return false;
  }
  s.imm = *found;
  return true;
}

bool BodyReader::read_fixed_operands(Statement& s) {
  const OpInfo& op = info(s.code);
  const bool owns_access =
      op.immediate == Immediate::part || op.immediate == Immediate::components || has_bracket_index(s.code);
  for (std::size_t i = 0; i < op.operand_count; i = s.operands.size()) {
    if (i > 0 && !in_.expect(",", fmt::format("before operand {} of {}, {}", i + 1, op.text, words(op.operands[i])))) {
      return false;
    }
    if (i > 0) {
      in_.skip_newlines();
    }
    std::optional<Access> access;
    auto operand = i == 0 && owns_access ? read_base(&access) : read_operand();
    if (!operand) {
      return false;
    }
    s.operands.push_back(std::move(*operand));
    if (i == 0 && owns_access && !read_last_access(s, std::move(access))) {
      return false;
    }
  }
  return true;
}

// The access that belongs to the op itself: its part, or its operand 2.
bool BodyReader::read_last_access(Statement& s, std::optional<Access> access) {
  const OpInfo& op = info(s.code);
  const bool indexed = has_bracket_index(s.code);
  if (!access || access->index.has_value() != indexed) {
    in_.error(access ? access->place : s.operands[0].place,
              fmt::format("{0} needs {1}, as in `{0} {2}`", op.text, indexed ? "an index" : "a part",
                          indexed                                 ? "%a[%i]"
                          : op.immediate == Immediate::components ? "%a.zyx"
                                                                  : "%a.x"));
    return false;
  }
  if (indexed) {
    s.operands.push_back(std::move(*access->index));
    return true;
  }
  const Operand& base = s.operands[0];
  if (!base.value.valid()) {
    return base.dropped;
  }
  const Type& type = m_.types[type_of(base)];
  const TypeId aggregate = type.kind == TypeKind::reference ? type.element : type_of(base);
  const auto part = part_of(aggregate, access->token, op.immediate == Immediate::components);
  s.imm = part.value_or(0);
  return part.has_value();
}

bool BodyReader::read_text(Statement& s) {
  if (!s.operands.empty() && !in_.expect(",", fmt::format("before the message of {}", info(s.code).text))) {
    return false;
  }
  const auto text = in_.expect_string(fmt::format("the message of {} in quotes", info(s.code).text));
  s.imm = text ? m_.string(*text).index : 0;
  return text.has_value();
}

bool BodyReader::read_rest(Statement& s) {
  const bool listed = !s.operands.empty() || info(s.code).immediate == Immediate::text;
  const auto at_place = [&] { return in_.at("at") && in_.peek(1).kind == TokenKind::string; };
  bool more = listed ? in_.accept(",") : !in_.at_statement_end() && !at_place();
  for (; more; more = in_.accept(",")) {
    in_.skip_newlines();
    auto operand = read_operand();
    if (!operand) {
      return false;
    }
    s.operands.push_back(std::move(*operand));
  }
  return true;
}

bool BodyReader::read_call_arguments(Statement& s) {
  if (!in_.expect("(", "before the arguments")) {
    return false;
  }
  return in_.read_list(")", "after the arguments", [&] {
    auto operand = read_operand();
    if (operand) {
      s.operands.push_back(std::move(*operand));
    }
    return operand.has_value();
  });
}

// Ops that the statement's operands made come from the same place.
bool BodyReader::read_location(Statement& s) {
  if (!read_place(in_, m_, location_)) {
    return false;
  }
  for (std::size_t i = s.first_op; i < f_.op_count(); ++i) {
    f_.op(OpId(i)).location = location_;
  }
  return true;
}

// Whether the op can be made. Errors are reported, but for operands and callables whose own errors already
// were.
bool BodyReader::check(Statement& s) {
  if (s.code == OpCode::call && !m_.function(FunctionId(s.imm)).result_type.valid()) {
    return false;
  }
  if (!resolve_literals(s)) {
    return false;
  }
  std::vector<ValueId> values;
  for (const Operand& operand : s.operands) {
    values.push_back(operand.value);
  }
  const auto name = [&](std::size_t i) { return std::string(s.operands[i].text); };
  std::vector<OpProblem> problems = op_problems(m_, f_, {s.code, values, s.imm, s.given}, name);
  for (OpProblem& problem : problems) {
    const Operand* operand = problem.operand ? &s.operands[*problem.operand] : nullptr;
    Diagnostic& error =
        in_.error(operand != nullptr ? operand->place : in_.place_from(s.word), std::move(problem.message));
    if (operand != nullptr) {
      note_declarations(error, s, *problem.operand);
    }
  }
  return problems.empty();
}

// Where a guilty operand was declared, and where operand 1, if that decides what was expected.
void BodyReader::note_declarations(Diagnostic& error, const Statement& s, std::size_t index) {
  const OpInfo& op = info(s.code);
  const auto note = [&](const Token& name) {
    const Scope::Entry* entry = scope_.find(name.text);
    if (entry != nullptr && entry->value.valid()) {
      error.note(in_.place(entry->declared),
                 fmt::format("{} is declared as {}", name.text, declaration_text(m_, f_, entry->value)));
    }
  };
  if (s.operands[index].text == s.operands[index].first.text) {
    note(s.operands[index].first);
  }
  if (index > 0 && index < op.operand_count && is_relative(op.operands[index])) {
    note(s.operands[0].first);
  }
}

ValueId BodyReader::append(Statement& s) {
  std::vector<ValueId> values;
  std::vector<TypeId> types;
  for (const Operand& operand : s.operands) {
    values.push_back(operand.value);
    types.push_back(type_of(operand));
  }
  const auto type = result_type(m_, s.code, types, s.given, s.imm);
  WEFT_CHECK(type.has_value(), "{} passed its rules but has no result type", info(s.code).text);
  return f_.op(f_.append(region_, s.code, *type, values, s.imm, 0, location_)).result;
}

// A name made twice keeps its first value. Numbers name values in the text only.
void BodyReader::declare(const Token& token, ValueId value) {
  const Scope::Entry* first = scope_.find(token.text);
  if (first != nullptr && first->value.valid()) {
    in_.error(token, fmt::format("{} is defined twice", token.text))
        .note(in_.place(first->declared), "it is defined here first");
    return;
  }
  scope_.declare(token.text, {value, token});
  const bool numbered = token.text.size() > 1 && token.text[1] >= '0' && token.text[1] <= '9';
  const auto name = name_of(token.text.substr(1));
  if (value.valid() && !numbered && name) {
    f_.value(value).name = m_.string(*name);
  }
}

}  // namespace weft::ir
