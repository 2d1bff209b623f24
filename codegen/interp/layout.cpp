#include "codegen/interp/layout.h"

namespace weft::interp {

using namespace ir;

namespace {

void append_leaves(const TypeTable& types, TypeId id, std::uint64_t offset, std::vector<Leaf>& to);

void append_matrix(const TypeTable& types, const Type& t, std::uint64_t offset, std::vector<Leaf>& to) {
  const std::uint64_t scalar_bytes = types[t.element].size_bytes;
  const std::uint64_t column_step = t.row_major ? scalar_bytes : t.stride_bytes;
  const std::uint64_t row_step = t.row_major ? t.stride_bytes : scalar_bytes;
  for (std::uint32_t j = 0; j < t.columns; ++j) {
    for (std::uint32_t i = 0; i < t.rows; ++i) {
      append_leaves(types, t.element, offset + j * column_step + i * row_step, to);
    }
  }
}

void append_leaves(const TypeTable& types, TypeId id, std::uint64_t offset, std::vector<Leaf>& to) {
  const Type& t = types[id];
  if (is_scalar(t.kind)) {
    to.push_back({offset, t.kind, static_cast<std::uint32_t>(t.size_bytes)});
  } else if (t.kind == TypeKind::matrix) {
    append_matrix(types, t, offset, to);
  } else {
    for (std::uint64_t i = 0; i < types.part_count(id); ++i) {
      const TypeId part = t.kind == TypeKind::structure ? t.members[i].type : t.element;
      append_leaves(types, part, offset + types.part_offset_bytes(id, i), to);
    }
  }
}

}  // namespace

std::uint32_t word_count(const TypeTable& types, TypeId type) {
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::reference: return Place::kWords;
    case TypeKind::buffer:
    case TypeKind::byte_buffer: return kBufferWords;
    case TypeKind::void_:
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array:
    case TypeKind::structure:
#define WEFT_SCALAR(name, id, text, bits, category, letter) case TypeKind::name:
#include "codegen/ir/scalars.def"
      return t.leaf_count;
  }
  return 0;
}

std::uint32_t part_words(const TypeTable& types, TypeId aggregate, std::uint64_t part) {
  const Type& t = types[aggregate];
  return t.kind == TypeKind::structure ? word_count(types, t.members[part].type)
         : t.kind == TypeKind::matrix  ? t.rows
                                       : word_count(types, t.element);
}

std::uint32_t words_before(const TypeTable& types, TypeId aggregate, std::uint64_t part) {
  if (types[aggregate].kind != TypeKind::structure) {
    return part_words(types, aggregate, 0) * static_cast<std::uint32_t>(part);
  }
  std::uint32_t words = 0;
  for (std::uint64_t i = 0; i < part; ++i) {
    words += part_words(types, aggregate, i);
  }
  return words;
}

std::vector<Leaf> leaves(const TypeTable& types, TypeId type) {
  std::vector<Leaf> list;
  append_leaves(types, type, 0, list);
  return list;
}

}  // namespace weft::interp
