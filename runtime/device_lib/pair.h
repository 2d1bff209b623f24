// Unevaluated sums of two floating-point numbers, for the steps where one is not accurate enough.
//
// The error-free transformations are those of Dekker (1971) and Knuth (TAOCP 4.2.2), with fma for the product; see
// Muller et al., Handbook of Floating-Point Arithmetic, chapter 4. They hold as long as nothing overflows and the low
// parts do not underflow; callers that meet such arguments scale them first.
#pragma once

#include "runtime/device_lib/pack.h"

namespace weft::device_lib {

// The value hi + lo, |lo| at most about an ulp of hi.
template <FloatPack F>
struct Pair {
  F hi;
  F lo;
};

// a + b exactly, if |a| >= |b| or a == 0.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> fast_two_sum(F a, std::type_identity_t<F> b) {
  const F sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b exactly.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> two_sum(F a, std::type_identity_t<F> b) {
  const F sum = a + b;
  const F b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// a * b exactly.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> two_product(F a, std::type_identity_t<F> b) {
  const F product = a * b;
  return {product, fma(a, b, -product)};
}

// a * b with a relative error of a few ulp squared; the low part is a few ulp of the high one at most.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> multiply(Pair<F> a, Pair<F> b) {
  const Pair<F> p = two_product(a.hi, b.hi);
  return {p.hi, fma(a.hi, b.lo, fma(a.lo, b.hi, p.lo))};
}

// numerator / denominator with a relative error of a few ulp squared; the low part is two ulp of the high one at most.
// One division: the quotient from the reciprocal is repaired by its remainder.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> divide(Pair<F> numerator, Pair<F> denominator) {
  const F reciprocal = ElementOf<F>(1) / denominator.hi;
  const F quotient = numerator.hi * reciprocal;
  const F remainder = fma(-quotient, denominator.hi, numerator.hi) + fma(-quotient, denominator.lo, numerator.lo);
  return {quotient, remainder * reciprocal};
}
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> divide(F numerator, Pair<F> denominator) {
  const F reciprocal = ElementOf<F>(1) / denominator.hi;
  const F quotient = numerator * reciprocal;
  const F remainder = fma(-quotient, denominator.lo, fma(-quotient, denominator.hi, numerator));
  return {quotient, remainder * reciprocal};
}

template <FloatPack F>
WEFT_DEVICE_INLINE F rounded_sum(Pair<F> x) {
  return x.hi + x.lo;
}

}  // namespace weft::device_lib
