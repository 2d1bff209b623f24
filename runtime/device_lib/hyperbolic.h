// sinh, cosh, tanh and their inverses.
//
// sinh and cosh are (exp(x) -+ exp(-x)) / 2, sinh a polynomial below 1; with E = expm1(2 |x|) as a pair, tanh = E / (E
// + 2). The inverses are log1p of what fdlibm uses: asinh of t + t^2 / (1 + sqrt(1 + t^2)), acosh of t + sqrt(2 t +
// t^2) with t = x - 1, atanh half of 2 x / (1 - x), whose rounding error counts.
#pragma once

#include "runtime/device_lib/exp.h"
#include "runtime/device_lib/log.h"

namespace weft::device_lib {

// The polynomial below 1, where the exponentials would cancel.
template <FloatPack F>
WEFT_DEVICE_INLINE F sinh(F x) {
  using T = ElementOf<F>;
  const F magnitude = abs(x);
  const F z = x * x;
  const F near = fma(x * z, horner(z, Constants<T>::kSinh), x);
  const F quarter = quarter_exp(clamp(magnitude, T(0), ExpRange<T>::kMaxSinh));
  const F far = T(2) * (quarter - T(0.0625) / quarter);
  return select(magnitude < T(1), near, copysign(far, x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F cosh(F x) {
  using T = ElementOf<F>;
  const F quarter = quarter_exp(clamp(abs(x), T(0), ExpRange<T>::kMaxSinh));
  return T(2) * (quarter + T(0.0625) / quarter);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F tanh(F x) {
  using T = ElementOf<F>;
  const F magnitude = clamp(abs(x), T(0), ExpRange<T>::kMaxTanh);
  const Pair<F> quarter = quarter_expm1(magnitude + magnitude);
  const Pair<F> sum = two_sum(quarter.hi, F(T(0.5)));
  const Pair<F> ratio = divide(quarter, Pair<F>{sum.hi, sum.lo + quarter.lo});
  return select(magnitude < Limits<T>::kTiny, x, copysign(rounded_sum(ratio), x));
}

// From here on asinh(x) and acosh(x) are log(2 x) to every rounding.
template <class T>
inline constexpr T kLargeArea = Limits<T>::kIntegerUlp * T(4);

// log(1 + a), a below kLargeArea, or log(2 x) where `large`.
template <FloatPack F>
WEFT_DEVICE_INLINE F log1p_or_doubled(Pair<F> a, F x, MaskOf<F> large) {
  using T = ElementOf<F>;
  const Log1pTerms<F> t = log1p_terms(select(large, x, a.hi));
  LogTerms<F> sum = t.terms;
  sum.c = select(large, sum.c, fma(a.lo, t.scale, sum.c));  // the derivative cut to 1
  sum.exponent = sum.exponent + select(large, F(T(1)), F(T(0)));
  return sum_of(sum);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F asinh(F x) {
  using T = ElementOf<F>;
  const F magnitude = abs(x);
  const auto large = magnitude > kLargeArea<T>;
  const F square = magnitude * magnitude;
  const Pair<F> argument = fast_two_sum(magnitude, square / (T(1) + sqrt(square + T(1))));
  const F result = log1p_or_doubled(argument, magnitude, large);
  return copysign(select(magnitude < Limits<T>::kInfinity, result, magnitude), x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F acosh(F x) {
  using T = ElementOf<F>;
  const F t = x - T(1);
  const Pair<F> argument = fast_two_sum(sqrt(fma(t, t, t + t)), t);
  const F result = log1p_or_doubled(argument, x, x > kLargeArea<T>);
  return select(x < T(1), F(Limits<T>::kNaN), select(x < Limits<T>::kInfinity, result, x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F atanh(F x) {
  using T = ElementOf<F>;
  const F magnitude = abs(x);
  const Pair<F> rest = fast_two_sum(F(T(1)), -magnitude);
  const Pair<F> ratio = divide(magnitude + magnitude, rest);
  Log1pTerms<F> t = log1p_terms(ratio.hi);
  t.terms.c = fma(ratio.lo, t.scale, t.terms.c);  // the derivative cut to 1
  const F result = T(0.5) * sum_of(t.terms);
  const F special = select(magnitude == T(1), F(Limits<T>::kInfinity), F(Limits<T>::kNaN));
  return copysign(select(magnitude < T(1), result, special), x);
}

}  // namespace weft::device_lib
