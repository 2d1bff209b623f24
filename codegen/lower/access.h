// Loads and stores of one scalar in every lane, by the shape of the address:
//   uniform                    a scalar access
//   stride of one element      a vector access, masked where lanes may be off
//   the same within rows       a vector access for each row
//   anything else              gather, scatter
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// The scalar of `kind` at `offset_bytes` from a place in memory; 0 in lanes that are off or out of range. A scalar
// where the address is uniform, a vector otherwise.
[[nodiscard]] llvm::Value* load_scalar(Emitter& e, const Place& place, std::uint64_t offset_bytes, ir::TypeKind kind);

// Stores in the lanes that are active and in range. Of lanes with the same address the last wins.
void store_scalar(Emitter& e, const Place& place, std::uint64_t offset_bytes, ir::TypeKind kind, const Leaf& value);

// From and to what memory holds: a bool is a byte that is 0 or not.
[[nodiscard]] llvm::Value* from_memory(Emitter& e, llvm::Value* value, ir::TypeKind kind);
[[nodiscard]] llvm::Value* to_memory(Emitter& e, llvm::Value* value, ir::TypeKind kind);

// The number of the last active lane (i32) of a mask that is not empty.
[[nodiscard]] llvm::Value* last_lane(Emitter& e, llvm::Value* mask);

// A scalar for a leaf of uniform or affine shape, a vector for the others.
[[nodiscard]] llvm::Value* as_shape(Emitter& e, llvm::Value* value, Shape shape);

}  // namespace weft::lower
