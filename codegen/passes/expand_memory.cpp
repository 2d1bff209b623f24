// Expansions of the family memory: buffer accesses are loads and stores at a place.
#include "codegen/passes/expansions.h"
#include "runtime/support/check.h"

namespace weft::passes::expansions {

using namespace ir;

Expr read(const Expansion& x) { return emit(OpCode::load, {emit(OpCode::buffer_element, {x[0], x[1]})}); }

Expr write(const Expansion& x) { return emit(OpCode::store, {emit(OpCode::buffer_element, {x[0], x[1]}), x[2]}); }

Expr byte_read(const Expansion& x) {
  return emit(OpCode::load, {emit(OpCode::byte_element, {x[0], x[1]}, 0, x.given)});
}

Expr byte_write(const Expansion& x) {
  return emit(OpCode::store, {emit(OpCode::byte_element, {x[0], x[1]}, 0, x[2].type()), x[2]});
}

Expr spec(const Expansion&) { WEFT_UNREACHABLE("spec ops are replaced before expansion"); }

}  // namespace weft::passes::expansions
