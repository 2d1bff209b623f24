// Loads and stores of aggregates in memory, where lanes are not neighbours: members that lie side by side, a run, go
// between memory and registers in pieces of 8 or 16 bytes for each lane, and are transposed in registers. A gather and
// a scatter would touch memory once for each lane and member.
#pragma once

#include <span>
#include <vector>

#include "codegen/lower/access.h"

namespace weft::lower {

// A scalar of an aggregate: how far from its beginning, and its kind.
struct MemoryLeaf {
  std::uint64_t offset_bytes;
  ir::TypeKind kind;
};

// Every leaf of a place, as load_scalar gives it.
[[nodiscard]] std::vector<llvm::Value*> load_leaves(Emitter& e, const Place& place, std::span<const MemoryLeaf> leaves);

// Stores to every leaf of a place, as store_scalar does.
void store_leaves(Emitter& e, const Place& place, std::span<const MemoryLeaf> leaves, std::span<const Leaf> values);

}  // namespace weft::lower
