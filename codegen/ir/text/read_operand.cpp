// Operands of a statement: values, numbers, constants, ops without operands, and accesses to parts of any of these.
#include <fmt/format.h>

#include "codegen/ir/text/body_reader.h"
#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/parts.h"
#include "codegen/ir/text/read_type.h"
#include "codegen/ir/text/syntax.h"
#include "codegen/ir/typing.h"
#include "runtime/support/suggest.h"

namespace weft::ir {

namespace {

constexpr std::uint32_t kMaxOperandDepth = 2 * kMaxInlineDepth;

}  // namespace

std::optional<BodyReader::Operand> BodyReader::read_operand() {
  if (operand_depth_ == kMaxOperandDepth) {
    in_.error(in_.peek(), fmt::format("operands are nested more than {} deep", kMaxOperandDepth));
    return std::nullopt;
  }
  ++operand_depth_;
  auto operand = read_base(nullptr);
  --operand_depth_;
  return operand;
}

// Each access is applied once the next is seen, so that the last can be left to the op.
std::optional<BodyReader::Operand> BodyReader::read_base(std::optional<Access>* last) {
  Operand operand{.first = in_.peek()};
  if (!read_primary(operand)) {
    return std::nullopt;
  }
  std::optional<Access> pending;
  const auto finish = [&] {
    operand.place = in_.place_from(operand.first);
    operand.text = in_.text_from(operand.first);
  };
  finish();
  while (in_.at(".") || in_.at("[")) {
    if (pending && !apply(operand, *pending)) {
      return std::nullopt;
    }
    finish();
    pending = read_access();
    if (!pending) {
      return std::nullopt;
    }
  }
  if (last != nullptr) {
    *last = std::move(pending);
    return operand;
  }
  if (pending && !apply(operand, *pending)) {
    return std::nullopt;
  }
  finish();
  return operand;
}

bool BodyReader::read_primary(Operand& operand) {
  const Token& token = in_.peek();
  if (token.kind == TokenKind::value) {
    return read_value(operand);
  }
  if (token.kind == TokenKind::symbol) {
    return read_inline_symbol(operand);
  }
  if (token.kind == TokenKind::number || (token.kind == TokenKind::word && is_literal_word(token.text))) {
    operand.literal = in_.take();
    return true;
  }
  const std::string_view next = in_.peek(1).text;
  if ((next == "(" || next == "<") && at_type(in_, m_.types)) {
    return read_constant(operand);
  }
  if (token.kind == TokenKind::word && find_op(token.text)) {
    return read_inline_op(operand);
  }
  in_.expected("a value");
  return false;
}

bool BodyReader::read_value(Operand& operand) {
  const Token token = in_.take();
  const Scope::Entry* entry = scope_.find(token.text);
  if (entry != nullptr) {
    operand.value = entry->value;
    operand.dropped = !entry->value.valid();
    return true;
  }
  operand.dropped = true;
  if (const Scope::Entry* ended = scope_.find_ended(token.text)) {
    in_.error(token, fmt::format("{} is not visible here", token.text))
        .note(in_.place(ended->declared), "it is defined here, in a region that has ended");
  } else {
    in_.error(token, fmt::format("undefined value {}{}", token.text, did_you_mean(token.text, scope_.recent_names())));
  }
  scope_.declare(token.text, {{}, token});
  return true;
}

bool BodyReader::read_inline_op(Operand& operand) {
  const Token token = in_.take();
  const OpCode code = *find_op(token.text);
  const Immediate immediate = info(code).immediate;
  if (!is_inline_op(code) || (immediate != Immediate::none && immediate != Immediate::dimension)) {
    in_.error(token, fmt::format("{} cannot be an operand; give its result a name first", token.text));
    return false;
  }
  const auto dimension = immediate == Immediate::dimension ? read_dimension(code) : std::optional<std::uint64_t>(0);
  if (!dimension) {
    return false;
  }
  emit(operand, code, {}, *dimension, token);
  return true;
}

// `@name` of constant data or a specialisation constant.
bool BodyReader::read_inline_symbol(Operand& operand) {
  const Token token = in_.peek();
  const auto name = in_.expect_name(TokenKind::symbol, "a name");
  if (!name) {
    return false;
  }
  for (const auto& [kind, code] : {std::pair(Immediate::global, OpCode::global), {Immediate::spec, OpCode::spec}}) {
    if (const auto found = symbols_.find(kind, *name)) {
      emit(operand, code, {}, *found, token);
      return true;
    }
  }
  operand.dropped = true;
  in_.error(token,
            fmt::format("undefined constant {}{}", describe(token), symbols_.suggestion(Immediate::global, *name)));
  return true;
}

bool BodyReader::read_constant(Operand& operand) {
  const TypeId type = read_type(in_, m_.types);
  std::vector<std::uint64_t> leaves;
  if (!type.valid()) {
    return false;
  }
  if (!is_value_type(m_.types, type)) {
    in_.error(in_.place_from(operand.first), fmt::format("there are no constants of {}", m_.types.text(type)));
    return false;
  }
  if (!read_data_in_parentheses(in_, m_.types, type, leaves)) {
    return false;
  }
  operand.value = f_.constant(m_.constant({type, std::move(leaves)}), type);
  return true;
}

std::optional<BodyReader::Access> BodyReader::read_access() {
  const Token punctuation = in_.take();
  if (punctuation.text == ".") {
    const TokenKind kind = in_.peek().kind;
    if (kind != TokenKind::word && kind != TokenKind::number && kind != TokenKind::string) {
      in_.expected("a part such as x, 0 or a member's name");
      return std::nullopt;
    }
    const Token part = in_.take();
    return Access{part, std::nullopt, in_.place(part)};
  }
  auto index = read_operand();
  if (!index || !in_.expect("]", "after the index")) {
    return std::nullopt;
  }
  if (index->literal) {
    const TypeId suffix = split_literal(index->literal->text).suffix;
    if (!resolve_literal(*index, suffix.valid() ? suffix : kU32)) {
      return std::nullopt;
    }
  }
  return Access{punctuation, std::move(index), in_.place_from(punctuation)};
}

bool BodyReader::apply(Operand& operand, Access& access) {
  if (operand.literal) {
    in_.error(operand.place, fmt::format("{} has no parts", operand.text));
    return false;
  }
  if (operand.dropped || (access.index && access.index->dropped)) {
    operand.value = {};
    operand.dropped = true;
    return true;
  }
  return access.index ? apply_index(operand, access) : apply_part(operand, access);
}

bool BodyReader::apply_part(Operand& operand, const Access& access) {
  const Type& type = m_.types[type_of(operand)];
  const bool reference = type.kind == TypeKind::reference;
  const bool swizzle = type.kind == TypeKind::vector && is_swizzle(access.token.text);
  const auto part = part_of(reference ? type.element : type_of(operand), access.token, swizzle);
  if (!part) {
    return false;
  }
  const OpCode code = reference ? OpCode::member : swizzle ? OpCode::swizzle : OpCode::extract;
  emit(operand, code, std::array{operand}, *part, access.token);
  return true;
}

bool BodyReader::apply_index(Operand& operand, Access& access) {
  const TypeKind kind = m_.types[type_of(operand)].kind;
  if (kind == TypeKind::byte_buffer) {
    in_.error(operand.place, fmt::format("{} is a byte buffer: its places are named by `byte_element TYPE {}[...]`",
                                         operand.text, operand.text));
    return false;
  }
  const OpCode code = kind == TypeKind::reference ? OpCode::element
                      : kind == TypeKind::buffer  ? OpCode::buffer_element
                                                  : OpCode::extract_at;
  emit(operand, code, std::array{operand, *access.index}, 0, access.token);
  return true;
}

std::optional<std::uint64_t> BodyReader::part_of(TypeId aggregate, const Token& token, bool swizzle) {
  const auto part =
      swizzle ? find_components(m_.types, aggregate, token.text) : find_part(m_.types, aggregate, token.text);
  if (!part) {
    in_.error(token, fmt::format("{} has no {} {}; {}", m_.types.text(aggregate),
                                 m_.types[aggregate].kind == TypeKind::structure ? "member" : "part", describe(token),
                                 parts_text(m_.types, aggregate)));
  }
  return part;
}

std::optional<std::uint64_t> BodyReader::read_dimension(OpCode code) {
  static constexpr std::string_view kDimensions = "xyz";
  if (!in_.expect(".", fmt::format("after {}, as in {}.x", info(code).text, info(code).text))) {
    return std::nullopt;
  }
  const Token token = in_.peek();
  const std::size_t dimension = token.text.size() == 1 ? kDimensions.find(token.text) : std::string_view::npos;
  if (dimension == std::string_view::npos) {
    in_.expected("x, y or z");
    return std::nullopt;
  }
  in_.take();
  return dimension;
}

// Makes the op that an operand stands for; the operand is dropped if that had an error.
void BodyReader::emit(Operand& result, OpCode code, std::span<const Operand> operands, std::uint64_t imm,
                      const Token& at) {
  Statement s{.code = code, .first = at, .word = at, .operands = {operands.begin(), operands.end()}, .imm = imm};
  result.value = check(s) ? append(s) : ValueId();
  result.dropped = !result.value.valid();
}

}  // namespace weft::ir
