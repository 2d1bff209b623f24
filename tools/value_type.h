// The type of a value or of a buffer's elements, as far as arrays of numbers can express it.
#pragma once

#include "codegen/ir/type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tools {

// Numbers of one scalar type without padding: shape {} for a scalar, {3} for a vec<f32, 3>, {4, 4} for a matrix, column
// by column. Everything else, structs for instance, is its bytes.
struct ValueType {
  std::string text;  // in text form
  ir::TypeKind scalar = ir::TypeKind::u8;
  std::vector<std::uint64_t> shape;
  std::uint64_t size_bytes = 0;
  bool is_opaque = false;  // is its bytes

  std::uint64_t scalar_count() const;  // of one value
};

std::uint64_t scalar_size_bytes(ir::TypeKind scalar);

// The scalar of that name in text form, or void_.
ir::TypeKind find_scalar(std::string_view text);

// `text` is a type in text form, `size_bytes` its size, or the distance of a buffer's elements.
ValueType value_type(std::string_view text, std::uint64_t size_bytes);

}  // namespace weft::tools
