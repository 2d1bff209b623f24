// sin, cos and tan.
//
// After the reduction (trig_reduction.h) both kernels are evaluated and each lane takes the one of its quadrant. sin
// and cos use the plain remainder, which costs an ulp at most and saves half of the time; tan carries the remainder's
// low part. Lanes beyond the near reduction are recomputed by a cold function, so that the common path stays short
// enough to inline.
#pragma once

#include "runtime/device_lib/trig_reduction.h"

namespace weft::device_lib {

template <FloatPack F>
WEFT_DEVICE_INLINE F sine_kernel(F r) {
  const F z = r * r;
  return fma(r * z, horner(z, Constants<ElementOf<F>>::kSine), r);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F cosine_kernel(F r) {
  using T = ElementOf<F>;
  const F z = r * r;
  return fma(z, fma(z, horner(z, Constants<T>::kCosine), F(T(-0.5))), F(T(1)));
}

// sin(hi + lo) = sin(hi) + lo cos(hi), cos(hi) cut after its second term.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> sine_kernel(Pair<F> r) {
  using T = ElementOf<F>;
  const F z = r.hi * r.hi;
  const F low = fma(r.hi * z, horner(z, Constants<T>::kSine), fma(r.lo * z, F(T(-0.5)), r.lo));
  return {r.hi, low};
}

// 1 - z / 2 keeps its rounding error, likewise z = hi^2; cos(hi + lo) = cos(hi) - lo sin(hi), sin(hi) cut to hi.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> cosine_kernel(Pair<F> r) {
  using T = ElementOf<F>;
  const Pair<F> z = two_product(r.hi, r.hi);
  const Pair<F> head = fast_two_sum(F(T(1)), T(-0.5) * z.hi);
  const F tail = fma(z.hi * z.hi, horner(z.hi, Constants<T>::kCosine), fma(z.lo, F(T(-0.5)), -(r.hi * r.lo)));
  return {head.hi, head.lo + tail};
}

// Sine of a reduced angle moved on by `turn` quarter turns.
template <int turn, FloatPack F>
WEFT_DEVICE_INLINE F sine_of(Reduced<F, F> angle) {
  constexpr int kSignShift = FormatOf<ElementOf<F>>::kBits - 2;
  const BitsOf<F> quadrant = angle.quadrant + turn;
  const F sine = sine_kernel(angle.remainder);
  const F cosine = cosine_kernel(angle.remainder);
  return flip_sign(select((quadrant & 1) != 0, cosine, sine), (quadrant & 2) << kSignShift);
}

// The numerator is rounded, the denominator and the quotient are not.
template <FloatPack F>
WEFT_DEVICE_INLINE F tangent_of(Reduced<F, Pair<F>> angle) {
  const Pair<F> sine = sine_kernel(angle.remainder);
  const Pair<F> cosine = cosine_kernel(angle.remainder);
  const auto odd = (angle.quadrant & 1) != 0;
  const F top = select(odd, cosine.hi, sine.hi) + select(odd, cosine.lo, sine.lo);
  const Pair<F> bottom = fast_two_sum(select(odd, sine.hi, cosine.hi), select(odd, sine.lo, cosine.lo));
  constexpr int kSignShift = FormatOf<ElementOf<F>>::kBits - 1;
  return flip_sign(rounded_sum(divide(top, bottom)), angle.quadrant << kSignShift);
}

template <FloatPack F>
WEFT_DEVICE_INLINE auto beyond_near(F x) {
  using T = ElementOf<F>;
  return (x > kNearBound<T>)&(x < Limits<T>::kInfinity);
}

template <int turn, FloatPack F>
WEFT_DEVICE_COLD F huge_sine(F x) {
  const Reduced<F, Pair<F>> angle = reduce_huge(x);
  return sine_of<turn>(Reduced<F, F>{rounded_sum(angle.remainder), angle.quadrant});
}

template <FloatPack F>
WEFT_DEVICE_COLD F huge_tangent(F x) {
  return tangent_of(reduce_huge(x));
}

// sin(x + turn pi/2) for x >= 0.
template <int turn, FloatPack F>
WEFT_DEVICE_INLINE F turned_sine(F x) {
  F result = sine_of<turn>(reduce_near(x));
  const auto huge = beyond_near(x);
  if (any(huge)) [[unlikely]] {
    result = select(huge, huge_sine<turn>(x), result);
  }
  return result;
}

template <FloatPack F>
WEFT_DEVICE_INLINE F sin(F x) {
  return flip_sign(turned_sine<0>(abs(x)), sign_bit(x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F cos(F x) {
  return turned_sine<1>(abs(x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F tan(F x) {
  const F magnitude = abs(x);
  F result = tangent_of(reduce_near_accurately(magnitude));
  const auto huge = beyond_near(magnitude);
  if (any(huge)) [[unlikely]] {
    result = select(huge, huge_tangent(magnitude), result);
  }
  const auto tiny = magnitude < Limits<ElementOf<F>>::kTiny;
  return select(tiny, x, flip_sign(result, sign_bit(x)));
}

}  // namespace weft::device_lib
