// The device library's math, as the interpreter calls it: one lane, native code, the same bits as in kernels.
//
// Declares weft_<name>_<type>x1 for every row of math.def, and a query by name for those who meet functions as data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

extern "C" {
#define WEFT_DECLARE_unary(name, type, T) T weft_##name##_##type##x1(T x);
#define WEFT_DECLARE_binary(name, type, T) T weft_##name##_##type##x1(T x, T y);
#define WEFT_DECLARE_with_integer(name, type, T) T weft_##name##_##type##x1(T x, std::int32_t n);
#define WEFT_DECLARE_to_integer(name, type, T) std::int32_t weft_##name##_##type##x1(T x);
#define WEFT_DECLARE_unsigned(name) \
  WEFT_DECLARE_binary(name, u32, std::uint32_t) WEFT_DECLARE_binary(name, u64, std::uint64_t)
#define WEFT_DECLARE_signed(name) \
  WEFT_DECLARE_binary(name, i32, std::int32_t) WEFT_DECLARE_binary(name, i64, std::int64_t)

#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning, method) \
  WEFT_DECLARE_##shape(name, f32, float) WEFT_DECLARE_##shape(name, f64, double)
#define WEFT_INTEGER_MATH(name, sign, function, meaning) WEFT_DECLARE_##sign(name)
#define WEFT_DECLARE_FAST_f32(name, shape) WEFT_DECLARE_##shape(fast_##name, f32, float)
#define WEFT_DECLARE_FAST_f64(name, shape) WEFT_DECLARE_##shape(fast_##name, f64, double)
#define WEFT_FAST_MATH(name, shape, type, ulp, low, high, domain) WEFT_DECLARE_FAST_##type(name, shape)
#include "runtime/device_lib/math.def"

#undef WEFT_DECLARE_unary
#undef WEFT_DECLARE_binary
#undef WEFT_DECLARE_with_integer
#undef WEFT_DECLARE_to_integer
#undef WEFT_DECLARE_unsigned
#undef WEFT_DECLARE_signed
#undef WEFT_DECLARE_FAST_f32
#undef WEFT_DECLARE_FAST_f64
}

namespace weft::device_lib {

// Packs of more bits have no symbols: their users split them.
inline constexpr int kMaxDeviceVectorBits = 512;

// Operands and result, as math.def defines them.
enum class MathShape { unary, binary, with_integer, to_integer };

// One row of math.def.
struct MathFunction {
  std::string_view name;
  MathShape shape;
  double ulp_f32;  // bound of the error, in units in the last place
  double ulp_f64;
  std::string_view meaning;
  std::string_view method;
  double fast_ulp_f32 = 0;  // bound of the fast variant within its domain; 0 if there is none
  double fast_ulp_f64 = 0;
  std::string_view fast_domain_f32 = {};
  std::string_view fast_domain_f64 = {};

  constexpr bool has_fast_f32() const { return fast_ulp_f32 > 0; }
  constexpr bool has_fast_f64() const { return fast_ulp_f64 > 0; }
  constexpr int arity() const { return shape == MathShape::binary || shape == MathShape::with_integer ? 2 : 1; }
};

// All rows, in the order of math.def.
std::span<const MathFunction> math_functions();

// The function of that name, or null. The result lives as long as the program.
const MathFunction* find_math(std::string_view name);

}  // namespace weft::device_lib
