// What the ops of the families arith, bits and compare mean for scalars: one small function each, for all
// operand values. Vectors and matrices are component by component.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <limits>

#include "codegen/interp/scalar.h"

namespace weft::interp::meaning {

// --- arith: integers are computed as unsigned numbers of at least 32 bits, where wrapping is defined.

template <Integer T>
using Wrapping = std::common_type_t<UnsignedOf<T>, std::uint32_t>;

template <Number T>
T add(T a, T b) {
  if constexpr (Floating<T>) {
    return a + b;
  } else {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
}

template <Number T>
T sub(T a, T b) {
  if constexpr (Floating<T>) {
    return a - b;
  } else {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
}

template <Number T>
T mul(T a, T b) {
  if constexpr (Floating<T>) {
    return a * b;
  } else {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
}

// MIN / -1, whose quotient is not in range.
template <Integer T>
bool overflows(T a, T b) {
  return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
}

template <Number T>
T div(T a, T b) {
  if constexpr (Floating<T>) {
    return a / b;
  } else {
    return b == 0 || overflows(a, b) ? a : static_cast<T>(a / b);
  }
}

template <Number T>
T rem(T a, T b) {
  if constexpr (std::same_as<T, Half>) {
    return static_cast<Half>(std::fmod(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (Floating<T>) {
    return std::fmod(a, b);
  } else {
    return b == 0 || overflows(a, b) ? T(0) : static_cast<T>(a % b);
  }
}

template <Number T>
T neg(T a) {
  if constexpr (Floating<T>) {
    return -a;
  } else {
    return sub<T>(0, a);
  }
}

template <Floating T>
bool sign_bit(T a) {
  return to_bits(a) >> (8 * sizeof(T) - 1) != 0;
}

template <Number T>
T abs(T a) {
  if constexpr (Floating<T>) {
    return sign_bit(a) ? -a : a;
  } else {
    return a < 0 ? neg(a) : a;
  }
}

template <Floating T>
bool is_nan(T a) {
  return std::isnan(static_cast<double>(a));
}

// Whether a comes before b in the order of min and max, which knows -0 < +0.
template <Number T>
bool before(T a, T b) {
  if constexpr (Floating<T>) {
    return a < b || (a == b && sign_bit(a) && !sign_bit(b));
  } else {
    return a < b;
  }
}

template <Number T>
T min(T a, T b) {
  if constexpr (Floating<T>) {
    if (is_nan(a) || is_nan(b)) {
      return is_nan(a) ? b : a;
    }
  }
  return before(b, a) ? b : a;
}

template <Number T>
T max(T a, T b) {
  if constexpr (Floating<T>) {
    if (is_nan(a) || is_nan(b)) {
      return is_nan(a) ? b : a;
    }
  }
  return before(a, b) ? b : a;
}

// Of halves in double: the product p is exact, with at most 22 bits. The sum with c is exact too wherever that matters.
// It needs more than 53 bits only if p has bits below 2^-36 (sums of 2^17 and more are infinite, c has no bits below
// 2^-24), so |p| < 2^-14, while |c| >= 2^53 * 2^-48; then p is far from half of c's last place, and the result is c.
template <Floating T>
T fma(T a, T b, T c) {
  if constexpr (std::same_as<T, Half>) {
    return static_cast<Half>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
  } else {
    return std::fma(a, b, c);
  }
}

// The upper half of the product of twice the width.
template <Integer T>
T mul_high(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>((Wide(a) * Wide(b)) >> (8 * sizeof(T)));
}

// --- bits

template <Bits T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <Bits T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <Bits T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}

template <Bits T>
T bit_not(T a) {
  if constexpr (Boolean<T>) {
    return !a;
  } else {
    return static_cast<T>(~a);
  }
}

template <Integer T>
int shift_amount(T b) {
  return static_cast<int>(static_cast<UnsignedOf<T>>(b) % (8 * sizeof(T)));
}

template <Integer T>
T shl(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) << shift_amount(b));
}
template <Integer T>
T shr(T a, T b) {
  return static_cast<T>(a >> shift_amount(b));
}
template <Integer T>
T rotl(T a, T b) {
  return static_cast<T>(std::rotl(static_cast<UnsignedOf<T>>(a), shift_amount(b)));
}
template <Integer T>
T rotr(T a, T b) {
  return static_cast<T>(std::rotr(static_cast<UnsignedOf<T>>(a), shift_amount(b)));
}

template <Integer T>
T clz(T a) {
  return static_cast<T>(std::countl_zero(static_cast<UnsignedOf<T>>(a)));
}
template <Integer T>
T ctz(T a) {
  return static_cast<T>(std::countr_zero(static_cast<UnsignedOf<T>>(a)));
}
template <Integer T>
T popcount(T a) {
  return static_cast<T>(std::popcount(static_cast<UnsignedOf<T>>(a)));
}

template <Integer T>
T reverse_bits(T a) {
  constexpr int kWidth = 8 * sizeof(T);
  UnsignedOf<T> reversed = 0;
  for (int i = 0; i < kWidth; ++i) {
    const auto bit = static_cast<UnsignedOf<T>>(static_cast<UnsignedOf<T>>(a) >> i & 1);
    reversed = static_cast<UnsignedOf<T>>(reversed | (bit << (kWidth - 1 - i)));
  }
  return static_cast<T>(reversed);
}

// --- compare: C++'s operators mean the same, with NaN too.

template <Floating T>
bool is_inf(T a) {
  return abs(a) == static_cast<T>(std::numeric_limits<double>::infinity());
}
template <Floating T>
bool is_finite(T a) {
  return !is_nan(a) && !is_inf(a);
}

}  // namespace weft::interp::meaning
