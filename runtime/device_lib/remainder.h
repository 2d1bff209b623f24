// fmod: exact for all operands.
//
// While the quotient fits the mantissa its rounded value, cut to an integer, is right or one too large, and the
// remainder by fma is exact. Larger quotients take the schoolbook division of the mantissas as integers, in a cold
// function.
#pragma once

#include "runtime/device_lib/pack.h"

namespace weft::device_lib {

// A positive finite number as mantissa * 2^(exponent - bias - mantissa bits).
struct IntegerMantissa {
  std::uint64_t mantissa;
  int exponent;
};

template <class T>
IntegerMantissa integer_mantissa(T x) {
  using Format = FormatOf<T>;
  const auto bits = __builtin_bit_cast(typename Format::Bits, x);
  const int exponent = static_cast<int>(bits >> Format::kMantissaBits);
  const std::uint64_t mantissa = bits & Limits<T>::kMantissaMask;
  if (exponent == 0) return {mantissa, 1};
  return {mantissa | (std::uint64_t{1} << Format::kMantissaBits), exponent};
}

// x mod y for finite x >= y > 0.
template <class T>
T long_remainder(T x, T y) {
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  constexpr int kStep = 63 - Format::kMantissaBits;  // a remainder shifted by so much still fits 64 bits
  const IntegerMantissa dividend = integer_mantissa(x);
  const IntegerMantissa divisor = integer_mantissa(y);
  std::uint64_t rest = dividend.mantissa % divisor.mantissa;
  for (int left = dividend.exponent - divisor.exponent; left > 0; left -= kStep) {
    rest = (rest << (left < kStep ? left : kStep)) % divisor.mantissa;
  }
  if (rest == 0) return T(0);
  const int headroom = __builtin_clzll(rest) - kStep;  // places to the left until the leading bit is the implicit one
  if (headroom < divisor.exponent) {
    const Bits mantissa = static_cast<Bits>(rest << headroom) & Limits<T>::kMantissaMask;
    return __builtin_bit_cast(T, (Bits(divisor.exponent - headroom) << Format::kMantissaBits) | mantissa);
  }
  return __builtin_bit_cast(T, static_cast<Bits>(rest << (divisor.exponent - 1)));
}

// For the lanes where `hard` is set; the others get 0.
template <FloatPack F>
WEFT_DEVICE_COLD F long_remainders(F x, F y, BitsOf<F> hard) {
  F result = F(ElementOf<F>(0));
  for (int i = 0; i < kWidthOf<F>; ++i) {
    if (lane(hard, i) != 0) set_lane(result, i, long_remainder(lane(x, i), lane(y, i)));
  }
  return result;
}

// x - trunc(x / y) y, exactly, with the sign of x; NaN if x is infinite or y is 0.
template <FloatPack F>
WEFT_DEVICE_INLINE F fmod(F x, F y) {
  using T = ElementOf<F>;
  using Bits = typename FormatOf<T>::Bits;
  const F a = abs(x);
  const F b = abs(y);
  const F quotient = trunc(a / b);
  F result = fma(-quotient, b, a);
  result = select(result < T(0), result + b, result);

  const auto valid = (a < Limits<T>::kInfinity) & (b > T(0));
  const auto hard = valid & (quotient >= Limits<T>::kIntegerUlp * T(2));
  if (any(hard)) [[unlikely]] {
    result = select(hard, long_remainders(a, b, select(hard, BitsOf<F>(Bits{1}), BitsOf<F>{})), result);
  }
  result = select(a < b, a, result);
  return select(valid, copysign(result, x), F(Limits<T>::kNaN));
}

}  // namespace weft::device_lib
