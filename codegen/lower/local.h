// Local variables: one stack variable for each slot, a scalar where all lanes always hold the same (or an affine
// value), a <W x T> otherwise; arrays lane-interleaved, so that one index for all lanes is one vector access. Arrays
// too large for the stack lie in the arena: in the frame where they live across a barrier, else in the pack's scratch
// area.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// The stack variables of a local and its place; they hold nothing yet.
void make_local(Emitter& e, ir::OpId op);
// The same, set to zero as a `local` op says.
void declare_local(Emitter& e, ir::OpId op);
[[nodiscard]] std::vector<llvm::Value*> load_local(Emitter& e, const ir::Op& op, const Place& place);
void store_local(Emitter& e, ir::OpId op, const Place& place);

// The place of element `index` of an array, of component `index` of a vector, or of column `index` of a matrix, in a
// local.
[[nodiscard]] Place local_element(Emitter& e, const Place& outer, ir::ValueId index);
[[nodiscard]] Place local_member(Emitter& e, const Place& outer, std::uint64_t part);

}  // namespace weft::lower
