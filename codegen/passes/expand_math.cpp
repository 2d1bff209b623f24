// Expansions of the family math.
#include "codegen/passes/expansions.h"

namespace weft::passes::expansions {

using namespace ir;

Expr fract(const Expansion& x) { return x[0] - emit(OpCode::floor, {x[0]}); }
Expr lerp(const Expansion& x) { return x[0] + x[2] * (x[1] - x[0]); }
Expr step(const Expansion& x) { return select(x[1] < x[0], x[0].number(0), x[0].number(1)); }

Expr smoothstep(const Expansion& x) {
  const Expr t = passes::saturate((x[2] - x[0]) / (x[1] - x[0]));
  return t * t * (t.number(3) - t.number(2) * t);
}

}  // namespace weft::passes::expansions
