// Where the scalars of a value or of a buffer's elements are in its bytes, found independently of what is tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codegen/ir/type.h"

namespace weft::test {

struct ImageScalar {
  std::uint64_t offset_bytes;
  ir::TypeKind kind;
};

[[nodiscard]] bool is_buffer(const ir::TypeTable& types, ir::TypeId type);

// The bytes of a value, or of `count` elements of a buffer.
[[nodiscard]] std::uint64_t image_bytes(const ir::TypeTable& types, ir::TypeId type, std::uint64_t count);
// The scalars in order. Of a byte buffer each byte is a u8.
[[nodiscard]] std::vector<ImageScalar> image_scalars(const ir::TypeTable& types, ir::TypeId type, std::uint64_t count);

[[nodiscard]] std::uint64_t read_image(std::span<const std::byte> bytes, const ImageScalar& place);
void write_image(std::span<std::byte> bytes, const ImageScalar& place, std::uint64_t bits);

// A scalar as a person reads it.
[[nodiscard]] std::string scalar_text(ir::TypeKind kind, std::uint64_t bits);

}  // namespace weft::test
