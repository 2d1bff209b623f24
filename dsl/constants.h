// Values of the host as constants of the IR.
#pragma once

#include <weft/dsl/type_info.h>

#include <cstdint>
#include <vector>

namespace weft::dsl {

// The bits of a value's scalar leaves in order: components, columns, elements, members. A bool is 0 or 1.
[[nodiscard]] std::vector<std::uint64_t> leaves_of(const TypeInfo& type, const void* bytes);

}  // namespace weft::dsl
