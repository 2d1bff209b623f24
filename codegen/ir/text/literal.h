// Numbers of the text form. A number is decimal, or hexadecimal for the bits of any scalar type, or one of true, false,
// inf, -inf, nan; a suffix such as _f32 says its type where the op does not. What is printed reads back to the same
// bits: the shortest decimal that does, and bits in hexadecimal for a NaN with a payload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/ir/type.h"

namespace weft::ir {

struct Literal {
  std::string_view digits;
  TypeId suffix;            // the scalar type; invalid without a suffix
  bool bad_suffix = false;  // what follows the underscore is no scalar type
};

// Whether a word (not a number token) is a literal: true, false, inf, nan, with or without a suffix.
[[nodiscard]] bool is_literal_word(std::string_view word);

// Splits a token into digits and suffix.
[[nodiscard]] Literal split_literal(std::string_view token);

// The type of a word such as `f32`; invalid for others.
[[nodiscard]] TypeId scalar_type_of(std::string_view word);

struct ScalarBits {
  std::uint64_t bits = 0;
  std::string error;  // why the digits are no value of the type; empty if they are
};

[[nodiscard]] ScalarBits read_scalar(TypeKind scalar, std::string_view digits);

// Without suffix.
[[nodiscard]] std::string scalar_literal(TypeKind scalar, std::uint64_t bits);

}  // namespace weft::ir
