// Where the lanes of a pack are in their block.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// Place of lane 0 of a pack along a dimension, from the number of that lane in the block (i32).
[[nodiscard]] llvm::Value* scalar_thread_id(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* first_lane,
                                            std::uint64_t dimension);

// Place of each lane, <W x i32>.
[[nodiscard]] llvm::Value* vector_thread_id(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* first_lane,
                                            std::uint32_t width, std::uint64_t dimension);

// The lanes of a pack that exist: those within the block and within the dispatch, of which `limit` lanes along each
// dimension fall into this block. <W x i1>, or i1 at W = 1.
[[nodiscard]] llvm::Value* existing_lanes(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* first_lane,
                                          std::uint32_t width, llvm::ArrayRef<llvm::Value*> limit);

}  // namespace weft::lower
