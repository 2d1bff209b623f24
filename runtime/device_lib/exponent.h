// ldexp and frexp: what moves the exponent of a number.
#pragma once

#include "runtime/device_lib/pack.h"

namespace weft::device_lib {

template <FloatPack F>
struct Normalized {
  F value;             // the number, times 2^(mantissa bits) if it was denormal
  IntOf<F> exponent;   // of the number itself
  MaskOf<F> ordinary;  // neither 0 nor infinite nor NaN
};

template <FloatPack F>
WEFT_DEVICE_INLINE Normalized<F> normalized(F x) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  using Int = typename Format::Int;
  const F magnitude = abs(x);
  const auto denormal = magnitude < Limits<T>::kMinNormal;
  const F value = select(denormal, x * Limits<T>::kIntegerUlp, x);
  const IntOf<F> biased = bit_cast<IntOf<F>>(bits_of(abs(value)) >> Format::kMantissaBits);
  const IntOf<F> bias = select(denormal, IntOf<F>(Int{Format::kExponentBias + Format::kMantissaBits}),
                               IntOf<F>(Int{Format::kExponentBias}));
  const MaskOf<F> ordinary = (magnitude > T(0)) & (magnitude < Limits<T>::kInfinity);
  return {value, biased - bias, ordinary};
}

// x's sign and mantissa with another exponent; x must be normal.
template <FloatPack F>
WEFT_DEVICE_INLINE F with_exponent(F x, int exponent) {
  using T = ElementOf<F>;
  const BitsOf<F> kept = bits_of(x) & (Limits<T>::kSignMask | Limits<T>::kMantissaMask);
  return bit_cast<F>(kept | __builtin_bit_cast(typename FormatOf<T>::Bits, power_of_two<T>(exponent)));
}

template <class V>
WEFT_DEVICE_INLINE V clamp_integer(V x, ElementOf<V> low, ElementOf<V> high) {
  x = select(x < low, V(low), x);
  return select(x > high, V(high), x);
}

// x * 2^n, rounded once. With |x| = m 2^e, 1 <= m < 2: m 2^first is exact, and times 2^second is the one rounding.
template <FloatPack F>
WEFT_DEVICE_INLINE F ldexp(F x, Rebind<F, std::int32_t> n) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  constexpr int kBias = Format::kExponentBias;
  const Normalized<F> parts = normalized(x);
  const IntOf<F> bounded = clamp_integer(convert<IntOf<F>>(n), -5 * kBias, 5 * kBias);
  const IntOf<F> exponent = parts.exponent + bounded;
  const IntOf<F> first = clamp_integer(exponent, 1 - kBias, kBias);
  const IntOf<F> second = clamp_integer(exponent - first, -(Format::kMantissaBits + 2), 2);
  const F result = with_exponent(parts.value, 0) * exp2_integer<F>(bit_cast<BitsOf<F>>(first)) *
                   exp2_integer<F>(bit_cast<BitsOf<F>>(second));
  return select(parts.ordinary, result, x);
}

// The f of x = f 2^e with 1/2 <= |f| < 1; 0, infinity and NaN are their own fraction.
template <FloatPack F>
WEFT_DEVICE_INLINE F frexp_fraction(F x) {
  const Normalized<F> parts = normalized(x);
  return select(parts.ordinary, with_exponent(parts.value, -1), x);
}

// The e of x = f 2^e with 1/2 <= |f| < 1; 0 for 0, infinity and NaN.
template <FloatPack F>
WEFT_DEVICE_INLINE Rebind<F, std::int32_t> frexp_exponent(F x) {
  const Normalized<F> parts = normalized(x);
  return convert<Rebind<F, std::int32_t>>(select(parts.ordinary, parts.exponent + 1, IntOf<F>{}));
}

}  // namespace weft::device_lib
