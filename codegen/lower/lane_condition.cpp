#include "codegen/lower/lane_condition.h"

#include "codegen/lower/compare.h"

namespace weft::lower {

using ir::OpCode;
using ir::ValueId;

namespace {

constexpr int kMaxDepth = 6;                  // of an expression that is looked into
constexpr std::int64_t kMaxStride = 1 << 20;  // so that a pack's lanes differ by less than 2^31

bool is_order(OpCode code) {
  return code == OpCode::lt || code == OpCode::le || code == OpCode::gt || code == OpCode::ge;
}

bool is_integer(const Emitter& e, ValueId value) {
  const ir::TypeKind kind = e.in.types[e.f.type(value)].kind;
  return ir::is_scalar(kind) && kind != ir::TypeKind::boolean &&
         ir::scalar_category(kind) != ir::ScalarCategory::floating;
}

// Whether an affine value that rises surely does not wrap from one lane to the next, all lanes being active.
bool surely_rises(Emitter& e, ValueId value) {
  const ir::Op* op = e.f.definition(value);
  if (op != nullptr && op->code == OpCode::dispatch_id) {
    return true;
  }
  const auto bound = e.ranges.upper_bound(value);
  const ir::TypeKind kind = e.scalar_kind(e.f.type(value));
  const bool is_signed = ir::scalar_category(kind) == ir::ScalarCategory::signed_integer;
  const std::uint64_t largest = llvm::APInt::getAllOnes(ir::scalar_bits(kind) - (is_signed ? 1 : 0)).getZExtValue();
  // A lane before a wrap would be above largest - stride.
  const auto stride = static_cast<std::uint64_t>(e.shapes.of(value)[0].stride);
  return bound && *bound <= largest && stride <= largest - *bound;
}

bool is_rising(const Shape& shape, std::uint32_t bits) {
  return shape.kind == ShapeKind::affine && shape.stride > 0 && bits >= 32 && shape.stride < kMaxStride;
}

std::optional<LaneCondition> of_comparison(Emitter& e, const ir::Op& op) {
  const ValueId a = e.f.operand(op, 0);
  const ValueId c = e.f.operand(op, 1);
  const ir::TypeKind kind = e.scalar_kind(e.f.type(a));
  const bool left = e.shapes.of(c)[0].is_uniform();
  const ValueId rises = left ? a : c;
  const Shape shape = e.shapes.of(rises)[0];
  if (!is_rising(shape, ir::scalar_bits(kind)) || !e.shapes.of(left ? c : a)[0].is_uniform()) {
    return std::nullopt;
  }
  const auto in_lane = [&](ValueId v, std::uint32_t lane) {
    llvm::Value* first = e.leaf(v).value;
    return v == rises ? e.b.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), shape.stride * lane))
                      : first;
  };
  const auto holds_in = [&](std::uint32_t lane) {
    return compare(e, op.code, kind, in_lane(a, lane), in_lane(c, lane));
  };
  llvm::Value* first = holds_in(0);
  llvm::Value* last = holds_in(e.width - 1);
  if (!surely_rises(e, rises)) {
    llvm::Value* wraps = compare(e, OpCode::lt, kind, in_lane(rises, e.width - 1), in_lane(rises, 0));
    return LaneCondition{.any = nullptr, .all = e.b.CreateAnd(e.b.CreateNot(wraps), e.b.CreateAnd(first, last))};
  }
  const bool first_lanes = left == (op.code == OpCode::lt || op.code == OpCode::le);
  return first_lanes ? LaneCondition{first, last} : LaneCondition{last, first};
}

// Both hold in all lanes if each does; in which lanes both hold their scalars do not tell, unless one is uniform.
LaneCondition conjunction(Emitter& e, const LaneCondition& a, const LaneCondition& c) {
  const auto both = [&](llvm::Value* x, llvm::Value* y) { return x && y ? e.b.CreateAnd(x, y) : nullptr; };
  const bool one_is_uniform = a.any == a.all || c.any == c.all;
  return {.any = one_is_uniform ? both(a.any, c.any) : nullptr, .all = both(a.all, c.all)};
}

std::optional<LaneCondition> condition_of(Emitter& e, ValueId condition, int depth) {
  if (e.shapes.of(condition)[0].is_uniform()) {
    llvm::Value* value = e.leaf(condition).value;
    return LaneCondition{value, value};
  }
  const ir::Op* op = e.f.definition(condition);
  if (op == nullptr || depth == 0) {
    return std::nullopt;
  }
  if (is_order(op->code) && is_integer(e, e.f.operand(*op, 0))) {
    return of_comparison(e, *op);
  }
  if (op->code != OpCode::and_ && op->code != OpCode::or_ && op->code != OpCode::not_) {
    return std::nullopt;
  }
  const auto a = condition_of(e, e.f.operand(*op, 0), depth - 1);
  if (op->code == OpCode::not_ || !a) {
    return a ? std::optional(negation(e, *a)) : std::nullopt;
  }
  const auto c = condition_of(e, e.f.operand(*op, 1), depth - 1);
  if (!c) {
    return std::nullopt;
  }
  return op->code == OpCode::and_ ? conjunction(e, *a, *c)
                                  : negation(e, conjunction(e, negation(e, *a), negation(e, *c)));
}

}  // namespace

LaneCondition negation(Emitter& e, const LaneCondition& a) {
  const auto inverse = [&](llvm::Value* x) { return x != nullptr ? e.b.CreateNot(x) : nullptr; };
  llvm::Value* any = inverse(a.all);
  return {.any = any, .all = a.any == a.all ? any : inverse(a.any)};
}

std::optional<LaneCondition> lane_condition(Emitter& e, ValueId condition) {
  return e.width == 1 ? std::nullopt : condition_of(e, condition, kMaxDepth);
}

}  // namespace weft::lower
