// What a type of the IR must keep: sizes that fit, strides and offsets that hold what they hold, aligned, without
// overlap.
#pragma once

#include <optional>
#include <string>

#include "codegen/ir/module.h"

namespace weft::ir {

// The largest value type, in bytes; buffers hold any number of such.
inline constexpr std::uint64_t kMaxTypeBytes = (std::uint64_t{1} << 31) - 1;

// What is wrong with a type, given that the types that it is made of are right.
[[nodiscard]] std::optional<std::string> type_problem(const TypeTable& types, TypeId type);

// What is wrong with the layout or name of one member of a struct, its own type aside.
[[nodiscard]] std::optional<std::string> member_problem(const TypeTable& types, TypeId structure, std::size_t member);

// What is wrong with a constant: it has the leaves of its type, each no wider than its scalar.
[[nodiscard]] std::optional<std::string> constant_problem(const TypeTable& types, const Constant& constant);

}  // namespace weft::ir
