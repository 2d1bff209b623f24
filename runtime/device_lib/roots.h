// cbrt, hypot and rsqrt.
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

// 1 / sqrt(x), both rounded.
template <FloatPack F>
WEFT_DEVICE_INLINE F rsqrt(F x) {
  return ElementOf<F>(1) / sqrt(x);
}

// |x| = a 2^(3 q), 1 <= a < 8. y = a^(-1/3) starts as a polynomial of a's mantissa and takes one step of fourth order
// (the series of (1 - e)^(-1/3), e = 1 - a y^3); t = a y^2 is then corrected by its residual a - t^3, computed exactly
// enough that the result is within a hair of half an ulp.
template <FloatPack F>
WEFT_DEVICE_INLINE F cbrt(F x) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  constexpr int kDenormalThird = (Format::kMantissaBits + 2) / 3;  // denormals are scaled by its third power
  constexpr Bits kThirdBias = (Format::kExponentBias + 2) / 3;
  const F magnitude = abs(x);
  const auto denormal = magnitude < Limits<T>::kMinNormal;
  const BitsOf<F> bits = bits_of(select(denormal, magnitude * power_of_two<T>(3 * kDenormalThird), magnitude));

  const BitsOf<F> exponent = (bits >> Format::kMantissaBits) + (3 * kThirdBias - Format::kExponentBias);
  const BitsOf<F> third = (exponent * 0x5556) >> 16;  // exponent / 3, right up to 2^14
  const BitsOf<F> rest = exponent - third * 3;
  const BitsOf<F> mantissa = bits & Limits<T>::kMantissaMask;
  const F m = bit_cast<F>(mantissa | (Bits{Format::kExponentBias} << Format::kMantissaBits));
  const F a = bit_cast<F>(mantissa | ((rest + Format::kExponentBias) << Format::kMantissaBits));

  F start = select(rest == 1, F(T(0x1.965fea53d6e3dp-1)), F(T(1)));  // 2^(-rest / 3)
  start = select(rest == 2, F(T(0x1.428a2f98d728bp-1)), start);
  F y = start * horner(m, Constants<T>::kReciprocalCbrt);
  const F e = fma(-(a * y), y * y, F(T(1)));
  y = fma(y * e, fma(e, fma(e, F(T(14) / T(81)), F(T(2) / T(9))), F(T(1) / T(3))), y);

  const F t = a * (y * y);
  const Pair<F> square = two_product(t, t);
  const Pair<F> cube = two_product(square.hi, t);
  const F residual = (a - cube.hi) - fma(square.lo, t, cube.lo);
  const F root = fma(residual, y * y * (T(1) / T(3)), t);

  const BitsOf<F> bias = select(denormal, BitsOf<F>(Bits(Format::kExponentBias - kThirdBias - kDenormalThird)),
                                BitsOf<F>(Bits(Format::kExponentBias - kThirdBias)));
  const F result = copysign(root * bit_cast<F>((third + bias) << Format::kMantissaBits), x);
  return select((magnitude > T(0)) & (magnitude < Limits<T>::kInfinity), result, x);
}

// sqrt(x^2 + y^2) without undue over- and underflow: both are scaled by the power of two that takes the larger to [4,
// 8) (denormals less far). The sum's error is halved by the square root.
template <FloatPack F>
WEFT_DEVICE_INLINE F hypot(F x, F y) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  const F abs_x = abs(x);
  const F abs_y = abs(y);
  const auto swapped = abs_y > abs_x;
  const F larger = select(swapped, abs_y, abs_x);
  const F smaller = select(swapped, abs_x, abs_y);

  BitsOf<F> exponent = bits_of(larger) >> Format::kMantissaBits;
  exponent = select(exponent < Bits{3}, BitsOf<F>(Bits{3}), exponent);
  const F down = bit_cast<F>((2 * Format::kExponentBias + 2 - exponent) << Format::kMantissaBits);
  const F up = bit_cast<F>((exponent - 2) << Format::kMantissaBits);
  const F a = larger * down;
  const F b = smaller * down;
  const F result = sqrt(fma(a, a, b * b)) * up;
  const auto infinite = (abs_x == Limits<T>::kInfinity) | (abs_y == Limits<T>::kInfinity);
  return select(infinite, F(Limits<T>::kInfinity), result);
}

}  // namespace weft::device_lib
