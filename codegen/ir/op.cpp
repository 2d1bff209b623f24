#include "codegen/ir/op.h"

#include <unordered_map>

namespace weft::ir {

namespace {

// Splits a row's operand list into the fixed shapes and whether `rest` ends it.
constexpr OpInfo make_info(std::string_view text, std::initializer_list<OperandShape> operands, ResultShape result,
                           Immediate immediate, Effect effect, OpFamily family, OpKind kind, std::string_view meaning) {
  OpInfo op{text, {}, 0, false, result, immediate, effect, family, kind, meaning};
  for (const OperandShape shape : operands) {
    if (shape == OperandShape::rest) {
      op.variadic = true;
    } else {
      op.operands[op.operand_count++] = shape;
    }
  }
  return op;
}

// Within this function the words of an operand list are OperandShapes.
constexpr auto make_table() {
  using enum OperandShape;
#define WEFT_LIST(...) {__VA_ARGS__}
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning)                            \
  make_info(text, WEFT_LIST operands, ResultShape::result, Immediate::imm, Effect::effect, OpFamily::family, \
            OpKind::kind, meaning),
  return std::array{
#include "codegen/ir/ops.def"
  };
#undef WEFT_LIST
}

constexpr auto kOps = make_table();

constexpr std::array kOperandWords{
#define WEFT_OPERAND_SHAPE(name, words) std::string_view{words},
#include "codegen/ir/shapes.def"
};

constexpr std::array kResultWords{
#define WEFT_RESULT_SHAPE(name, words) std::string_view{words},
#include "codegen/ir/shapes.def"
};

constexpr std::array<std::string_view, 12> kFamilies{"arith",     "bits",   "compare", "convert", "math",  "vector",
                                                     "aggregate", "memory", "atomic",  "control", "group", "warp"};
constexpr std::array<std::string_view, 3> kKinds{"core", "device", "expand"};
constexpr std::array<std::string_view, 8> kEffects{"pure",    "reads", "writes",  "updates",
                                                   "control", "warp",  "barrier", "reports"};

}  // namespace

const OpInfo& info(OpCode code) { return kOps[static_cast<std::size_t>(code)]; }
std::span<const OpInfo> all_ops() { return kOps; }

std::optional<OpCode> find_op(std::string_view text) {
  static const auto index = [] {
    std::unordered_map<std::string_view, OpCode> map;
    for (std::size_t i = 0; i < kOps.size(); ++i) {
      map.emplace(kOps[i].text, static_cast<OpCode>(i));
    }
    return map;
  }();
  const auto it = index.find(text);
  return it == index.end() ? std::nullopt : std::optional(it->second);
}

std::string_view words(OperandShape shape) { return kOperandWords[static_cast<std::size_t>(shape)]; }
std::string_view words(ResultShape shape) { return kResultWords[static_cast<std::size_t>(shape)]; }
std::string_view text(OpFamily family) { return kFamilies[static_cast<std::size_t>(family)]; }
std::string_view text(OpKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view text(Effect effect) { return kEffects[static_cast<std::size_t>(effect)]; }

bool is_terminator(OpCode code) {
  return code == OpCode::yield || code == OpCode::break_ || code == OpCode::continue_ || code == OpCode::return_ ||
         code == OpCode::unreachable;
}

bool has_given_type(OpCode code) {
  const ResultShape result = info(code).result;
  return result == ResultShape::given || result == ResultShape::given_reference;
}

}  // namespace weft::ir
