// What a pack knows of its surroundings: the block, the dispatch, the arguments, its first lane.
//
// While the body is lowered each such value is a call without operands of a function "weft.ctx..." that touches no
// memory, so that the coroutine split may make it again after each suspend point instead of keeping it in the frame.
// bind_context() puts loads from the block context in their place, at the entry of each function, once the split is
// done.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace weft::lower {

enum class ContextValue : std::uint8_t {
  block_context,  // ptr to the BlockContext
  shared,         // ptr
  scratch,        // ptr to the pack's scratch area
  first_lane,     // i32: number of the pack's lane 0 in the block
  entry_mask,     // <W x i1>: lanes that exist
  block_id_x,     // i32, then y and z
  block_id_y,
  block_id_z,
  grid_size_x,
  grid_size_y,
  grid_size_z,
  dispatch_size_x,
  dispatch_size_y,
  dispatch_size_z,
  kernel_id,
};

// A value of the given type (see above).
[[nodiscard]] llvm::Value* context_value(llvm::IRBuilder<>& b, ContextValue value, llvm::Type* type);
[[nodiscard]] ContextValue operator+(ContextValue first, std::uint64_t dimension);

// The scalar at a byte offset of the argument block.
[[nodiscard]] llvm::Value* argument_value(llvm::IRBuilder<>& b, std::uint64_t offset_bytes, llvm::Type* type);

// Whether an instruction is such a call.
[[nodiscard]] bool is_context_call(const llvm::Instruction& instruction);

// What a function uses in place of the calls.
struct ContextBinding {
  llvm::Value* block_context = nullptr;
  llvm::Value* first_lane = nullptr;
  llvm::Value* entry_mask = nullptr;  // iW
  llvm::Value* scratch = nullptr;
};
void bind_context(llvm::Function& function, const ContextBinding& binding);

// Reads a field of the BlockContext; `index` counts in elements of `type`.
[[nodiscard]] llvm::Value* load_context(llvm::IRBuilder<>& b, llvm::Value* block_context, std::size_t offset_bytes,
                                        llvm::Type* type, std::uint64_t index = 0);
// Writes a field of the BlockContext that is not read in this way, in a pack function.
void store_context(llvm::IRBuilder<>& b, std::size_t offset_bytes, llvm::Value* value);

}  // namespace weft::lower
