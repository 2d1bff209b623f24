#include "codegen/lower/lane_condition.h"

#include "codegen/lower/compare.h"

namespace weft::lower {

using ir::OpCode;
using ir::ValueId;

namespace {

bool is_order(OpCode code) {
  return code == OpCode::lt || code == OpCode::le || code == OpCode::gt || code == OpCode::ge;
}

bool is_integer(const Emitter& e, ValueId value) {
  const ir::TypeKind kind = e.in.types[e.f.type(value)].kind;
  return ir::is_scalar(kind) && kind != ir::TypeKind::boolean &&
         ir::scalar_category(kind) != ir::ScalarCategory::floating;
}

// The stride of an affine value that rises and surely does not wrap from one lane to the next; 0 for others.
std::int64_t rising_stride(Emitter& e, ValueId value) {
  const Shape shape = e.shapes.of(value)[0];
  const auto bound = e.ranges.upper_bound(value);
  if (shape.kind != ShapeKind::affine || shape.stride <= 0 || !bound) {
    return 0;
  }
  const ir::TypeKind kind = e.scalar_kind(e.f.type(value));
  const bool is_signed = ir::scalar_category(kind) == ir::ScalarCategory::signed_integer;
  const std::uint64_t largest = llvm::APInt::getAllOnes(ir::scalar_bits(kind) - (is_signed ? 1 : 0)).getZExtValue();
  // A lane before a wrap would be above largest - stride.
  return *bound <= largest && static_cast<std::uint64_t>(shape.stride) <= largest - *bound ? shape.stride : 0;
}

}  // namespace

std::optional<LaneCondition> lane_condition(Emitter& e, ValueId condition) {
  const ir::Op* op = e.f.definition(condition);
  if (op == nullptr || !is_order(op->code) || e.width == 1 || !is_integer(e, e.f.operand(*op, 0))) {
    return std::nullopt;
  }
  const ValueId a = e.f.operand(*op, 0);
  const ValueId c = e.f.operand(*op, 1);
  const bool left = e.shapes.of(c)[0].is_uniform();
  const std::int64_t stride = left ? rising_stride(e, a) : e.shapes.of(a)[0].is_uniform() ? rising_stride(e, c) : 0;
  if (stride == 0) {
    return std::nullopt;
  }
  const auto holds_in = [&](std::uint32_t lane) {
    const auto value = [&](ValueId v, bool rises) {
      llvm::Value* first = e.leaf(v).value;
      return rises ? e.b.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), stride * lane)) : first;
    };
    return compare(e, op->code, e.scalar_kind(e.f.type(a)), value(a, left), value(c, !left));
  };
  llvm::Value* first = holds_in(0);
  llvm::Value* last = holds_in(e.width - 1);
  const bool first_lanes = left == (op->code == OpCode::lt || op->code == OpCode::le);
  return first_lanes ? LaneCondition{first, last} : LaneCondition{last, first};
}

}  // namespace weft::lower
