// Expansions of the family vector but for matrices.
#include "codegen/passes/expansions.h"

namespace weft::passes::expansions {

using namespace ir;

namespace {

Expr swizzle3(Expr a, std::uint8_t x, std::uint8_t y, std::uint8_t z) {
  return emit(OpCode::swizzle, {a}, Components{{x, y, z}, 3}.pack());
}

Expr length_of(Expr a) { return sqrt(passes::dot(a, a)); }

}  // namespace

Expr dot(const Expansion& x) {
  Expr sum = x[0][0] * x[1][0];
  for (std::uint32_t i = 1; i < x[0].parts(); ++i) {
    sum = sum + x[0][i] * x[1][i];
  }
  return sum;
}

Expr cross(const Expansion& x) {
  return swizzle3(x[0], 1, 2, 0) * swizzle3(x[1], 2, 0, 1) - swizzle3(x[0], 2, 0, 1) * swizzle3(x[1], 1, 2, 0);
}

Expr length(const Expansion& x) { return length_of(x[0]); }
Expr length_squared(const Expansion& x) { return passes::dot(x[0], x[0]); }
Expr distance(const Expansion& x) { return length_of(x[0] - x[1]); }

Expr normalize(const Expansion& x) { return x[0] * splat(x[0].type(), emit(OpCode::rsqrt, {passes::dot(x[0], x[0])})); }

Expr faceforward(const Expansion& x) {
  const Expr facing = passes::dot(x[2], x[1]);
  return select(facing < facing.number(0), x[0], -x[0]);
}

Expr reflect(const Expansion& x) {
  const Expr along = passes::dot(x[1], x[0]);
  return x[0] - splat(x[0].type(), along.number(2) * along) * x[1];
}

// k is the square of the cosine on the far side; below 0 nothing passes. The square root of a negative k is not chosen.
Expr refract(const Expansion& x) {
  const Expr eta = x[2];
  const Expr along = passes::dot(x[1], x[0]);
  const Expr k = eta.number(1) - eta * eta * (eta.number(1) - along * along);
  const Expr direction = splat(x[0].type(), eta) * x[0] - splat(x[0].type(), eta * along + sqrt(k)) * x[1];
  return select(k < k.number(0), x[0].number(0), direction);
}

Expr reduce_sum(const Expansion& x) { return reduce(OpCode::add, x[0]); }
Expr reduce_product(const Expansion& x) { return reduce(OpCode::mul, x[0]); }
Expr reduce_min(const Expansion& x) { return reduce(OpCode::min, x[0]); }
Expr reduce_max(const Expansion& x) { return reduce(OpCode::max, x[0]); }

}  // namespace weft::passes::expansions
