// What a type of the IR must keep: sizes that fit, strides and offsets that hold what they hold, aligned, without
// overlap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::ir {

// The largest value type, in bytes; buffers hold any number of such.
inline constexpr std::uint64_t kMaxTypeBytes = (std::uint64_t{1} << 31) - 1;

// What is wrong with a type, given that the types that it is made of are right.
[[nodiscard]] std::optional<std::string> type_problem(const TypeTable& types, TypeId type);

struct MemberProblem {
  std::size_t member;
  std::string message;
};

// What is wrong with the members of a struct: their types, names, places.
[[nodiscard]] std::vector<MemberProblem> member_problems(const TypeTable& types, TypeId structure);

// What is wrong with a constant: it has the leaves of its type, each no wider than its scalar.
[[nodiscard]] std::optional<std::string> constant_problem(const TypeTable& types, const Constant& constant);

}  // namespace weft::ir
