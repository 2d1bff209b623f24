#include "codegen/ir/type.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "codegen/ir/text/spelling.h"
#include "runtime/support/check.h"

namespace weft::ir {

namespace {

struct ScalarRow {
  std::string_view text;
  std::uint32_t bits;
  ScalarCategory category;
  char letter;
};

constexpr std::array kScalars{
#define WEFT_SCALAR(name, id, text, bits, category, letter) ScalarRow{text, bits, ScalarCategory::category, letter},
#include "codegen/ir/scalars.def"
};

const ScalarRow& row(TypeKind kind) {
  WEFT_CHECK(is_scalar(kind));
  return kScalars[static_cast<std::size_t>(kind) - 1];
}

std::uint32_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(a * b, std::numeric_limits<std::uint32_t>::max()));
}

std::string struct_key(const std::string& name, const std::vector<Member>& members, std::uint64_t size,
                       std::uint32_t align) {
  std::string key = fmt::format("struct {} {} {}", name, size, align);
  for (const Member& m : members) {
    key += fmt::format(" {}:{}@{}", m.name, m.type.index, m.offset_bytes);
  }
  return key;
}

}  // namespace

bool is_scalar(TypeKind kind) { return kind >= TypeKind::boolean && kind <= TypeKind::f64; }
ScalarCategory scalar_category(TypeKind kind) { return row(kind).category; }
std::uint32_t scalar_bits(TypeKind kind) { return row(kind).bits; }
std::uint64_t memory_bytes(TypeKind scalar) { return std::max(1U, row(scalar).bits / 8); }
std::string_view scalar_text(TypeKind kind) { return row(kind).text; }
char scalar_letter(TypeKind kind) { return row(kind).letter; }

TypeTable::TypeTable() {
  types_.push_back({});
  for (std::size_t i = 0; i < kScalars.size(); ++i) {
    const auto bytes = std::max(1U, kScalars[i].bits / 8);
    types_.push_back(
        {.kind = static_cast<TypeKind>(i + 1), .size_bytes = bytes, .align_bytes = bytes, .leaf_count = 1});
  }
}

TypeId TypeTable::intern(Type type, const std::string& key) {
  const auto [it, inserted] = index_.try_emplace(key, TypeId(types_.size()));
  if (inserted) {
    types_.push_back(std::move(type));
  }
  return it->second;
}

TypeId TypeTable::vector(TypeId scalar, std::uint32_t components) {
  const Type& s = types_[scalar.index];
  WEFT_CHECK(is_scalar(s.kind) && components >= 2 && components <= 4);
  return intern({.kind = TypeKind::vector,
                 .rows = static_cast<std::uint8_t>(components),
                 .element = scalar,
                 .size_bytes = s.size_bytes * components,
                 .align_bytes = s.align_bytes,
                 .leaf_count = components},
                fmt::format("vec {} {}", scalar.index, components));
}

TypeId TypeTable::matrix(TypeId scalar, std::uint32_t columns, std::uint32_t rows, std::uint64_t stride_bytes,
                         bool row_major) {
  const Type& s = types_[scalar.index];
  WEFT_CHECK(is_scalar(s.kind) && columns >= 2 && columns <= 4 && rows >= 2 && rows <= 4);
  const std::uint32_t inner = row_major ? columns : rows;
  const std::uint32_t outer = row_major ? rows : columns;
  const std::uint64_t stride = stride_bytes != 0 ? stride_bytes : s.size_bytes * inner;
  return intern({.kind = TypeKind::matrix,
                 .row_major = row_major,
                 .columns = static_cast<std::uint8_t>(columns),
                 .rows = static_cast<std::uint8_t>(rows),
                 .element = scalar,
                 .stride_bytes = stride,
                 .size_bytes = stride * outer,
                 .align_bytes = s.align_bytes,
                 .leaf_count = columns * rows},
                fmt::format("mat {} {} {} {} {}", scalar.index, columns, rows, stride, row_major));
}

TypeId TypeTable::array(TypeId element, std::uint32_t count, std::uint64_t stride_bytes) {
  const Type& e = types_[element.index];
  WEFT_CHECK(count >= 1);
  const std::uint64_t stride = stride_bytes != 0 ? stride_bytes : e.size_bytes;
  return intern({.kind = TypeKind::array,
                 .element = element,
                 .count = count,
                 .stride_bytes = stride,
                 .size_bytes = stride * count,
                 .align_bytes = e.align_bytes,
                 .leaf_count = saturating_product(e.leaf_count, count)},
                fmt::format("array {} {} {}", element.index, count, stride));
}

TypeId TypeTable::structure(std::string name, const std::vector<Member>& members, std::uint64_t size_bytes,
                            std::uint32_t align_bytes) {
  std::uint64_t leaves = 0;
  for (const Member& m : members) {
    leaves += types_[m.type.index].leaf_count;
  }
  const TypeId id = intern({.kind = TypeKind::structure,
                            .size_bytes = size_bytes,
                            .align_bytes = align_bytes,
                            .leaf_count = saturating_product(leaves, 1),
                            .name = name,
                            .members = members},
                           struct_key(name, members, size_bytes, align_bytes));
  structures_.try_emplace(std::move(name), id);
  return id;
}

TypeId TypeTable::buffer(TypeId element, std::uint64_t stride_bytes) {
  const std::uint64_t stride = stride_bytes != 0 ? stride_bytes : types_[element.index].size_bytes;
  return intern({.kind = TypeKind::buffer, .element = element, .stride_bytes = stride},
                fmt::format("buffer {} {}", element.index, stride));
}

TypeId TypeTable::byte_buffer() { return intern({.kind = TypeKind::byte_buffer, .stride_bytes = 1}, "byte_buffer"); }

TypeId TypeTable::reference(TypeId element) {
  return intern({.kind = TypeKind::reference, .element = element}, fmt::format("ref {}", element.index));
}

TypeId TypeTable::find_structure(std::string_view name) const {
  const auto found = structures_.find(std::string(name));
  return found == structures_.end() ? TypeId() : found->second;
}

TypeId TypeTable::with_scalar(TypeId shape, TypeId scalar) {
  const Type& t = types_[shape.index];
  return t.kind == TypeKind::vector   ? vector(scalar, t.rows)
         : t.kind == TypeKind::matrix ? matrix(scalar, t.columns, t.rows)
                                      : scalar;
}

TypeId TypeTable::scalar_of(TypeId type) const {
  const Type& t = types_[type.index];
  if (is_scalar(t.kind)) {
    return type;
  }
  return t.kind == TypeKind::vector || t.kind == TypeKind::matrix ? t.element : TypeId();
}

std::uint64_t TypeTable::part_count(TypeId aggregate) const {
  const Type& t = types_[aggregate.index];
  switch (t.kind) {
    case TypeKind::vector: return t.rows;
    case TypeKind::matrix: return t.columns;
    case TypeKind::array: return t.count;
    case TypeKind::structure: return t.members.size();
    case TypeKind::void_:
    case TypeKind::buffer:
    case TypeKind::byte_buffer:
    case TypeKind::reference:
#define WEFT_SCALAR(name, id, text, bits, category, letter) case TypeKind::name:
#include "codegen/ir/scalars.def"
      return 0;
  }
  return 0;
}

TypeId TypeTable::part(TypeId aggregate, std::uint64_t index) {
  if (index >= part_count(aggregate)) {
    return {};
  }
  const Type& t = types_[aggregate.index];
  if (t.kind == TypeKind::matrix) {
    return vector(t.element, t.rows);
  }
  return t.kind == TypeKind::structure ? t.members[index].type : t.element;
}

std::uint64_t TypeTable::part_offset_bytes(TypeId aggregate, std::uint64_t index) const {
  const Type& t = types_[aggregate.index];
  if (t.kind == TypeKind::structure) {
    return t.members[index].offset_bytes;
  }
  if (t.kind == TypeKind::vector || (t.kind == TypeKind::matrix && t.row_major)) {
    return types_[t.element.index].size_bytes * index;
  }
  return t.stride_bytes * index;
}

std::string TypeTable::text(TypeId type) const {
  const Type& t = types_[type.index];
  const std::string element = t.element.valid() ? text(t.element) : std::string();
  const auto strided = [&](std::uint64_t natural) {
    return t.stride_bytes == natural ? std::string() : fmt::format(", stride {}", t.stride_bytes);
  };
  const std::uint64_t element_bytes = t.element.valid() ? types_[t.element.index].size_bytes : 0;
  switch (t.kind) {
    case TypeKind::void_: return "void";
#define WEFT_SCALAR(name, id, text, bits, category, letter) case TypeKind::name:
#include "codegen/ir/scalars.def"
      return std::string(scalar_text(t.kind));
    case TypeKind::vector: return fmt::format("vec<{}, {}>", element, t.rows);
    case TypeKind::matrix:
      return fmt::format("mat<{}, {}, {}{}{}>", element, t.columns, t.rows,
                         strided(element_bytes * (t.row_major ? t.columns : t.rows)), t.row_major ? ", row_major" : "");
    case TypeKind::array: return fmt::format("array<{}, {}{}>", element, t.count, strided(element_bytes));
    case TypeKind::structure: return is_type_word(t.name) ? quoted(t.name) : spelled(t.name);
    case TypeKind::buffer: return fmt::format("buffer<{}{}>", element, strided(element_bytes));
    case TypeKind::byte_buffer: return "byte_buffer";
    case TypeKind::reference: return fmt::format("ref<{}>", element);
  }
  return {};
}

}  // namespace weft::ir
