#include "dsl/constants.h"

#include <cstring>

#include "runtime/support/check.h"

namespace weft::dsl {

namespace {

void append_leaves(const TypeInfo& type, const std::byte* bytes, std::vector<std::uint64_t>& leaves) {
  switch (type.kind) {
    case TypeClass::scalar: {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes, type.size_bytes);
      leaves.push_back(bits);
      return;
    }
    case TypeClass::vector:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        append_leaves(*type.element, bytes + i * type.element->size_bytes, leaves);
      }
      return;
    case TypeClass::matrix:
      for (std::uint32_t c = 0; c < type.columns; ++c) {
        for (std::uint32_t r = 0; r < type.count; ++r) {
          append_leaves(*type.element, bytes + c * type.stride_bytes + r * type.element->size_bytes, leaves);
        }
      }
      return;
    case TypeClass::array:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        append_leaves(*type.element, bytes + i * type.stride_bytes, leaves);
      }
      return;
    case TypeClass::structure:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        append_leaves(*type.members[i].type, bytes + type.members[i].offset_bytes, leaves);
      }
      return;
    case TypeClass::buffer:
    case TypeClass::byte_buffer:
    case TypeClass::reference: WEFT_UNREACHABLE("a resource is no constant");
  }
}

}  // namespace

std::vector<std::uint64_t> leaves_of(const TypeInfo& type, const void* bytes) {
  std::vector<std::uint64_t> leaves;
  append_leaves(type, static_cast<const std::byte*>(bytes), leaves);
  return leaves;
}

}  // namespace weft::dsl
