// sinh, cosh, tanh and their inverses, all through expm1 and log1p with a low part.
//
// With E = expm1(|x|): sinh = (E + E / (E + 1)) / 2, cosh = ((E + 1) + 1 / (E + 1)) / 2; with E = expm1(2 |x|):
// tanh = E / (E + 2). The inverses are log1p of what fdlibm uses: asinh of t + t^2 / (1 + sqrt(1 + t^2)), acosh of
// t + sqrt(2 t + t^2) with t = x - 1, atanh half of 2 x / (1 - x).
#pragma once

#include "runtime/device_lib/exp.h"
#include "runtime/device_lib/log.h"

namespace weft::device_lib {

// a + b for |a.hi| >= |b.hi|, rounded.
template <FloatPack F>
WEFT_DEVICE_INLINE F rounded_sum(Pair<F> a, Pair<F> b) {
  const Pair<F> sum = fast_two_sum(a.hi, b.hi);
  return sum.hi + (sum.lo + (a.lo + b.lo));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F sinh(F x) {
  using T = ElementOf<F>;
  const F magnitude = clamp(abs(x), T(0), ExpRange<T>::kMaxSinh);
  const Pair<F> quarter = quarter_expm1(magnitude);
  const Pair<F> sum = two_sum(quarter.hi, F(T(0.25)));
  const Pair<F> decayed = divide(scaled(quarter, T(0.25)), Pair<F>{sum.hi, sum.lo + quarter.lo});
  return select(magnitude < Limits<T>::kTiny, x, copysign(T(2) * rounded_sum(quarter, decayed), x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F cosh(F x) {
  using T = ElementOf<F>;
  const F magnitude = clamp(abs(x), T(0), ExpRange<T>::kMaxSinh);
  const Pair<F> quarter = quarter_expm1(magnitude);
  const Pair<F> sum = two_sum(quarter.hi, F(T(0.25)));
  const Pair<F> grown = fast_two_sum(sum.hi, sum.lo + quarter.lo);
  const Pair<F> decayed = divide(Pair<F>{F(T(0.0625)), F(T(0))}, grown);
  return T(2) * rounded_sum(grown, decayed);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F tanh(F x) {
  using T = ElementOf<F>;
  const F magnitude = clamp(abs(x), T(0), ExpRange<T>::kMaxTanh);
  const Pair<F> quarter = quarter_expm1(magnitude + magnitude);
  const Pair<F> sum = two_sum(quarter.hi, F(T(0.5)));
  const Pair<F> ratio = divide(quarter, Pair<F>{sum.hi, sum.lo + quarter.lo});
  return select(magnitude < Limits<T>::kTiny, x, copysign(ratio.hi, x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F asinh(F x) {
  using T = ElementOf<F>;
  constexpr T kLarge = Limits<T>::kIntegerUlp * T(4);  // from here on asinh(x) = log(2 x) to every rounding
  const F magnitude = abs(x);
  const auto large = magnitude > kLarge;
  const F t = select(large, F(T(1)), magnitude);
  const F square = t * t;
  const F root = sqrt(square + T(1));
  const Pair<F> argument = fast_two_sum(t, square / (root + T(1)));
  const F near = log1p_pair(argument);
  const F far = log_doubled(select(large, magnitude, F(T(1))));
  return select(magnitude < Limits<T>::kTiny, x, copysign(select(large, far, near), x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F acosh(F x) {
  using T = ElementOf<F>;
  constexpr T kLarge = Limits<T>::kIntegerUlp * T(4);
  const auto large = x > kLarge;
  const F t = select(large, F(T(1)), x) - T(1);
  const Pair<F> t_plus_2 = two_sum(t, F(T(2)));
  const Pair<F> product = two_product(t, t_plus_2.hi);
  const Pair<F> root = square_root(Pair<F>{product.hi, fma(t, t_plus_2.lo, product.lo)});
  const Pair<F> sum = two_sum(root.hi, t);
  const F near = log1p_pair(fast_two_sum(sum.hi, sum.lo + root.lo));
  const F far = log_doubled(select(large, x, F(T(1))));
  const F result = select(x == T(1), F(T(0)), select(large, far, near));
  return select(x < T(1), F(Limits<T>::kNaN), result);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F atanh(F x) {
  using T = ElementOf<F>;
  const F magnitude = abs(x);
  const Pair<F> rest = fast_two_sum(F(T(1)), -magnitude);
  const F result = T(0.5) * log1p_pair(divide(Pair<F>{magnitude + magnitude, F(T(0))}, rest));
  const F special = select(magnitude == T(1), F(Limits<T>::kInfinity), F(Limits<T>::kNaN));
  const F signed_result = copysign(select(magnitude < T(1), result, select(is_nan(x), x, special)), x);
  return select(magnitude < Limits<T>::kTiny, x, signed_result);
}

}  // namespace weft::device_lib
