#include "codegen/passes/slots.h"

#include <algorithm>

namespace weft::passes {

using ir::TypeKind;

std::uint32_t slot_count(ir::TypeTable& types, ir::TypeId type) {
  const ir::Type& t = types[type];
  switch (t.kind) {
    case TypeKind::vector: return t.rows;
    case TypeKind::matrix: return std::uint32_t{t.rows} * t.columns;
    case TypeKind::array: return slot_count(types, t.element);
    case TypeKind::structure: return slot_of_part(types, type, t.members.size());
    case TypeKind::void_:
    case TypeKind::buffer:
    case TypeKind::byte_buffer:
    case TypeKind::reference:
#define WEFT_SCALAR(name, id, text, bits, category, letter) case TypeKind::name:
#include "codegen/ir/scalars.def"
      return 1;
  }
  return 1;
}

bool has_array(const ir::TypeTable& types, ir::TypeId type) {
  const ir::Type& t = types[type];
  return t.kind == TypeKind::array ||
         (t.kind == TypeKind::structure &&
          std::ranges::any_of(t.members, [&](const ir::Member& member) { return has_array(types, member.type); }));
}

std::uint32_t slot_of_part(ir::TypeTable& types, ir::TypeId aggregate, std::uint64_t index) {
  const ir::Type& t = types[aggregate];
  switch (t.kind) {
    case TypeKind::vector: return static_cast<std::uint32_t>(index);
    case TypeKind::matrix: return static_cast<std::uint32_t>(index) * t.rows;
    case TypeKind::structure: {
      std::uint32_t slot = 0;
      for (std::size_t i = 0; i < index; ++i) {
        slot += slot_count(types, t.members[i].type);
      }
      return slot;
    }
    default: return 0;
  }
}

}  // namespace weft::passes
