// One op of a function's body: its operands in the form that the op table gives, checks, and the op itself.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/ir/text/body_reader.h"
#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/read_type.h"
#include "codegen/ir/text/spelling.h"
#include "codegen/ir/text/syntax.h"
#include "codegen/ir/typing.h"
#include "codegen/ir/verify/op_rules.h"
#include "runtime/support/check.h"
#include "runtime/support/suggest.h"

namespace weft::ir {

namespace {

template <class Items, class Name>
std::string suggest_name(std::string_view name, const Items& items, Name get) {
  std::vector<std::string_view> known;
  for (const auto& item : items) {
    known.push_back(get(item));
  }
  return did_you_mean(name, known);
}

template <class Items>
std::optional<std::size_t> find_named(const Items& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? std::nullopt : std::optional<std::size_t>(found - items.begin());
}

}  // namespace

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
  std::optional<std::size_t> found;
  std::string suggestion;
  const auto find = [&](const auto& items) {
    found = find_named(items, *name);
    suggestion = suggest_name(*name, items, [](const auto& item) { return std::string_view(item.name); });
  };
  switch (info(s.code).immediate) {
    case Immediate::function: find(m_.functions); break;
    case Immediate::global: find(m_.globals); break;
    default: find(m_.specs); break;
  }
  if (!found) {
    in_.error(token, fmt::format("undefined {} {}{}", info(s.code).text == "call" ? "callable" : info(s.code).text,
                                 describe(token), suggestion));
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

// Whether the op can be made. Errors are reported, but for operands whose own errors already were.
bool BodyReader::check(Statement& s) {
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
