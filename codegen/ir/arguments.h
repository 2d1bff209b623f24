// Where a kernel's arguments are in the argument block that a dispatch hands to it. The host that fills the block, the
// interpreter and the lowering all ask here.
//
// A value is laid out as its type is in memory. A buffer is two 64 bit words: the address of its first byte and its
// number of elements (bytes for a byte buffer). Slots follow one another in the order of the parameters, each at a
// multiple of 8 and of its type's alignment.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

inline constexpr std::uint64_t kBufferArgumentBytes = 16;

struct ArgumentSlot {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

struct ArgumentLayout {
  std::vector<ArgumentSlot> slots;  // one for each parameter
  std::uint64_t size_bytes = 0;     // of the whole block, a multiple of 8
};

[[nodiscard]] ArgumentLayout layout_arguments(const TypeTable& types, const Function& kernel);

}  // namespace weft::ir
