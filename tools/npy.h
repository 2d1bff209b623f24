// Arrays in NumPy's .npy files: header versions 1 to 3, C order, little endian, and the element types that kernels have
// (b1, i1 to i8, u1 to u8, f2, f4, f8).
#pragma once

#include "codegen/ir/type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tools {

struct Array {
  ir::TypeKind scalar = ir::TypeKind::u8;
  std::vector<std::uint64_t> shape;  // empty for a single value
  std::vector<std::byte> bytes;
};

// NumPy's name of a scalar type: "<f4".
std::string npy_type(ir::TypeKind scalar);

// Both throw FileError; `name` is what it calls the file. Any bytes may be given.
Array read_npy(std::span<const std::byte> bytes, std::string_view name);

// A file of version 1.0, which every reader knows.
std::string write_npy(ir::TypeKind scalar, std::span<const std::uint64_t> shape, std::span<const std::byte> bytes);

}  // namespace weft::tools
