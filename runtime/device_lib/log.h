// log, log2, log10, log1p, what the inverse hyperbolic functions share with it, and the accurate logarithm of pow.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), f = m - 1. The plain logarithms evaluate log(1 + f) = f + c with c the
// small part: a polynomial in f32, in f64 the form of fdlibm's e_log.c in s = f / (2 + f). log1p takes f from its
// argument, so that 1 + x need not be exact. The accurate one is 2 atanh(s) with s and the first two terms as pairs,
// good to about 2^-36 and 2^-65, after Muller (Elementary Functions, 3rd edition, section 4.3 and chapter 5).
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/exp.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

// k + bias for positive normal x = 2^k m, m in [sqrt(1/2), sqrt(2)).
template <FloatPack F>
WEFT_DEVICE_INLINE BitsOf<F> biased_exponent(F x) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  constexpr Bits kSqrtHalf = __builtin_bit_cast(Bits, T(0x1.6a09e667f3bcdp-1));
  return (bits_of(x) - kSqrtHalf + __builtin_bit_cast(Bits, T(1))) >> Format::kMantissaBits;
}

// 2^(mantissa bits) + n: a small integer is converted by placing it in the mantissa.
template <FloatPack F>
WEFT_DEVICE_INLINE F above_integer_ulp(BitsOf<F> n) {
  using T = ElementOf<F>;
  return bit_cast<F>(n | __builtin_bit_cast(typename FormatOf<T>::Bits, Limits<T>::kIntegerUlp));
}

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
  const MaskOf<F> denormal = denormals == Denormals::possible ? x < Limits<T>::kMinNormal : MaskOf<F>{};
  const F normal = select(denormal, x * Limits<T>::kIntegerUlp, x);
  const BitsOf<F> biased = biased_exponent(normal);
  const F mantissa = bit_cast<F>(bits_of(normal) - (biased << Format::kMantissaBits) + __builtin_bit_cast(Bits, T(1)));
  constexpr T kOffset = Limits<T>::kIntegerUlp + T(Format::kExponentBias);
  const F offset = select(denormal, F(kOffset + T(Format::kMantissaBits)), F(kOffset));
  return {above_integer_ulp<F>(biased) - offset, mantissa};
}

// log(x) = exponent ln 2 + f + c, with |c| well below |f|.
template <FloatPack F>
struct LogTerms {
  F exponent;
  F f;
  F c;
};

// log(1 + f) - f, sqrt(1/2) <= 1 + f <= sqrt(2).
template <FloatPack F>
WEFT_DEVICE_INLINE F log1p_tail(F f) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  if constexpr (std::is_same_v<T, float>) {
    return f * f * fma(f, horner(f, C::kLog1p), F(T(-0.5)));
  } else {
    const F s = f / (f + T(2));
    const F z = s * s;
    const F half_square = T(0.5) * f * f;
    return fma(s, fma(z, horner(z, C::kLog1p), half_square), -half_square);
  }
}

template <Denormals denormals = Denormals::possible, FloatPack F>
WEFT_DEVICE_INLINE LogTerms<F> log_terms(F x) {
  const BinarySplit<F> split = split_at_sqrt_half<denormals>(x);
  const F f = split.mantissa - ElementOf<F>(1);
  return {split.exponent, f, log1p_tail(f)};
}

// Those of log(1 + a), -1 < a < infinity, and 2^-k for a below kIntegerUlp. 1 + a is rounded only to choose the
// exponent k: f = 2^-k a + (2^-k - 1). Where k is not 0, a is a normal number, and taking k from its exponent is exact;
// where 1 drowns in a, 2^-k does in 1.
template <FloatPack F>
struct Log1pTerms {
  LogTerms<F> terms;
  F scale;
};

template <FloatPack F>
WEFT_DEVICE_INLINE Log1pTerms<F> log1p_terms(F a) {
  using T = ElementOf<F>;
  using Format = FormatOf<T>;
  constexpr auto kOne = __builtin_bit_cast(typename Format::Bits, T(1));
  const F sum = T(1) + a;
  const BitsOf<F> biased = biased_exponent(sum);
  const BitsOf<F> k = (biased << Format::kMantissaBits) - kOne;  // in the place of an exponent
  const F scale = bit_cast<F>(kOne - k);
  const F f = bit_cast<F>(bits_of(a) - k) + select(sum < Limits<T>::kIntegerUlp * T(4), scale - T(1), F(T(-1)));
  const F exponent = above_integer_ulp<F>(biased) - (Limits<T>::kIntegerUlp + T(Format::kExponentBias));
  return {{exponent, f, log1p_tail(f)}, scale};
}

template <FloatPack F>
WEFT_DEVICE_INLINE F sum_of(LogTerms<F> t) {
  using C = Constants<ElementOf<F>>;
  return fma(t.exponent, F(C::kLn2[0]), t.f + fma(t.exponent, F(C::kLn2[1]), t.c));
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
  return with_log_poles(x, sum_of(log_terms(x)));
}

// (f + c) * factor, and `more`, with the constant as a pair.
template <FloatPack F, class T>
WEFT_DEVICE_INLINE F to_base(LogTerms<F> t, const T (&factor)[2], F more) {
  return fma(t.f, F(factor[0]), fma(t.f, F(factor[1]), fma(t.c, F(factor[0]), more)));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log2(F x) {
  using T = ElementOf<F>;
  const LogTerms<F> t = log_terms(x);
  return with_log_poles(x, t.exponent + to_base(t, Constants<T>::kLog2E, F(T(0))));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log10(F x) {
  using C = Constants<ElementOf<F>>;
  const LogTerms<F> t = log_terms(x);
  const F part = to_base(t, C::kLog10E, t.exponent * C::kLog10Of2[1]);
  return with_log_poles(x, fma(t.exponent, F(C::kLog10Of2[0]), part));
}

// log(x) as a pair for positive finite x; other x give some numbers. 2 atanh(s) = 2 s + s z (2/3 + z P(z)), z = s^2.
template <FloatPack F>
WEFT_DEVICE_INLINE Pair<F> log_pair(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const BinarySplit<F> split = split_at_sqrt_half(x);
  // Both below 2, so that the sum is exact although the mantissa may be above 1.
  const Pair<F> denominator = fast_two_sum(F(T(1)), split.mantissa);
  const Pair<F> s = divide(split.mantissa - T(1), denominator);
  const Pair<F> z = multiply(s, s);
  const Pair<F> c = fast_two_sum(F(C::kTwoThirds[0]), z.hi * horner(z.hi, C::kAtanhTail));
  const Pair<F> cubic = multiply(s, multiply(z, Pair<F>{c.hi, c.lo + C::kTwoThirds[1]}));
  const Pair<F> part = fast_two_sum(T(2) * s.hi, cubic.hi);
  const F part_low = part.lo + fma(s.lo, F(T(2)), cubic.lo);

  const Pair<F> whole = two_product(split.exponent, F(C::kLn2[0]));
  const Pair<F> total = fast_two_sum(whole.hi, part.hi);
  return fast_two_sum(total.hi, total.lo + (fma(split.exponent, F(C::kLn2[1]), whole.lo) + part_low));
}

template <FloatPack F>
WEFT_DEVICE_INLINE F log1p(F x) {
  using T = ElementOf<F>;
  F result = copysign(sum_of(log1p_terms(x).terms), x);
  result = select(x < Limits<T>::kInfinity, result, x);
  result = select(x < T(-1), F(Limits<T>::kNaN), result);
  return select(x == T(-1), F(-Limits<T>::kInfinity), result);
}

}  // namespace weft::device_lib
