// exp, exp2, exp10, expm1 and the kernel that pow and the hyperbolic functions share.
//
// x = n ln 2 + r, |r| <= ln(2)/2, after Cody and Waite; exp(r) = 1 + r + r^2 P(r). Arguments are first limited to a
// range whose ends over- and underflow by themselves, so no lane needs a special case, and NaN goes through.
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

// x * 2^n, rounded once, for 1/2 <= |x| <= 2 and |n| <= 2 bias. In two factors, as 2^n may be out of range itself.
template <FloatPack F>
WEFT_DEVICE_INLINE F scale_by_exp2(F x, BitsOf<F> n) {
  constexpr int kEvenOffset = 4 * FormatOf<ElementOf<F>>::kExponentBias + 4;  // makes n positive for the shift
  const BitsOf<F> half = ((n + kEvenOffset) >> 1) - kEvenOffset / 2;
  return x * exp2_integer<F>(half) * exp2_integer<F>(n - half);
}

// The part of expm1(r) beyond r, |r| <= ln(2)/2.
template <FloatPack F>
WEFT_DEVICE_INLINE F expm1_tail(F r) {
  return r * r * horner(r, Constants<ElementOf<F>>::kExpm1);
}

// 2^n exp(r), |r| <= ln(2)/2. The low part of a pair must be below an ulp or so of the high one.
template <FloatPack F>
WEFT_DEVICE_INLINE F exp_kernel(BitsOf<F> n, F r) {
  return scale_by_exp2(ElementOf<F>(1) + (r + expm1_tail(r)), n);
}
template <FloatPack F>
WEFT_DEVICE_INLINE F exp_kernel(BitsOf<F> n, Pair<F> r) {
  return scale_by_exp2(ElementOf<F>(1) + (r.hi + (r.lo + expm1_tail(r.hi))), n);
}

template <class T>
struct ExpRange;  // beyond [kMin, kMax] exp is 0 or infinity to every rounding; likewise for exp2 and exp10
template <>
struct ExpRange<float> {
  static constexpr float kMin = -104.0F, kMax = 89.0F;
  static constexpr float kMin2 = -151.0F, kMax2 = 129.0F;
  static constexpr float kMin10 = -46.0F, kMax10 = 39.0F;
  static constexpr float kMinM1 = -20.0F, kMaxSinh = 89.5F, kMaxTanh = 10.0F;
};
template <>
struct ExpRange<double> {
  static constexpr double kMin = -746.0, kMax = 710.0;
  static constexpr double kMin2 = -1076.0, kMax2 = 1025.0;
  static constexpr double kMin10 = -325.0, kMax10 = 309.0;
  static constexpr double kMinM1 = -40.0, kMaxSinh = 710.6, kMaxTanh = 22.0;
};

template <FloatPack F>
WEFT_DEVICE_INLINE F exp(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const F bounded = clamp(x, ExpRange<T>::kMin, ExpRange<T>::kMax);
  const Rounded<F> n = round_product(bounded, C::kLog2E[0]);
  const F r = fma(-n.value, F(C::kLn2[1]), fma(-n.value, F(C::kLn2[0]), bounded));
  return exp_kernel(n.bits, r);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F exp2(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const F bounded = clamp(x, ExpRange<T>::kMin2, ExpRange<T>::kMax2);
  const Rounded<F> n = round_product(bounded, T(1));
  const F fraction = bounded - n.value;
  const Pair<F> r = two_product(fraction, F(C::kLn2[0]));
  return exp_kernel(n.bits, Pair<F>{r.hi, fma(fraction, F(C::kLn2[1]), r.lo)});
}

template <FloatPack F>
WEFT_DEVICE_INLINE F exp10(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const F bounded = clamp(x, ExpRange<T>::kMin10, ExpRange<T>::kMax10);
  const Rounded<F> n = round_product(bounded, C::kLog2Of10);
  const F first = fma(-n.value, F(C::kLog10Of2[0]), bounded);  // exact
  const Pair<F> fraction = fast_two_sum(first, -n.value * C::kLog10Of2[1]);
  const Pair<F> r = two_product(fraction.hi, F(C::kLn10[0]));
  return exp_kernel(n.bits, Pair<F>{r.hi, fma(fraction.hi, F(C::kLn10[1]), fma(fraction.lo, F(C::kLn10[0]), r.lo))});
}

// (exp(x) - 1) / 4 as a pair, for x in [kMinM1, kMaxSinh]: a quarter, so that sinh and cosh reach their last values.
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
