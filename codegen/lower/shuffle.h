// Vectors cut, joined and transposed.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace weft::lower {

using Values = llvm::SmallVector<llvm::Value*, 8>;

// Lanes r * size to (r + 1) * size - 1 of a vector.
[[nodiscard]] llvm::Value* piece(llvm::IRBuilder<>& b, llvm::Value* vector, std::uint32_t r, std::uint32_t size);

// Pieces of one size, a power of two of them, one after the other.
[[nodiscard]] llvm::Value* joined(llvm::IRBuilder<>& b, Values pieces);

// Of q vectors, q a power of two, vector j has x(k, i, j) in lane q * k + i: gives those that have x(k, j, i) there.
[[nodiscard]] Values transposed(llvm::IRBuilder<>& b, Values vectors);

}  // namespace weft::lower
