// Argument reduction of the trigonometric functions: |x| = n pi/2 + r with |r| <= pi/4, the quadrant n modulo 4.
//
// Near arguments by Cody and Waite's method with fma: n pi/2 is subtracted in three parts. The first subtraction is
// exact: x and n * part are multiples of the same ulp and their difference is below 1. Huge ones by the method of Payne
// and Hanek (ACM SIGNUM Newsletter 18(1), 1983): the 192 bits of 2/pi that matter for the exponent times the
// significand, whole turns dropped, leave the quadrant and a fraction of at least 137 good bits; no double comes closer
// to a multiple of pi/2 than about 2^-62, so more than 70 of them are significant.
#pragma once

#include "runtime/device_lib/coefficients.h"
#include "runtime/device_lib/pair.h"

namespace weft::device_lib {

// Above this bound the near reduction may lose accuracy.
template <class T>
inline constexpr T kNearBound = T(0);
template <>
inline constexpr float kNearBound<float> = 0x1p17f;
template <>
inline constexpr double kNearBound<double> = 0x1p30;

// R is F for a remainder of about an ulp, Pair<F> for an accurate one. Only the low two bits of quadrant count.
template <FloatPack F, class R>
struct Reduced {
  R remainder;
  BitsOf<F> quadrant;
};

// For 0 <= x <= kNearBound; infinity and NaN give NaN. The remainder's error is below an ulp of it.
template <FloatPack F>
WEFT_DEVICE_INLINE Reduced<F, F> reduce_near(F x) {
  using C = Constants<ElementOf<F>>;
  const Rounded<F> n = round_product(x, C::kTwoOverPi);
  F remainder = fma(-n.value, F(C::kPiOver2[0]), x);
  remainder = fma(-n.value, F(C::kPiOver2[1]), remainder);
  remainder = fma(-n.value, F(C::kPiOver2[2]), remainder);
  return {remainder, n.bits};
}

template <FloatPack F>
WEFT_DEVICE_INLINE Reduced<F, Pair<F>> reduce_near_accurately(F x) {
  using T = ElementOf<F>;
  using C = Constants<T>;
  const Rounded<F> n = round_product(x, C::kTwoOverPi);
  const F first = fma(-n.value, F(C::kPiOver2[0]), x);
  const F remainder = fma(-n.value, F(C::kPiOver2[1]), first);
  // Where the remainder is above twice the second part, first - remainder is exact (Sterbenz). Below, the rounded
  // remainder is good enough, as the functions are nearly linear.
  constexpr T kAboveSecond = T(4) * (C::kPiOver2[1] < T(0) ? -C::kPiOver2[1] : C::kPiOver2[1]);
  const F error = fma(-n.value, F(C::kPiOver2[1]), first - remainder);
  const F low = select(abs(remainder) > n.value * kAboveSecond, error, F(T(0)));
  return {{remainder, fma(-n.value, F(C::kPiOver2[2]), low)}, n.bits};
}

// The binary expansion of 2/pi after a word of zeros.
inline constexpr std::uint64_t kTwoOverPiWords[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
    0xa9e391615ee61b08,
};

// For 2^17 <= x < infinity.
inline Reduced<double, Pair<double>> reduce_huge_lane(double x) {
  using Wide = unsigned __int128;
  constexpr int kIntegerExponent = 1023 + 52;  // x = significand * 2^exponent
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x);
  const int exponent = static_cast<int>(bits >> 52) - kIntegerExponent;
  const std::uint64_t significand = (bits & Limits<double>::kMantissaMask) | (std::uint64_t{1} << 52);

  // Bits of 2/pi whose product with the significand is a multiple of 4 are skipped: the window starts with weight 2.
  const int start = exponent - 2 + 64;
  const std::uint64_t* words = kTwoOverPiWords + start / 64;
  const int shift = start % 64;
  const auto window = [&](int i) { return (words[i] << shift) | ((words[i + 1] >> 1) >> (63 - shift)); };
  const Wide low = Wide{significand} * window(2);
  const Wide middle = Wide{significand} * window(1) + (low >> 64);
  const std::uint64_t high = significand * window(0) + static_cast<std::uint64_t>(middle >> 64);

  // The product modulo 4 is high:middle:low / 2^190. Rounding it to the nearest quadrant leaves a signed fraction.
  std::uint64_t quadrant = high >> 62;
  Wide fraction =
      (Wide{high} << 66) | (Wide{static_cast<std::uint64_t>(middle)} << 2) | (static_cast<std::uint64_t>(low) >> 62);
  const bool above_half = (high >> 61) & 1;
  quadrant += above_half;
  fraction = above_half ? -fraction : fraction;

  // fraction / 2^128 as a pair: the leading 53 bits and the next 53.
  const std::uint64_t fraction_high = static_cast<std::uint64_t>(fraction >> 64);
  const int leading_zeros = fraction_high != 0 ? __builtin_clzll(fraction_high)
                                               : 64 + __builtin_clzll(static_cast<std::uint64_t>(fraction) | 1);
  fraction <<= leading_zeros;
  const double first = static_cast<double>(static_cast<std::int64_t>(fraction >> 75)) * 0x1p-53;
  const double second =
      static_cast<double>(static_cast<std::int64_t>((fraction >> 22) & ((std::uint64_t{1} << 53) - 1))) * 0x1p-106;
  const double scale = __builtin_bit_cast(double, static_cast<std::uint64_t>(1023 - leading_zeros) << 52);
  const double signed_scale = above_half ? -scale : scale;
  using C = Constants<double>;
  const Pair<double> turn =
      multiply(Pair<double>{first * signed_scale, second * signed_scale}, Pair<double>{C::kPiOver2[0], C::kPiOver2[1]});
  return {fast_two_sum(turn.hi, turn.lo), quadrant};
}

// For the lanes with kNearBound <= x < infinity; the others get 0.
template <FloatPack F>
WEFT_DEVICE_INLINE Reduced<F, Pair<F>> reduce_huge(F x) {
  using T = ElementOf<F>;
  Reduced<F, Pair<F>> result = {{F(T(0)), F(T(0))}, BitsOf<F>{}};
  for (int i = 0; i < kWidthOf<F>; ++i) {
    const T value = lane(x, i);
    if (!(value >= kNearBound<T> && value < Limits<T>::kInfinity)) continue;
    const auto reduced = reduce_huge_lane(value);
    const T high = static_cast<T>(reduced.remainder.hi);
    set_lane(result.remainder.hi, i, high);
    set_lane(result.remainder.lo, i, static_cast<T>((reduced.remainder.hi - high) + reduced.remainder.lo));
    set_lane(result.quadrant, i, static_cast<typename FormatOf<T>::Bits>(reduced.quadrant));
  }
  return result;
}

}  // namespace weft::device_lib
