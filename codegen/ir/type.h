// Types of the IR and their memory layout.
//
// Layout is explicit: struct offsets, size and alignment, and the strides of arrays, matrices and buffers are part of
// the type, because they come from the host's own types and host and kernel must never disagree. Two structs of other
// names but the same members are different types; all other types are equal when their parts are.
//
// A scalar is its own size; a bool is one byte. A vector is its components without padding and aligned as one of them,
// so that a float3 is 12 bytes; a 16-byte layout is said by the offsets and strides around it. A matrix is `columns`
// vectors of `rows` components (or the transpose in memory when row_major), `stride` bytes apart.
//
// As a value a type is the list of its scalar leaves, in order: components, columns, elements, members.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/ir/id.h"

namespace weft::ir {

enum class TypeKind : std::uint8_t {
  void_,
#define WEFT_SCALAR(name, id, text, bits, category, letter) name,
#include "codegen/ir/scalars.def"
  vector,
  matrix,
  array,
  structure,
  buffer,
  byte_buffer,
  reference,
};

enum class ScalarCategory : std::uint8_t { boolean, signed_integer, unsigned_integer, floating };

// A member of a struct: `offset_bytes` from the struct's start.
struct Member {
  std::string name;
  TypeId type;
  std::uint32_t offset_bytes = 0;
  friend bool operator==(const Member&, const Member&) = default;
};

struct Type {
  TypeKind kind = TypeKind::void_;
  bool row_major = false;          // matrix: rows, not columns, are contiguous in memory
  std::uint8_t columns = 0;        // matrix: 2 to 4
  std::uint8_t rows = 0;           // vector: components, 2 to 4; matrix: 2 to 4
  TypeId element;                  // vector, matrix: the scalar; array, buffer, reference: what they hold
  std::uint32_t count = 0;         // array: number of elements, at least 1
  std::uint64_t stride_bytes = 0;  // matrix: between columns (rows); array, buffer: between elements
  std::uint64_t size_bytes = 0;    // in memory; 0 for void, resources and references
  std::uint32_t align_bytes = 1;
  std::uint32_t leaf_count = 0;  // number of scalar leaves of a value; saturates at UINT32_MAX
  std::string name;              // struct
  std::vector<Member> members;   // struct
};

// Interns types: equal types have equal ids. The scalar types have fixed ids, in the order of TypeKind.
class TypeTable {
 public:
  TypeTable();

  [[nodiscard]] const Type& operator[](TypeId id) const { return types_[id.index]; }
  [[nodiscard]] std::size_t size() const { return types_.size(); }

  [[nodiscard]] static TypeId scalar(TypeKind kind) { return TypeId(static_cast<std::size_t>(kind)); }
  TypeId vector(TypeId scalar, std::uint32_t components);
  // stride_bytes 0: the columns (rows if row_major) without padding.
  TypeId matrix(TypeId scalar, std::uint32_t columns, std::uint32_t rows, std::uint64_t stride_bytes = 0,
                bool row_major = false);
  // stride_bytes 0: the element's size.
  TypeId array(TypeId element, std::uint32_t count, std::uint64_t stride_bytes = 0);
  // Sizes and offsets are taken as given; the verifier checks that members lie inside and do not overlap.
  TypeId structure(std::string name, const std::vector<Member>& members, std::uint64_t size_bytes,
                   std::uint32_t align_bytes);
  TypeId buffer(TypeId element, std::uint64_t stride_bytes = 0);
  TypeId byte_buffer();
  TypeId reference(TypeId element);

  // The struct of that name, or an invalid id.
  [[nodiscard]] TypeId find_structure(std::string_view name) const;

  // The type of the same shape (scalar or vector) whose scalar is `scalar`.
  TypeId with_scalar(TypeId shape, TypeId scalar);
  // The scalar of a scalar, vector or matrix; an invalid id for others.
  [[nodiscard]] TypeId scalar_of(TypeId type) const;
  // The type of member, component, column or element `index` of an aggregate; an invalid id if there is none.
  [[nodiscard]] TypeId part(TypeId aggregate, std::uint64_t index);
  // Number of parts that `part` accepts; 0 for what is no aggregate.
  [[nodiscard]] std::uint64_t part_count(TypeId aggregate) const;
  // The offset in bytes of a part in memory.
  [[nodiscard]] std::uint64_t part_offset_bytes(TypeId aggregate, std::uint64_t index) const;

  // The text form, such as `vec<f32, 3>`; structs by name.
  [[nodiscard]] std::string text(TypeId type) const;

 private:
  TypeId intern(Type type, const std::string& key);

  std::deque<Type> types_;
  std::unordered_map<std::string, TypeId> index_;
  std::unordered_map<std::string, TypeId> structures_;  // by name, the first of each
};

inline constexpr TypeId kVoid{0};
#define WEFT_SCALAR(name, id, text, bits, category, letter) \
  inline constexpr TypeId k##id{static_cast<std::size_t>(TypeKind::name)};
#include "codegen/ir/scalars.def"

[[nodiscard]] bool is_scalar(TypeKind kind);
[[nodiscard]] ScalarCategory scalar_category(TypeKind kind);
[[nodiscard]] std::uint32_t scalar_bits(TypeKind kind);  // 1 for bool
[[nodiscard]] std::uint64_t memory_bytes(TypeKind scalar);
[[nodiscard]] std::string_view scalar_text(TypeKind kind);
[[nodiscard]] char scalar_letter(TypeKind kind);  // as in abi::SiteInfo::types

}  // namespace weft::ir
