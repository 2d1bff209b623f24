// Values of the host as constants of the IR.
#pragma once

#include <weft/dsl/type_info.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/ir/type.h"

namespace weft::dsl {

// The bits of a value's scalar leaves in order: components, columns, elements, members. A bool is 0 or 1.
[[nodiscard]] std::vector<std::uint64_t> leaves_of(const TypeInfo& type, const void* bytes);

// The bits of a number in another scalar type; nothing if it may not be exact there, which is left to the op.
[[nodiscard]] std::optional<std::uint64_t> cast_exactly(ir::TypeKind from, std::uint64_t bits, ir::TypeKind to);

}  // namespace weft::dsl
