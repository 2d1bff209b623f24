// log, log2, log10, log1p and the accurate logarithm that pow and the inverse hyperbolic functions share.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), f = m - 1. The plain logarithms evaluate log(1 + f) = f + c with c the
// small part: a polynomial in f32, in f64 the form of fdlibm's e_log.c in s = f / (2 + f). The accurate one is 2
// atanh(s) with s and the first two terms as pairs, as in Ziv's and SLEEF's double-double logarithms: good to about
// 2^-36 and 2^-65.
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/exp.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

template <FloatPack F>
struct BinarySplit {
  F exponent;
  F mantissa;
};

enum class Denormals { possible, none };

// x = mantissa * 2^exponent, mantissa in [sqrt(1/2), sqrt(2)), for positive finite x; other x give some finite numbers.
template <Denormals denormals = Denormals::possible, FloatPack F>
WEFT_DEVICE_INLINE BinarySplit<F> split_at_sqrt_half(F x) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  constexpr Bits kSqrtHalf = __builtin_bit_cast(Bits, T(0x1.6a09e667f3bcdp-1));
  constexpr Bits kBias = Bits{Format::kExponentBias} << Format::kMantissaBits;
  const MaskOf<F> denormal = denormals == Denormals::possible ? x < Limits<T>::kMinNormal : MaskOf<F>{};
  const F normal = select(denormal, x * Limits<T>::kIntegerUlp, x);
  const BitsOf<F> biased = (bits_of(normal) - kSqrtHalf + kBias) >> Format::kMantissaBits;
  const F mantissa = bit_cast<F>(bits_of(normal) - (biased << Format::kMantissaBits) + kBias);
  // A small integer is converted by placing it in the mantissa of kIntegerUlp.
  const F shifted = bit_cast<F>(biased | __builtin_bit_cast(Bits, Limits<T>::kIntegerUlp));
  constexpr T kOffset = Limits<T>::kIntegerUlp + T(Format::kExponentBias);
  return {shifted - select(denormal, F(kOffset + T(Format::kMantissaBits)), F(kOffset)), mantissa};
}

// log(x) = exponent ln 2 + f + c, with |c| well below |f|.
template <FloatPack F>
struct LogTerms {
  F exponent;
  F f;
  F c;
};

template <Denormals denormals = Denormals::possible, FloatPack F>
WEFT_DEVICE_INLINE LogTerms<F> log_terms(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const BinarySplit<F> split = split_at_sqrt_half<denormals>(x);
  const F f = split.mantissa - T(1);
  if constexpr (std::is_same_v<T, float>) {
    return {split.exponent, f, f * f * fma(f, horner(f, C::kLog1p), F(T(-0.5)))};
  } else {
    const F s = f / (f + T(2));
    const F z = s * s;
    const F half_square = T(0.5) * f * f;
    return {split.exponent, f, fma(s, fma(z, horner(z, C::kLog1p), half_square), -half_square)};
  }
}

// The result for x where it is 0, negative, infinite or NaN, else `result`.
template <FloatPack F>
WEFT_DEVICE_INLINE F with_log_poles(F x, F result) {
  using T = ElementOf<F>;
  result = select(x < Limits<T>::kInfinity, result, x);
  result = select(x < T(0), F(Limits<T>::kNaN), result);
  return select(x == T(0), F(-Limits<T>::kInfinity), result);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log(F x) {
  using C = Constants<ElementOf<F>>;
  const LogTerms<F> t = log_terms(x);
  return with_log_poles(x, fma(t.exponent, F(C::kLn2[0]), t.f + fma(t.exponent, F(C::kLn2[1]), t.c)));
}

// exponent * unit + (f + c) * factor with both constants as pairs: the logarithm to another base.
template <FloatPack F, class T>
WEFT_DEVICE_INLINE F log_to_base(LogTerms<F> t, const T (&unit)[2], const T (&factor)[2]) {
  const Pair<F> whole = two_product(t.exponent, F(unit[0]));
  const Pair<F> part = two_product(t.f, F(factor[0]));
  const F part_low = fma(t.c, F(factor[0]), fma(t.f, F(factor[1]), part.lo));
  const Pair<F> sum = fast_two_sum(whole.hi, part.hi);
  return sum.hi + (fma(t.exponent, F(unit[1]), whole.lo + sum.lo) + part_low);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log2(F x) {
  using T = ElementOf<F>;
  constexpr T kOne[] = {T(1), T(0)};
  return with_log_poles(x, log_to_base(log_terms(x), kOne, Constants<T>::kLog2E));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log10(F x) {
  using C = Constants<ElementOf<F>>;
  return with_log_poles(x, log_to_base(log_terms(x), C::kLog10Of2, C::kLog10E));
}

// exponent ln 2 + log(m), m in [sqrt(1/2), sqrt(2)) and its low part below an ulp.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> log_of_parts(F exponent, Pair<F> m) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const Pair<F> denominator = two_sum(m.hi, F(T(1)));
  const Pair<F> s = divide(fast_two_sum(m.hi - T(1), m.lo), Pair<F>{denominator.hi, denominator.lo + m.lo});
  const Pair<F> square = two_product(s.hi, s.hi);
  const Pair<F> z = {square.hi, fma(s.hi + s.hi, s.lo, square.lo)};
  const Pair<F> sum = fast_two_sum(F(C::kTwoThirds[0]), z.hi * horner(z.hi, C::kAtanhTail));
  const Pair<F> cubic = multiply(multiply(s, z), Pair<F>{sum.hi, sum.lo + C::kTwoThirds[1]});
  const Pair<F> part = fast_two_sum(T(2) * s.hi, cubic.hi);
  const F part_low = part.lo + fma(s.lo, F(T(2)), cubic.lo);

  const Pair<F> whole = two_product(exponent, F(C::kLn2[0]));
  const Pair<F> total = fast_two_sum(whole.hi, part.hi);
  return fast_two_sum(total.hi, total.lo + (fma(exponent, F(C::kLn2[1]), whole.lo) + part_low));
}

// log(x) as a pair for positive finite x; other x give some numbers.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> log_pair(F x) {
  const BinarySplit<F> split = split_at_sqrt_half(x);
  return log_of_parts(split.exponent, Pair<F>{split.mantissa, F(ElementOf<F>(0))});
}

// log(2 x) for x >= 1, infinity included.
template <FloatPack F>
WEFT_DEVICE_INLINE F log_doubled(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const LogTerms<F> t = log_terms(x);
  const F exponent = t.exponent + T(1);
  return with_log_poles(x, fma(exponent, F(C::kLn2[0]), t.f + fma(exponent, F(C::kLn2[1]), t.c)));
}

// log(1 + t) for finite t > -1, best where |t| >= kTiny; NaN gives NaN.
template <FloatPack F>
WEFT_DEVICE_INLINE F log1p_pair(Pair<F> t) {
  using T = ElementOf<F>;
  const Pair<F> sum = two_sum(F(T(1)), t.hi);
  const Pair<F> u = fast_two_sum(sum.hi, sum.lo + t.lo);
  const BinarySplit<F> split = split_at_sqrt_half(u.hi);
  // The low part is scaled like the high one: the difference of their bit patterns is one of exponents.
  const F scale = bit_cast<F>(bits_of(split.mantissa) - bits_of(u.hi) + bits_of(F(T(1))));
  const auto low_counts = u.hi < Limits<T>::kIntegerUlp * Limits<T>::kIntegerUlp;
  const F low = select(low_counts, u.lo * scale, F(T(0)));
  const Pair<F> result = log_of_parts(split.exponent, Pair<F>{split.mantissa, low});
  return select(is_nan(u.hi), u.hi, result.hi);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log1p(F x) {
  using T = ElementOf<F>;
  F result = log1p_pair(Pair<F>{x, F(T(0))});
  result = select(x < Limits<T>::kInfinity, result, x);
  result = select(x < T(-1), F(Limits<T>::kNaN), result);
  result = select(x == T(-1), F(-Limits<T>::kInfinity), result);
  return select(abs(x) < Limits<T>::kTiny, x, result);
}

}  // namespace weft::device_lib
