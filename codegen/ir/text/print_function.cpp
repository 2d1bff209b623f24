#include "codegen/ir/text/print_function.h"

#include <fmt/format.h>

#include "codegen/ir/text/inline_ops.h"
#include "codegen/ir/text/literal.h"
#include "codegen/ir/text/names.h"
#include "codegen/ir/text/spelling.h"

namespace weft::ir {

FunctionPrinter::FunctionPrinter(const Module& module, const Function& function, TypeTable& types, PrintOptions options)
    : m_(module),
      f_(function),
      types_(types),
      options_(options),
      inline_(find_inline_ops(function, options.locations)),
      names_(value_names(module, function, inline_)),
      used_(function.value_count()) {
  for (std::size_t i = 0; i < f_.op_count(); ++i) {
    for (const ValueId v : f_.operands(OpId(i))) {
      used_[v.index] = true;
    }
  }
}

std::string FunctionPrinter::run() {
  print_header();
  out_ += " {\n";
  print_block(f_.body());
  out_ += "}\n";
  return std::move(out_);
}

std::vector<std::string> FunctionPrinter::texts_of_values() {
  std::vector<std::string> texts = names_;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Value& v = f_.value(ValueId(i));
    if (v.kind == ValueKind::constant) {
      texts[i] = constant_text(m_.constant(ConstantId(v.index)));
    } else if (texts[i].empty() && v.kind == ValueKind::result) {
      texts[i] = inline_text(f_.op(OpId(v.index)));
    }
  }
  return texts;
}

void FunctionPrinter::print_header() {
  const bool kernel = f_.kind == FunctionKind::kernel;
  out_ += fmt::format("{} @{}(", kernel ? "kernel" : "callable", spelled(f_.name));
  for (std::size_t i = 0; i < f_.parameters.size(); ++i) {
    const Parameter& p = f_.parameters[i];
    out_ += fmt::format("{}{}: {}{}", i == 0 ? "" : ", ", names_[p.value.index], p.is_restrict ? "restrict " : "",
                        types_.text(f_.type(p.value)));
  }
  out_ += ")";
  if (kernel) {
    print_attributes();
  } else if (f_.result_type != kVoid) {
    out_ += " -> " + types_.text(f_.result_type);
  }
  out_ += place_text(f_.location);
}

void FunctionPrinter::print_attributes() {
  const KernelAttributes& a = f_.attributes;
  out_ += " block(";
  for (std::uint32_t i = 0; i < a.dimensions; ++i) {
    out_ += fmt::format("{}{}", i == 0 ? "" : ", ", a.block_size[i]);
  }
  out_ += ")";
  if (a.warp_size != KernelAttributes{}.warp_size) {
    out_ += fmt::format(" warp({})", a.warp_size);
  }
  if (a.math != MathMode::strict) {
    out_ += fmt::format(" math({})", kMathModeTexts[static_cast<std::size_t>(a.math)]);
  }
  out_ += a.unchecked ? " unchecked" : "";
}

void FunctionPrinter::print_block(RegionId region) {
  ++depth_;
  for (const OpId id : f_.region(region).ops) {
    if (!inline_[id.index]) {
      print_op(id);
    }
  }
  --depth_;
}

// The result of an op that does more than give a result is named only where it is used.
void FunctionPrinter::print_op(OpId id) {
  const Op& op = f_.op(id);
  out_ += indentation();
  const bool named = op.result.valid() && (used_[op.result.index] || f_.value(op.result).name.valid() ||
                                           info(op.code).effect == Effect::pure);
  if (named) {
    out_ += names_[op.result.index] + " = ";
  }
  out_ += op_text(op) + place_text(op.location);
  if (op.region_count > 0) {
    print_regions(op);
  }
  out_ += '\n';
}

void FunctionPrinter::print_regions(const Op& op) {
  if (op.code == OpCode::switch_) {
    print_cases(op);
    return;
  }
  static constexpr std::array<std::string_view, 2> kIf{"", "else"};
  static constexpr std::array<std::string_view, 3> kLoop{"", "body", "update"};
  for (std::uint32_t i = 0; i < op.region_count; ++i) {
    const RegionId region = f_.regions(op)[i];
    const std::string_view word = op.code == OpCode::if_ ? kIf[std::min(i, 1U)] : kLoop[std::min(i, 2U)];
    const bool optional = word == "else" || word == "update";
    if (!optional || !f_.region(region).ops.empty()) {
      out_ += fmt::format(" {}{}{{\n", word, word.empty() ? "" : " ");
      print_block(region);
      out_ += indentation() + "}";
    }
  }
}

void FunctionPrinter::print_cases(const Op& op) {
  const CaseList& cases = f_.case_lists[op.imm];
  const TypeKind kind = types_[f_.type(f_.operand(op, 0))].kind;
  const std::uint64_t mask =
      is_scalar(kind) && scalar_bits(kind) < 64 ? (std::uint64_t{1} << scalar_bits(kind)) - 1 : ~std::uint64_t{0};
  out_ += " {\n";
  ++depth_;
  for (std::uint32_t i = 0; i < op.region_count; ++i) {
    out_ += indentation() + (i < cases.size() ? "case " : "default");
    for (std::size_t j = 0; i < cases.size() && j < cases[i].size(); ++j) {
      out_ += (j == 0 ? "" : ", ") + scalar_literal(kind, static_cast<std::uint64_t>(cases[i][j]) & mask);
    }
    out_ += " {\n";
    print_block(f_.regions(op)[i]);
    out_ += indentation() + "}\n";
  }
  --depth_;
  out_ += indentation() + "}";
}

std::string FunctionPrinter::place_text(const Location& location) const {
  if (!options_.locations || !location.file.valid()) {
    return {};
  }
  return fmt::format(" at {}:{}:{}", quoted(m_.string(location.file)), location.line, location.column);
}

}  // namespace weft::ir
