// How parts of a type are called in the text: x y z w of vectors, members of structs by name, others by number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codegen/ir/type.h"

namespace weft::ir {

// The index of a part; nothing if there is none of that name.
[[nodiscard]] std::optional<std::uint64_t> find_part(const TypeTable& types, TypeId aggregate,
                                                     std::string_view spelling);

// Whether a part's spelling is that of several components, such as `zyx`.
[[nodiscard]] bool is_swizzle(std::string_view spelling);

// The packed Components of a vector; nothing if one is not there.
[[nodiscard]] std::optional<std::uint64_t> find_components(const TypeTable& types, TypeId vector,
                                                           std::string_view spelling);

[[nodiscard]] std::string part_text(const TypeTable& types, TypeId aggregate, std::uint64_t part);
[[nodiscard]] std::string components_text(std::uint64_t packed);

// What parts there are, for messages: "its members are position, mass".
[[nodiscard]] std::string parts_text(const TypeTable& types, TypeId aggregate);

}  // namespace weft::ir
