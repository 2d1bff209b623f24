#include "tests/support/scalar_image.h"

#include <algorithm>
#include <cstring>

#include "codegen/ir/text/literal.h"

namespace weft::test {

using namespace ir;

namespace {

void append(const TypeTable& types, TypeId id, std::uint64_t offset, std::vector<ImageScalar>& to) {
  const Type& t = types[id];
  if (is_scalar(t.kind)) {
    to.push_back({offset, t.kind});
    return;
  }
  if (t.kind == TypeKind::matrix) {
    const std::uint64_t size = types[t.element].size_bytes;
    for (std::uint64_t i = 0; i < std::uint64_t{t.columns} * t.rows; ++i) {
      const std::uint64_t column = i / t.rows;
      const std::uint64_t row = i % t.rows;
      append(types, t.element,
             offset + (t.row_major ? row * t.stride_bytes + column * size : column * t.stride_bytes + row * size), to);
    }
    return;
  }
  for (std::uint64_t i = 0; i < types.part_count(id); ++i) {
    append(types, t.kind == TypeKind::structure ? t.members[i].type : t.element,
           offset + types.part_offset_bytes(id, i), to);
  }
}

std::uint64_t scalar_bytes(TypeKind kind) { return std::max(1U, scalar_bits(kind) / 8); }

}  // namespace

bool is_buffer(const TypeTable& types, TypeId type) {
  return types[type].kind == TypeKind::buffer || types[type].kind == TypeKind::byte_buffer;
}

std::uint64_t image_bytes(const TypeTable& types, TypeId type, std::uint64_t count) {
  return is_buffer(types, type) ? types[type].stride_bytes * count : types[type].size_bytes;
}

std::vector<ImageScalar> image_scalars(const TypeTable& types, TypeId type, std::uint64_t count) {
  std::vector<ImageScalar> scalars;
  if (!is_buffer(types, type)) {
    append(types, type, 0, scalars);
    return scalars;
  }
  const TypeId element = types[type].kind == TypeKind::buffer ? types[type].element : kU8;
  for (std::uint64_t i = 0; i < count; ++i) {
    append(types, element, types[type].stride_bytes * i, scalars);
  }
  return scalars;
}

std::uint64_t read_image(std::span<const std::byte> bytes, const ImageScalar& place) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + place.offset_bytes, scalar_bytes(place.kind));
  return bits;
}

void write_image(std::span<std::byte> bytes, const ImageScalar& place, std::uint64_t bits) {
  std::memcpy(bytes.data() + place.offset_bytes, &bits, scalar_bytes(place.kind));
}

std::string scalar_text(TypeKind kind, std::uint64_t bits) { return scalar_literal(kind, bits); }

}  // namespace weft::test
