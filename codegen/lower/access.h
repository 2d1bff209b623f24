// Loads and stores of one scalar in every lane, by the shape of the address:
//   uniform                    a scalar access
//   stride of one element      a vector access, masked where lanes may be off
//   the same within rows       a vector access for each row
//   computed from lane ids     the same where a test shows neighbours, else
//   anything else              gather, scatter
#pragma once

#include "codegen/lower/emitter.h"
#include "codegen/lower/shuffle.h"

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

// Layouts are the host's and byte buffers have any offset, so nothing more is known of an address; x86 does not care.
inline constexpr llvm::Align kMemoryAlign{};

// Whether an element of this size is accessed by gather or scatter.
[[nodiscard]] bool is_scattered(Emitter& e, const Place& place, std::uint64_t element_bytes);

// A test (i1) that, if true, proves that all lanes are active and in range; null where there is none.
[[nodiscard]] llvm::Value* test_of_all(const Emitter& e, const Place& place);

// if (condition) fast(); else slow(); and what they give. The condition is likely; null is false.
Values either(Emitter& e, llvm::Value* condition, const std::function<Values()>& fast,
              const std::function<Values()>& slow);

// Constant memory of zeros, for lanes whose place is not to be read.
inline constexpr std::uint64_t kZeroBytes = 256;
[[nodiscard]] llvm::Value* zeros(Emitter& e);

}  // namespace weft::lower
