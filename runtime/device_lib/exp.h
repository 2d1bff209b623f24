// exp, exp2, exp10, expm1 and the kernel that pow and the hyperbolic functions share.
//
// x = n ln 2 + r, |r| <= ln(2)/2, after Cody and Waite (Software Manual for the Elementary Functions, 1980); exp(r) =
// 1 + r + r^2 P(r), and 2^f and 10^f have polynomials of their own. Arguments are first limited to a
// range whose ends over- and underflow by themselves, so no lane needs a special case, and NaN goes through.
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

// x * 2^n, rounded once, for 1/2 <= |x| <= 2 and -bias - 64 <= n <= bias + 2. In two factors, as 2^n may be out of
// range itself; the first product is exact.
template <FloatPack F>
WEFT_DEVICE_INLINE F scale_by_exp2(F x, Rounded<F> n) {
  using T = ElementOf<F>;
  using Bits = typename FormatOf<T>::Bits;
  const auto negative = n.value < T(0);
  const BitsOf<F> moved = n.bits + select(negative, BitsOf<F>(Bits{64}), BitsOf<F>(~Bits{0}));
  return x * exp2_integer<F>(moved) * select(negative, F(T(0x1p-64)), F(T(2)));
}

// The part of expm1(r) beyond r, |r| <= ln(2)/2.
template <FloatPack F>
WEFT_DEVICE_INLINE F expm1_tail(F r) {
  return r * r * horner(r, Constants<ElementOf<F>>::kExpm1);
}

// exp(r), |r| <= ln(2)/2.
template <FloatPack F>
WEFT_DEVICE_INLINE F exp_of_reduced(F r) {
  return ElementOf<F>(1) + (r + expm1_tail(r));
}

template <class T>
struct ExpRange;  // beyond [kMin, kMax] exp is 0 or infinity to every rounding; likewise for exp2 and exp10
template <>
struct ExpRange<float> {
  static constexpr float kMin = -104.0F, kMax = 89.0F;
  static constexpr float kMin2 = -151.0F, kMax2 = 129.0F;
  static constexpr float kMin10 = -46.0F, kMax10 = 38.7F;
  static constexpr float kMinM1 = -20.0F, kMaxSinh = 89.5F, kMaxTanh = 10.0F;
};
template <>
struct ExpRange<double> {
  static constexpr double kMin = -746.0, kMax = 710.0;
  static constexpr double kMin2 = -1076.0, kMax2 = 1025.0;
  static constexpr double kMin10 = -325.0, kMax10 = 308.5;
  static constexpr double kMinM1 = -40.0, kMaxSinh = 710.6, kMaxTanh = 22.0;
};

// x - n ln 2, rounded about once.
template <FloatPack F>
WEFT_DEVICE_INLINE F without_ln2(F x, F n) {
  using C = Constants<ElementOf<F>>;
  return fma(-n, F(C::kLn2[1]), fma(-n, F(C::kLn2[0]), x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F exp(F x) {
  using T = ElementOf<F>;
  const F bounded = clamp(x, ExpRange<T>::kMin, ExpRange<T>::kMax);
  const Rounded<F> n = round_product(bounded, Constants<T>::kLog2E[0]);
  return scale_by_exp2(exp_of_reduced(without_ln2(bounded, n.value)), n);
}

// 2^f, |f| <= 1/2.
template <FloatPack F>
WEFT_DEVICE_INLINE F exp2_of_fraction(F f) {
  using T = ElementOf<F>;
  return fma(f, horner(f, Constants<T>::kExp2), F(T(1)));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F exp2(F x) {
  using T = ElementOf<F>;
  const F bounded = clamp(x, ExpRange<T>::kMin2, ExpRange<T>::kMax2);
  const Rounded<F> n = round_product(bounded, T(1));
  return scale_by_exp2(exp2_of_fraction(bounded - n.value), n);
}

// 10^x / 2^n for n the integer next to x log2(10).
template <FloatPack F>
WEFT_DEVICE_INLINE F exp10_of_fraction(F x, F n) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const F f = fma(-n, F(C::kLog10Of2[1]), fma(-n, F(C::kLog10Of2[0]), x));  // the first step is exact
  return fma(f, horner(f, C::kExp10), F(T(1)));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F exp10(F x) {
  using T = ElementOf<F>;
  const F bounded = clamp(x, ExpRange<T>::kMin10, ExpRange<T>::kMax10);
  const Rounded<F> n = round_product(bounded, Constants<T>::kLog2Of10);
  return scale_by_exp2(exp10_of_fraction(bounded, n.value), n);
}

// exp(x) / 4 for 0 <= x <= kMaxSinh: a quarter, so that sinh and cosh reach their last values.
template <FloatPack F>
WEFT_DEVICE_INLINE F quarter_exp(F x) {
  const Rounded<F> n = round_product(x, Constants<ElementOf<F>>::kLog2E[0]);
  return exp_of_reduced(without_ln2(x, n.value)) * exp2_integer<F>(n.bits - 2);
}

// (exp(x) - 1) / 4 as a pair, for x in [kMinM1, kMaxSinh]: a quarter, so that it does not overflow.
// With exp(r) - 1 = q: (2^n q + (2^n - 1)) / 4; cancellation is mild, as |x| > ln(2)/2 wherever n is not 0.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> quarter_expm1(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const Rounded<F> n = round_product(x, C::kLog2E[0]);
  const F first = fma(-n.value, F(C::kLn2[0]), x);
  const F r = fma(-n.value, F(C::kLn2[1]), first);
  const F r_low = fma(-n.value, F(C::kLn2[1]), first - r);
  const Pair<F> q = fast_two_sum(r, r_low + expm1_tail(r));
  const F scale = exp2_integer<F>(n.bits - 2);
  const Pair<F> offset = two_sum(scale, F(T(-0.25)));
  const Pair<F> sum = two_sum(offset.hi, q.hi * scale);
  return fast_two_sum(sum.hi, fma(q.lo, scale, sum.lo + offset.lo));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F expm1(F x) {
  using T = ElementOf<F>;
  const Pair<F> quarter = quarter_expm1(clamp(x, ExpRange<T>::kMinM1, ExpRange<T>::kMaxSinh));
  return select(abs(x) < Limits<T>::kTiny, x, T(4) * quarter.hi);
}

}  // namespace weft::device_lib
