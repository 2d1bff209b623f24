#include "codegen/ir/arguments.h"

#include <algorithm>

namespace weft::ir {

namespace {

constexpr std::uint64_t kSlotAlign = 8;

std::uint64_t align_up(std::uint64_t offset, std::uint64_t align) { return (offset + align - 1) / align * align; }

bool is_buffer(TypeKind kind) { return kind == TypeKind::buffer || kind == TypeKind::byte_buffer; }

}  // namespace

ArgumentLayout layout_arguments(const TypeTable& types, const Function& kernel) {
  ArgumentLayout layout;
  for (const Parameter& parameter : kernel.parameters) {
    const Type& type = types[kernel.type(parameter.value)];
    const std::uint64_t size = is_buffer(type.kind) ? kBufferArgumentBytes : type.size_bytes;
    const std::uint64_t offset = align_up(layout.size_bytes, std::max<std::uint64_t>(kSlotAlign, type.align_bytes));
    layout.slots.push_back({offset, size});
    layout.size_bytes = align_up(offset + size, kSlotAlign);
  }
  return layout;
}

}  // namespace weft::ir
