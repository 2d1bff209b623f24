#include "codegen/passes/why_varying.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "codegen/passes/root.h"

namespace weft::passes {

using ir::Function;
using ir::Module;
using ir::Op;
using ir::OpCode;
using ir::OpFamily;
using ir::ValueId;

namespace {

// What a value got its shape from.
struct Cause {
  enum class Rank : std::uint8_t { none, arithmetic, lane, variable, memory } rank = Rank::none;
  std::string text;
};

class Search {
 public:
  Search(const Function& f, const Module& module, const Shapes& shapes) : f_(f), module_(module), shapes_(shapes) {}

  Cause of(ValueId value, int depth) {
    const Op* op = f_.definition(value);
    if (op == nullptr || is_regular(value) || depth == 0 || !seen_.insert(value).second) {
      return {};
    }
    if (op->code == OpCode::load) {
      return of_load(value, *op);
    }
    const OpFamily family = ir::info(op->code).family;
    if (family == OpFamily::atomic || family == OpFamily::warp) {
      return {Cause::Rank::memory, fmt::format("it depends on the result of {}{}", ir::info(op->code).text, at(*op))};
    }
    if (family == OpFamily::group) {
      return {Cause::Rank::lane, fmt::format("it depends on {}, which has no constant step over the lanes of a pack",
                                             with_dimension(*op))};
    }
    Cause cause{Cause::Rank::arithmetic,
                fmt::format("{} of values that differ from lane to lane{}", ir::info(op->code).text, at(*op))};
    for (const ValueId operand : f_.operands(*op)) {
      Cause of_operand = of(operand, depth - 1);
      if (of_operand.rank > Cause::Rank::none && of_operand.rank >= cause.rank) {
        cause = std::move(of_operand);
      }
    }
    return cause;
  }

 private:
  [[nodiscard]] bool is_regular(ValueId value) const {
    return std::ranges::all_of(
        shapes_.of(value), [](const Shape& s) { return s.kind == ShapeKind::uniform || s.kind == ShapeKind::affine; });
  }

  [[nodiscard]] Cause of_load(ValueId value, const Op& op) const {
    const Root root = root_of(f_, f_.operand(op, 0));
    if (root.kind == RootKind::local) {
      return {Cause::Rank::variable,
              fmt::format("it depends on {}, which differs from lane to lane", named(root.value, "declared"))};
    }
    const std::string name = name_of(value);
    return {Cause::Rank::memory, fmt::format("it depends on {}, loaded from {}{}", name.empty() ? "a value" : name,
                                             name_of(root.value), at(op))};
  }

  [[nodiscard]] std::string name_of(ValueId value) const {
    const std::string_view name = module_.string(f_.value(value).name);
    return name.empty() ? std::string() : fmt::format("%{}", name);
  }
  [[nodiscard]] std::string named(ValueId root, std::string_view verb) const {
    const Op* op = f_.definition(root);
    const std::string name = name_of(root);
    return fmt::format("{} {}{}", name.empty() ? "a variable" : "the variable " + name, verb,
                       op != nullptr ? at(*op) : "");
  }
  static std::string at(const Op& op) {
    return op.location.line != 0 ? fmt::format(" at line {}", op.location.line) : std::string();
  }
  static std::string with_dimension(const Op& op) {
    constexpr std::string_view kDimensions = "xyz";
    return fmt::format("{}.{}", ir::info(op.code).text, kDimensions[op.imm]);
  }

  const Function& f_;
  const Module& module_;
  const Shapes& shapes_;
  std::unordered_set<ValueId> seen_;
};

bool has_step(const Shape& shape) { return shape.kind == ShapeKind::affine || shape.kind == ShapeKind::rows; }

std::string step_text(std::int64_t stride, std::uint64_t unit, bool in_bytes) {
  return in_bytes ? fmt::format("{:+} bytes", stride) : fmt::format("{:+}", stride / static_cast<std::int64_t>(unit));
}

}  // namespace

std::string why_varying(const Function& function, const Module& module, const Shapes& shapes, ValueId value) {
  constexpr int kMaxDepth = 32;
  return Search(function, module, shapes).of(value, kMaxDepth).text;
}

std::string text(std::span<const Shape> shapes, std::uint64_t unit_bytes) {
  const bool in_bytes = unit_bytes > 1 && std::ranges::any_of(shapes, [&](const Shape& s) {
                          return has_step(s) && s.stride % static_cast<std::int64_t>(unit_bytes) != 0;
                        });
  std::vector<std::string> parts;
  for (const Shape& shape : shapes) {
    std::string part;
    switch (shape.kind) {
      case ShapeKind::unknown:
      case ShapeKind::uniform: part = "uniform"; break;
      case ShapeKind::affine: part = "affine " + step_text(shape.stride, unit_bytes, in_bytes); break;
      case ShapeKind::rows: part = "rows " + step_text(shape.stride, unit_bytes, in_bytes); break;
      case ShapeKind::varying: part = "varying"; break;
    }
    if (std::ranges::find(parts, part) == parts.end()) {
      parts.push_back(std::move(part));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace weft::passes
