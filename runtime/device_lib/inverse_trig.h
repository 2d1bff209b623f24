// asin, acos, atan and atan2.
//
// asin and acos evaluate asin's polynomial on [0, 1/2] and go through asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)) above;
// atan and atan2 divide the smaller coordinate by the larger one and turn by pi/4 above tan(pi/8), as Cephes does.
// Where a square root or a quotient enters, its rounding error is kept.
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

// asin of |x|'s small side: of |x| itself up to 1/2, else of sqrt((1 - |x|) / 2).
template <FloatPack F>
struct FoldedAsin {
  Pair<F> angle;
  MaskOf<F> folded;
};

template <FloatPack F>
WEFT_DEVICE_INLINE FoldedAsin<F> folded_asin(F magnitude) {
  using T = ElementOf<F>;
  const auto folded = magnitude > T(0.5);
  const F half_rest = fma(magnitude, F(T(-0.5)), F(T(0.5)));
  const F square = select(folded, half_rest, magnitude * magnitude);
  const F root = select(folded, sqrt(half_rest), magnitude);
  // The root's error, (square - root^2) / (2 root); 0 / 0 at |x| = 1 must not get through.
  const F error = fma(-root, root, half_rest) / select(root == T(0), F(T(1)), root + root);
  const F low = select(folded, error, F(T(0)));
  return {{root, fma(root * square, horner(square, Constants<T>::kAsin), low)}, folded};
}

template <FloatPack F>
WEFT_DEVICE_INLINE F asin(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const FoldedAsin<F> a = folded_asin(abs(x));
  const Pair<F> rest = fast_two_sum(F(C::kPiOver2[0]), T(-2) * a.angle.hi);
  const F above_half = rest.hi + fma(a.angle.lo, F(T(-2)), rest.lo + C::kPiOver2[1]);
  return copysign(select(a.folded, above_half, a.angle.hi + a.angle.lo), x);
}

// acos(x) = base - turn * angle with base 0, pi/2 or pi, evaluated with base's low part and exact products.
template <FloatPack F>
WEFT_DEVICE_INLINE F acos(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const FoldedAsin<F> a = folded_asin(abs(x));
  const auto negative = x < T(0);
  const F base = select(a.folded, select(negative, F(C::kPi[0]), F(T(0))), F(C::kPiOver2[0]));
  const F base_low = select(a.folded, select(negative, F(C::kPi[1]), F(T(0))), F(C::kPiOver2[1]));
  const F turn = select(a.folded, F(T(2)), F(T(1))) * select(negative == a.folded, F(T(-1)), F(T(1)));
  const Pair<F> sum = two_sum(base, turn * a.angle.hi);
  return sum.hi + fma(turn, a.angle.lo, sum.lo + base_low);
}

// atan(smaller / larger) for 0 <= smaller <= larger, larger in the middle of the exponent range.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> atan_quotient(F smaller, F larger) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  constexpr T kTanPiOver8 = T(0.41421356237309503);
  const auto turned = smaller > larger * kTanPiOver8;
  const Pair<F> difference = two_sum(smaller, -larger);
  const Pair<F> sum = fast_two_sum(larger, smaller);
  const F zero = F(T(0));
  const Pair<F> t = divide(Pair<F>{select(turned, difference.hi, smaller), select(turned, difference.lo, zero)},
                           Pair<F>{select(turned, sum.hi, larger), select(turned, sum.lo, zero)});
  const F z = t.hi * t.hi;
  const F tail = fma(t.hi * z, horner(z, C::kAtan), t.lo);
  const Pair<F> angle = fast_two_sum(select(turned, F(C::kPiOver2[0] * T(0.5)), t.hi), select(turned, t.hi, zero));
  return {angle.hi, angle.lo + (tail + select(turned, F(C::kPiOver2[1] * T(0.5)), zero))};
}

template <FloatPack F>
WEFT_DEVICE_INLINE F atan(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const F magnitude = abs(x);
  const F one = F(T(1));
  const auto inverted = magnitude > T(1);
  // Beyond the bound the result is pi/2 anyway, and the quotient is kept from under- and overflow.
  const F bounded = select(magnitude > Limits<T>::kIntegerUlp * T(8), F(Limits<T>::kIntegerUlp * T(8)), magnitude);
  const Pair<F> angle = atan_quotient(select(inverted, one, bounded), select(inverted, bounded, one));
  const Pair<F> rest = fast_two_sum(F(C::kPiOver2[0]), -angle.hi);
  const F result = select(inverted, rest.hi + (rest.lo + (C::kPiOver2[1] - angle.lo)), angle.hi + angle.lo);
  return select(magnitude < Limits<T>::kTiny, x, copysign(result, x));
}

// The angle of (x, y), all four quadrants. Both coordinates are scaled out of reach of over- and underflow, infinite
// ones become 0 or 1.
template <FloatPack F>
WEFT_DEVICE_INLINE F atan2(F y, F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  using Format = FormatOf<T>;
  constexpr T kLarge = power_of_two<T>(Format::kExponentBias - 8);
  constexpr T kSmall = power_of_two<T>(2 * Format::kMantissaBits + 8 - Format::kExponentBias);
  const F zero = F(T(0));
  const F one = F(T(1));
  const F abs_x = abs(x);
  const F abs_y = abs(y);
  const auto steep = abs_y > abs_x;
  F smaller = select(steep, abs_x, abs_y);
  F larger = select(steep, abs_y, abs_x);

  const auto infinite = larger == Limits<T>::kInfinity;
  smaller = select(infinite, select(smaller == larger, one, zero), smaller);
  larger = select(infinite | (larger == T(0)), one, larger);
  F scale = select(larger > kLarge, F(power_of_two<T>(-Format::kMantissaBits)), one);
  scale = select(larger < kSmall, F(power_of_two<T>(2 * Format::kMantissaBits)), scale);
  const Pair<F> angle = atan_quotient(smaller * scale, larger * scale);

  const auto left = sign_bit(x) != 0;
  const F base = select(steep, F(C::kPiOver2[0]), select(left, F(C::kPi[0]), zero));
  const F base_low = select(steep, F(C::kPiOver2[1]), select(left, F(C::kPi[1]), zero));
  const auto minus = steep != left;
  const Pair<F> sum = fast_two_sum(base, select(minus, -angle.hi, angle.hi));
  const F result = sum.hi + (sum.lo + (base_low + select(minus, -angle.lo, angle.lo)));
  return select(is_nan(x), x, select(is_nan(y), y, copysign(result, y)));
}

}  // namespace weft::device_lib
