// Places: how an index becomes an address, and whether it is in range.
//
// An address in memory is a scalar base (all that is uniform, and lane 0 of what is affine), a constant stride in bytes
// from lane to lane, and vector terms. A uniform or affine index is exact in 64 bits: it is widened from lane 0. A
// vector index stays 32 bits wide and signed, so that it needs one register: an unsigned one into a buffer is biased by
// 2^31, and the base with it.
//
// An index may wrap between lanes; lane 0, or the first of a row, may be off or out of range then while later lanes are
// not: in[dispatch_id.x - 4]. Where an unsigned 32 bit index may do so, that lane is taken as the negative number that
// makes the lanes after the wrap come out right; those before it have indices close to 2^32. Narrower indices that may
// wrap are vector indices, as there both sides may be in range.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// Adds `index` * `stride_bytes` to a place in memory.
void add_index(Emitter& e, Place& place, ir::ValueId index, std::uint64_t stride_bytes);

// Adds a constant number of bytes.
void add_bytes(Emitter& e, Place& place, std::uint64_t bytes);

// Whether an index is below a count: i1 for a uniform index, <W x i1> otherwise; null where it is proved, or where the
// kernel is unchecked. `count` is an i64.
[[nodiscard]] llvm::Value* in_range(Emitter& e, ir::ValueId index, std::uint64_t count);
[[nodiscard]] llvm::Value* in_range(Emitter& e, ir::ValueId index, llvm::Value* count);
// For an affine index that rises from lane to lane: one scalar test (i1) that, if true, proves that every lane is in
// range and none wraps. Null for other indices.
[[nodiscard]] llvm::Value* all_in_range(Emitter& e, ir::ValueId index, llvm::Value* count);
// Whether `bytes` bytes from byte `index` on are below a count of bytes.
[[nodiscard]] llvm::Value* bytes_in_range(Emitter& e, ir::ValueId index, std::uint64_t bytes, llvm::Value* count);

// The lanes that are active and whose place is in range: <W x i1> (i1 at W = 1), null for all.
[[nodiscard]] llvm::Value* active_valid_mask(Emitter& e, const Place& place);

// The base of a place all of whose lanes are in range.
[[nodiscard]] inline llvm::Value* whole_base(const Place& place) {
  return place.whole_base != nullptr ? place.whole_base : place.base;
}

// The addresses of a place in memory for all lanes, as a vector of pointers.
[[nodiscard]] llvm::Value* addresses(Emitter& e, const Place& place);
// The address for the first lane of a row, such that those for the row's other lanes follow by the place's strides.
[[nodiscard]] llvm::Value* row_address(Emitter& e, const Place& place, std::uint32_t lane);
// A test (i1) whether each lane's address is `element_bytes` beyond the one before, in which case that of lane 0 is
// row_address(place, 0); null where it is not worth a test, as the index comes out of memory.
[[nodiscard]] llvm::Value* lanes_are_neighbours(Emitter& e, const Place& place, std::uint64_t element_bytes);
// Whether all lanes have the same address (then it is place.base).
[[nodiscard]] inline bool is_uniform(const Place& place) { return place.stride == 0 && place.terms.empty(); }

}  // namespace weft::lower
