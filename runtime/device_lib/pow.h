// pow and powi.
//
// pow = exp(y log |x|) with the logarithm and the product as pairs, the special cases of C's Annex F as selects.
#pragma once

#include "runtime/device_lib/exp.h"
#include "runtime/device_lib/log.h"

namespace weft::device_lib {

// exp(hi + lo); beyond exp's range, where lo may be anything, the limit.
template <FloatPack F>
WEFT_DEVICE_INLINE F exp_of_pair(Pair<F> x) {
  using T = ElementOf<F>;
  const auto inside = (x.hi > ExpRange<T>::kMin) & (x.hi < ExpRange<T>::kMax);
  const F hi = clamp(x.hi, ExpRange<T>::kMin, ExpRange<T>::kMax);
  const Rounded<F> n = round_product(hi, Constants<T>::kLog2E[0]);
  const F r = without_ln2(hi, n.value) + select(inside, x.lo, F(T(0)));
  return scale_by_exp2(exp_of_reduced(r), n);
}

// The limits of log at 0, infinity and NaN, else `log`.
template <FloatPack F>
WEFT_DEVICE_INLINE F with_log_limits(F magnitude, F log) {
  using T = ElementOf<F>;
  log = select(magnitude < Limits<T>::kInfinity, log, magnitude);
  return select(magnitude == T(0), F(-Limits<T>::kInfinity), log);
}

// magnitude^y for magnitude >= 0; where the exponent y log(magnitude) is 0 times infinity, NaN.
template <FloatPack F>
  requires std::is_same_v<ElementOf<F>, double>
WEFT_DEVICE_INLINE F power_of_magnitude(F magnitude, F y) {
  const Pair<F> log = log_pair(magnitude);
  const Pair<F> product = two_product(y, with_log_limits(magnitude, log.hi));
  return exp_of_pair(Pair<F>{product.hi, fma(y, log.lo, product.lo)});
}

// In f32, by way of f64 with polynomials that are as good as f32 needs: 2^-37 for the logarithm, as the exponent may
// reach 150, and 2^-31 for the exponential.
template <FloatPack F>
  requires std::is_same_v<ElementOf<F>, float>
WEFT_DEVICE_INLINE F power_of_magnitude(F magnitude, F y) {
  using Wide = Rebind<F, double>;
  using C = Constants<double>;
  const Wide x = convert<Wide>(magnitude);
  const BinarySplit<Wide> split = split_at_sqrt_half<Denormals::none>(x);
  const Wide f = split.mantissa - 1.0;
  const Wide s = f / (f + 2.0);
  const Wide z = s * s;
  const Wide log = fma(split.exponent, C::kLn2[0], fma(s * z, horner(z, C::kAtanhForFloat), s + s));

  const Wide exponent = clamp(convert<Wide>(y) * with_log_limits(x, log), -200.0, 200.0);
  const Rounded<Wide> n = round_product(exponent, C::kLog2E[0]);
  const Wide r = fma(-n.value, C::kLn2[0], exponent);
  const Wide power = 1.0 + fma(r * r, horner(r, C::kExpm1ForFloat), r);
  return convert<F>(power * exp2_integer<Wide>(n.bits));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F pow(F x, F y) {
  using T = ElementOf<F>;
  constexpr T kInfinity = Limits<T>::kInfinity;
  F result = power_of_magnitude(abs(x), y);

  const auto whole = trunc(y) == y;
  const F half = T(0.5) * y;
  const auto odd = whole & (trunc(half) != half);
  result = flip_sign(result, select(odd, sign_bit(x), BitsOf<F>{}));
  result = select((x < T(0)) & (x > -kInfinity) & !whole, F(Limits<T>::kNaN), result);
  const auto is_one = (y == T(0)) | (x == T(1)) | ((x == T(-1)) & (abs(y) == kInfinity));
  return select(is_one, F(T(1)), result);
}

// x^n by squaring: with the binary digits of |n| from the lowest, the product of those of x, x^2, x^4, ... whose digit
// is 1, multiplied in this order starting from 1; the reciprocal of that if n is negative.
template <FloatPack F>
WEFT_DEVICE_INLINE F powi(F x, Rebind<F, std::int32_t> n) {
  using T = ElementOf<F>;
  using Digits = Rebind<F, std::uint32_t>;
  const auto negative = convert<IntOf<F>>(n) < 0;
  Digits digits = bit_cast<Digits>(n);
  digits = select(n < 0, -digits, digits);
  F power = x;
  F result = F(T(1));
  while (any(digits != 0)) {
    const auto multiplied = convert<BitsOf<F>>(digits & 1) != 0;
    result = select(multiplied, result * power, result);
    power = power * power;
    digits >>= 1;
  }
  return select(negative, T(1) / result, result);
}

}  // namespace weft::device_lib
