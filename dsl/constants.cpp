#include "dsl/constants.h"

#include <cstring>

#include "codegen/ir/builder.h"
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

std::int64_t signed_value(ir::TypeKind kind, std::uint64_t bits) {
  const std::uint32_t unused = 64 - ir::scalar_bits(kind);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

std::vector<std::uint64_t> leaves_of(const TypeInfo& type, const void* bytes) {
  std::vector<std::uint64_t> leaves;
  append_leaves(type, static_cast<const std::byte*>(bytes), leaves);
  return leaves;
}

std::optional<std::uint64_t> cast_exactly(ir::TypeKind from, std::uint64_t bits, ir::TypeKind to) {
  constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;
  const ir::ScalarCategory category = ir::scalar_category(from);
  if (category == ir::ScalarCategory::floating || to == ir::TypeKind::boolean) {
    return std::nullopt;
  }
  const std::int64_t value =
      category == ir::ScalarCategory::signed_integer ? signed_value(from, bits) : static_cast<std::int64_t>(bits);
  if (value < 0 && category != ir::ScalarCategory::signed_integer) {
    return std::nullopt;
  }
  if (ir::scalar_category(to) != ir::ScalarCategory::floating) {
    const std::uint32_t unused = 64 - ir::scalar_bits(to);
    return static_cast<std::uint64_t>(value) << unused >> unused;
  }
  if (value > kExactInDouble || value < -kExactInDouble) {
    return std::nullopt;
  }
  return ir::scalar_bits_of(to, static_cast<double>(value));
}

}  // namespace weft::dsl
