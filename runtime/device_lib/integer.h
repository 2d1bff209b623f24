// Integer division and remainder with results for all operands: x / 0 = x, x % 0 = 0, the most negative number by -1 is
// itself, remainder 0.
//
// LLVM turns vector integer division into one division per lane. 32-bit operands are divided as f64 instead: the
// rounded quotient of integers a and b never reaches the integer above the true quotient, as that is at least 1 / b
// away, more than 2^-53 of it, so cutting it is exact. 64-bit operands are left to LLVM; narrower ones are widened by
// the caller.
#pragma once

#include "runtime/device_lib/pack.h"

namespace weft::device_lib {

template <class I>
inline constexpr bool kIs32Bit = sizeof(ElementOf<I>) == 4;

// trunc(a / b) modulo 2^32, for b other than 0.
template <class I>
WEFT_DEVICE_INLINE I quotient_by_f64(I a, I b) {
  using Wide = Rebind<I, double>;
  const Wide quotient = trunc(convert<Wide>(a) / convert<Wide>(b));
  // In a number near 1.5 * 2^52 the low bits of the mantissa are the integer, in two's complement.
  return convert<I>(bits_of(quotient + 0x1.8p52));
}

template <class I>
WEFT_DEVICE_INLINE I divide_or_keep(I a, I b) {
  using T = ElementOf<I>;
  const auto by_zero = b == T{0};
  I quotient;
  if constexpr (kIs32Bit<I> && kWidthOf<I> > 1) {
    quotient = quotient_by_f64(a, b);
  } else if constexpr (std::is_signed_v<T>) {
    const auto negated = b == T{-1};
    using U = Rebind<I, std::make_unsigned_t<T>>;
    quotient = a / select(by_zero | negated, I(T{1}), b);
    quotient = select(negated, bit_cast<I>(U{} - bit_cast<U>(a)), quotient);
  } else {
    quotient = a / select(by_zero, I(T{1}), b);
  }
  return select(by_zero, a, quotient);
}

template <class I>
WEFT_DEVICE_INLINE I remainder_or_zero(I a, I b) {
  using T = ElementOf<I>;
  using U = Rebind<I, std::make_unsigned_t<T>>;
  const U product = bit_cast<U>(divide_or_keep(a, b)) * bit_cast<U>(b);
  return select(b == T{0}, I{}, bit_cast<I>(bit_cast<U>(a) - product));
}

}  // namespace weft::device_lib
