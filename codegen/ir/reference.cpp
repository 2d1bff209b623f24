#include "codegen/ir/reference.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "codegen/ir/text/syntax.h"

namespace weft::ir {

namespace {

char letter(std::size_t operand) { return static_cast<char>('a' + operand); }

std::string_view immediate_text(Immediate immediate) {
  switch (immediate) {
    case Immediate::dimension: return ".x";
    case Immediate::function: return " @f(...)";
    case Immediate::global:
    case Immediate::spec: return " @name";
    case Immediate::none:
    case Immediate::part:
    case Immediate::components:
    case Immediate::text:
    case Immediate::cases: return "";
  }
  return "";
}

std::string_view regions_text(OpCode code) {
  switch (code) {
    case OpCode::if_: return " { ... } else { ... }";
    case OpCode::loop: return " { ... yield b } body { ... } update { ... }";
    case OpCode::switch_: return " { case 1, 2 { ... } default { ... } }";
    default: return "";
  }
}

// Operand 1 and what is taken of it.
std::string first_text(OpCode code) {
  switch (info(code).immediate) {
    case Immediate::part: return "a.x";
    case Immediate::components: return "a.zyx";
    default: return has_bracket_index(code) ? "a[b]" : "a";
  }
}

std::string operands_text(OpCode code) {
  const OpInfo& op = info(code);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < op.operand_count; ++i) {
    if (i == 0) {
      items.push_back(first_text(code));
    } else if (i > 1 || !has_bracket_index(code)) {
      items.emplace_back(1, letter(i));
    }
  }
  if (op.immediate == Immediate::text) {
    items.emplace_back("\"text\"");
  }
  if (op.variadic && op.immediate != Immediate::function) {
    items.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(items, ", "));
}

std::string operand_words(const OpInfo& op) {
  std::string out;
  for (std::size_t i = 0; i < op.operand_count; ++i) {
    out += fmt::format("{}{}: {}", i == 0 ? "" : "; ", letter(i), words(op.operands[i]));
  }
  if (op.variadic) {
    out += fmt::format("{}{}", out.empty() ? "" : "; ", words(OperandShape::rest));
  }
  return out;
}

std::string kind_words(const OpInfo& op) {
  return op.effect == Effect::pure ? std::string(text(op.kind)) : fmt::format("{}, {}", text(op.kind), text(op.effect));
}

// Shape words speak of operands by number, the table's columns by letter.
std::string lettered(std::string text) {
  for (const auto& [number, name] : {std::pair("operand 1", "a"), std::pair("operand 2", "b")}) {
    const std::string_view words = number;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words)) {
      text.replace(at, words.size(), name);
    }
  }
  return text;
}

// A bar would end the table's cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  return out;
}

std::string row(OpCode code) {
  const OpInfo& op = info(code);
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", cell(op_form(code)), cell(lettered(operand_words(op))),
                     lettered(std::string(words(op.result))), kind_words(op), cell(op.meaning));
}

}  // namespace

std::string op_form(OpCode code) {
  const OpInfo& op = info(code);
  std::string out(op.text);
  if (has_given_type(code)) {
    out += " TYPE";
  }
  out += immediate_text(op.immediate);
  const std::string operands = operands_text(code);
  if (!operands.empty()) {
    out += " " + operands;
  }
  return out.append(regions_text(code));
}

std::string op_reference() {
  std::string out;
  const OpInfo* previous = nullptr;
  for (std::size_t i = 0; i < all_ops().size(); ++i) {
    const OpInfo& op = all_ops()[i];
    if (previous == nullptr || previous->family != op.family) {
      out += fmt::format("\n### {}\n\n| Form | Operands | Result | Kind | Meaning |\n|---|---|---|---|---|\n",
                         text(op.family));
    }
    out += row(static_cast<OpCode>(i));
    previous = &op;
  }
  return out;
}

}  // namespace weft::ir
