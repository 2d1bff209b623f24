#include "codegen/passes/expand.h"

#include <array>
#include <string>

#include "codegen/passes/expansions.h"
#include "codegen/passes/rewrite.h"
#include "runtime/support/check.h"

namespace weft::passes {

using namespace ir;

namespace {

using Rule = Expr (*)(const Expansion&);

// By OpCode; null for ops of other kinds.
constexpr std::array kRules{
#define WEFT_RULE_core(name) Rule{nullptr}
#define WEFT_RULE_device(name) Rule{nullptr}
#define WEFT_RULE_expand(name) Rule{expansions::name}
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning) WEFT_RULE_##kind(name),
#include "codegen/ir/ops.def"
#undef WEFT_RULE_core
#undef WEFT_RULE_device
#undef WEFT_RULE_expand
};

class Expander : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  void rewrite(const Op& op) override {
    if (op.code == OpCode::print) {
      expand_print(op);
      return;
    }
    if (info(op.code).kind != OpKind::expand) {
      copy(op);
      return;
    }
    const std::vector<ValueId> operands = mapped_operands(op);
    const Expr result = emit(builder(), op.code, operands, op.imm, has_given_type(op.code) ? op.type : TypeId());
    if (op.result.valid()) {
      map(op.result, result.id());
    }
  }

 private:
  // What is left to print are scalars: the place of a vector or matrix becomes places for its parts.
  void expand_print(const Op& op) {
    std::vector<ValueId> scalars;
    std::string_view format = builder().module().string(StringId(op.imm));
    std::string scalar_format;
    for (const ValueId operand : mapped_operands(op)) {
      const std::size_t place = format.find("{}");
      scalar_format += format.substr(0, place);
      scalar_format += print_places({builder(), operand}, scalars);
      format.remove_prefix(place + 2);
    }
    scalar_format += format;
    builder().emit(OpCode::print, scalars, builder().module().string(scalar_format).index);
  }

  // "{}" for a scalar, "({}, {})" for parts; appends the scalars.
  static std::string print_places(Expr value, std::vector<ValueId>& scalars) {
    if (value.parts() == 0) {
      scalars.push_back(value.id());
      return "{}";
    }
    std::string places;
    for (const Expr part : split(value)) {
      places += (places.empty() ? "(" : ", ") + print_places(part, scalars);
    }
    return places + ")";
  }
};

}  // namespace

Expr emit(Builder& builder, OpCode code, std::span<const ValueId> operands, std::uint64_t imm, TypeId given) {
  if (const Rule rule = kRules[static_cast<std::size_t>(code)]) {
    return rule({builder, operands, given, imm});
  }
  return {builder, builder.emit(code, operands, imm, given)};
}

Expr emit(OpCode code, std::initializer_list<Expr> operands, std::uint64_t imm, TypeId given) {
  std::array<ValueId, kMaxOperandShapes> ids;
  WEFT_CHECK_LE(operands.size(), ids.size());
  std::size_t count = 0;
  for (const Expr& e : operands) {
    ids[count++] = e.id();
  }
  return emit(operands.begin()->builder(), code, std::span(ids).first(count), imm, given);
}

std::vector<Expr> split(Expr aggregate) {
  std::vector<Expr> parts;
  for (std::uint32_t i = 0; i < aggregate.parts(); ++i) {
    parts.push_back(aggregate[i]);
  }
  return parts;
}

Expr reduce(OpCode code, Expr vector) {
  Expr result = vector[0];
  for (std::uint32_t i = 1; i < vector.parts(); ++i) {
    result = emit(code, {result, vector[i]});
  }
  return result;
}

Expr make(TypeId type, std::span<const Expr> parts) {
  std::vector<ValueId> ids;
  for (const Expr& e : parts) {
    ids.push_back(e.id());
  }
  return emit(parts[0].builder(), OpCode::make, ids, 0, type);
}

Function expand(Module& module, const Function& from) {
  Function to = like(from);
  Builder builder(module, to);
  Expander(from, builder).run();
  return to;
}

}  // namespace weft::passes
