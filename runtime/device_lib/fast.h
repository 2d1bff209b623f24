// The fast variants: cheaper than the strict functions where less may be promised.
//
// What they leave out: arguments beyond a stated domain, denormals, infinities, NaN and the signs of zeros, and the low
// parts that keep the error below an ulp. math.def states the domain and the bound of each. Outside the domain the
// result is some number, nothing worse.
#pragma once

#include "runtime/device_lib/exp.h"
#include "runtime/device_lib/inverse_trig.h"
#include "runtime/device_lib/log.h"
#include "runtime/device_lib/trig.h"

namespace weft::device_lib {

// x = n pi + r, |r| <= pi/2; the sine is that of r with its sign flipped if n is odd.
template <FloatPack F>
WEFT_DEVICE_INLINE F sine_of_half_turns(F x, F turns, BitsOf<F> sign) {
  using C = Constants<float>;
  F r = fma(-turns, C::kPi[0], x);
  r = fma(-turns, C::kPi[1], r);
  r = fma(-turns, 2 * C::kPiOver2[2], r);
  const F z = r * r;
  return flip_sign(fma(r * z, horner(z, C::kSineOfHalfTurn), r), sign << 31);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_sin(F x) {
  if constexpr (std::is_same_v<ElementOf<F>, float>) {
    const Rounded<F> n = round_product(x, Constants<float>::kOneOverPi);
    return sine_of_half_turns(x, n.value, n.bits);
  } else {
    return sine_of<0>(reduce_near(x));
  }
}

// In f32: cos(x) = sin(x + pi/2), so n is counted in odd halves, n + 1/2 being the nearest integer.
template <FloatPack F>
WEFT_DEVICE_INLINE F fast_cos(F x) {
  if constexpr (std::is_same_v<ElementOf<F>, float>) {
    const Rounded<F> n = round_product(fma(x, Constants<float>::kOneOverPi, 0.5F), 1.0F);
    return sine_of_half_turns(x, n.value - 0.5F, n.bits);
  } else {
    return sine_of<1>(reduce_near(x));
  }
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_tan(F x) {
  const Reduced<F, F> angle = reduce_near(x);
  const F sine = sine_kernel(angle.remainder);
  const F cosine = cosine_kernel(angle.remainder);
  const auto odd = (angle.quadrant & 1) != 0;
  return select(odd, -cosine, sine) / select(odd, sine, cosine);
}

// mantissa * 2^n where that is a normal number: the exponent is added to.
template <FloatPack F>
WEFT_DEVICE_INLINE F add_exponent(F mantissa, BitsOf<F> n) {
  return bit_cast<F>(bits_of(mantissa) + (n << FormatOf<ElementOf<F>>::kMantissaBits));
}

template <class T>
struct FastExpRange;  // what exp, exp2 and exp10 take to normal numbers
template <>
struct FastExpRange<float> {
  static constexpr float kMin = -87.0F, kMax = 88.7F;
  static constexpr float kMin2 = -126.0F, kMax2 = 127.9F;
  static constexpr float kMin10 = -37.9F, kMax10 = 38.5F;
};
template <>
struct FastExpRange<double> {
  static constexpr double kMin = -708.0, kMax = 709.7;
  static constexpr double kMin2 = -1022.0, kMax2 = 1023.9;
  static constexpr double kMin10 = -307.6, kMax10 = 308.2;
};

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_exp(F x) {
  using T = ElementOf<F>;
  const F bounded = clamp(x, FastExpRange<T>::kMin, FastExpRange<T>::kMax);
  const Rounded<F> n = round_product(bounded, Constants<T>::kLog2E[0]);
  return add_exponent(exp_of_reduced(without_ln2(bounded, n.value)), n.bits);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_exp2(F x) {
  using T = ElementOf<F>;
  const F bounded = clamp(x, FastExpRange<T>::kMin2, FastExpRange<T>::kMax2);
  const Rounded<F> n = round_product(bounded, T(1));
  return add_exponent(exp2_of_fraction(bounded - n.value), n.bits);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_exp10(F x) {
  using T = ElementOf<F>;
  const F bounded = clamp(x, FastExpRange<T>::kMin10, FastExpRange<T>::kMax10);
  const Rounded<F> n = round_product(bounded, Constants<T>::kLog2Of10);
  return add_exponent(exp10_of_fraction(bounded, n.value), n.bits);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_log(F x) {
  const LogTerms<F> t = log_terms<Denormals::none>(x);
  return fma(t.exponent, Constants<ElementOf<F>>::kLn2[0], t.f + t.c);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_log2(F x) {
  const LogTerms<F> t = log_terms<Denormals::none>(x);
  return fma(t.f + t.c, Constants<ElementOf<F>>::kLog2E[0], t.exponent);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_log10(F x) {
  using C = Constants<ElementOf<F>>;
  const LogTerms<F> t = log_terms<Denormals::none>(x);
  return fma(t.exponent, C::kLog10Of2[0], (t.f + t.c) * C::kLog10E[0]);
}

// 2^(y log2 x): the logarithm's rounding error counts |y log2 x| times.
template <FloatPack F>
WEFT_DEVICE_INLINE F fast_pow(F x, F y) {
  return fast_exp2(y * fast_log2(x));
}

// As asin and acos, without the error of the square root.
template <FloatPack F>
WEFT_DEVICE_INLINE F fast_folded_asin(F magnitude, MaskOf<F> folded) {
  using T = ElementOf<F>;
  const F half_rest = fma(magnitude, T(-0.5), T(0.5));
  const F square = select(folded, half_rest, magnitude * magnitude);
  const F root = select(folded, sqrt(half_rest), magnitude);
  return fma(root * square, horner(square, Constants<T>::kAsin), root);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_asin(F x) {
  using T = ElementOf<F>;
  const F magnitude = abs(x);
  const auto folded = magnitude > T(0.5);
  const F angle = fast_folded_asin<F>(magnitude, folded);
  return copysign(select(folded, fma(angle, T(-2), Constants<T>::kPiOver2[0]), angle), x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_acos(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const F magnitude = abs(x);
  const auto folded = magnitude > T(0.5);
  const F angle = fast_folded_asin<F>(magnitude, folded);
  const F twice = angle + angle;
  const F far = select(x < T(0), C::kPi[0] - twice, twice);
  return select(folded, far, C::kPiOver2[0] - copysign(angle, x));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_atan_to_one(F t) {
  const F z = t * t;
  return fma(t * z, horner(z, Constants<float>::kAtanToOne), t);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_atan(F x) {
  const F magnitude = abs(x);
  const auto inverted = magnitude > 1.0F;
  const F angle = fast_atan_to_one(select(inverted, 1.0F / magnitude, magnitude));
  return copysign(select(inverted, Constants<float>::kPiOver2[0] - angle, angle), x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F fast_atan2(F y, F x) {
  using C = Constants<float>;
  const F abs_x = abs(x);
  const F abs_y = abs(y);
  const auto steep = abs_y > abs_x;
  const F larger = select(steep, abs_y, abs_x);
  const F smaller = select(steep, abs_x, abs_y);
  const F angle = fast_atan_to_one(smaller / select(larger == 0.0F, F(1.0F), larger));
  const F first_quadrant = select(steep, C::kPiOver2[0] - angle, angle);
  return copysign(select(x < 0.0F, C::kPi[0] - first_quadrant, first_quadrant), y);
}

// tanh(x) = 1 - 2 / (exp(2 x) + 1) where that does not cancel, a polynomial below.
template <FloatPack F>
WEFT_DEVICE_INLINE F fast_tanh(F x) {
  const F magnitude = abs(x);
  const F z = x * x;
  const F near = fma(magnitude * z, horner(z, Constants<float>::kTanh), magnitude);
  const F far = 1.0F - 2.0F / (fast_exp(magnitude + magnitude) + 1.0F);
  return copysign(select(magnitude > 0.55F, far, near), x);
}

}  // namespace weft::device_lib
