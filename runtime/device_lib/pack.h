// Packs: what every function of the device library computes on.
//
// A pack of width W holds W lanes of one element type: a plain scalar at W = 1, a Clang ext_vector_type otherwise. All
// device functions are templates over the pack type and use nothing but the operations below and the arithmetic
// operators, so one source serves the interpreter (W = 1) and compiled kernels (every W), with the same bits in every
// lane: each operation is an IEEE operation, an integer operation or a select, and no lane looks at another one. The
// one exception, any(), may only guard a slow path that computes its lanes independently.
//
// Comparisons of scalars give bool, of vectors an integer vector of 0 and -1: combine masks with & and |, negate with
// !, use them in select() and any(). No libm here: what a target lacks must not turn into a call.
#pragma once

#include <cstdint>
#include <type_traits>

#define WEFT_DEVICE_INLINE [[gnu::always_inline]] inline
#define WEFT_DEVICE_COLD [[gnu::noinline, gnu::cold, gnu::const]]

namespace weft::device_lib {

template <class T, int W>
struct PackOf {
  using Type = T __attribute__((ext_vector_type(W)));
};
template <class T>
struct PackOf<T, 1> {
  using Type = T;
};
template <class T, int W>
using Pack = typename PackOf<T, W>::Type;

template <class V>
struct PackTraits {
  using Element = V;
  static constexpr int kWidth = 1;
};
template <class T, int W>
struct PackTraits<T __attribute__((ext_vector_type(W)))> {
  using Element = T;
  static constexpr int kWidth = W;
};

template <class V>
using ElementOf = typename PackTraits<V>::Element;
template <class V>
inline constexpr int kWidthOf = PackTraits<V>::kWidth;
// A pack of T with as many lanes as V.
template <class V, class T>
using Rebind = Pack<T, kWidthOf<V>>;

template <class V>
concept FloatPack = std::is_same_v<ElementOf<V>, float> || std::is_same_v<ElementOf<V>, double>;

// What comparing two packs gives.
template <class V>
using MaskOf = decltype(V{} > V{});

// The layout of an IEEE binary format.
template <class T>
struct FormatOf;
template <>
struct FormatOf<float> {
  using Bits = std::uint32_t;
  using Int = std::int32_t;
  static constexpr int kBits = 32;
  static constexpr int kMantissaBits = 23;
  static constexpr int kExponentBias = 127;
};
template <>
struct FormatOf<double> {
  using Bits = std::uint64_t;
  using Int = std::int64_t;
  static constexpr int kBits = 64;
  static constexpr int kMantissaBits = 52;
  static constexpr int kExponentBias = 1023;
};

template <FloatPack F>
using BitsOf = Rebind<F, typename FormatOf<ElementOf<F>>::Bits>;
template <FloatPack F>
using IntOf = Rebind<F, typename FormatOf<ElementOf<F>>::Int>;

// Bit patterns and values of one element type that many functions need.
template <class T>
struct Limits {
  using Format = FormatOf<T>;
  using Bits = typename Format::Bits;
  static constexpr Bits kMantissaMask = (Bits{1} << Format::kMantissaBits) - 1;
  static constexpr Bits kSignMask = Bits{1} << (Format::kBits - 1);
  static constexpr Bits kExponentMask = ~(kMantissaMask | kSignMask);
  static constexpr T kInfinity = __builtin_bit_cast(T, kExponentMask);
  static constexpr T kNaN = __builtin_bit_cast(T, kExponentMask | (Bits{1} << (Format::kMantissaBits - 1)));
  static constexpr T kMinNormal = __builtin_bit_cast(T, Bits{1} << Format::kMantissaBits);
  // 2^p with p the number of mantissa bits: the lowest power of two whose ulp is 1.
  static constexpr T kIntegerUlp = T(Bits{1} << Format::kMantissaBits);
  // A quarter ulp of 1: below it functions that begin x + a x^2, |a| <= 1/2, are x to a quarter ulp.
  static constexpr T kTiny = T(1) / (kIntegerUlp * T(4));
};

// 2^exponent, which must be that of a normal number.
template <class T>
constexpr T power_of_two(int exponent) {
  using Format = FormatOf<T>;
  return __builtin_bit_cast(T, typename Format::Bits(exponent + Format::kExponentBias) << Format::kMantissaBits);
}

template <class To, class From>
WEFT_DEVICE_INLINE To bit_cast(From x) {
  return __builtin_bit_cast(To, x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE BitsOf<F> bits_of(F x) {
  return bit_cast<BitsOf<F>>(x);
}

// Element-wise conversion; out-of-range floating-point to integer is undefined, as in C++.
template <class To, class From>
WEFT_DEVICE_INLINE To convert(From x) {
  if constexpr (kWidthOf<From> == 1) {
    return static_cast<To>(x);
  } else {
    return __builtin_convertvector(x, To);
  }
}

template <class Mask, class V>
WEFT_DEVICE_INLINE V select(Mask mask, std::type_identity_t<V> if_true, V if_false) {
  return mask ? if_true : if_false;
}

template <class Mask>
WEFT_DEVICE_INLINE bool any(Mask mask) {
  if constexpr (kWidthOf<Mask> == 1) {
    return mask;
  } else {
    return __builtin_reduce_or(mask) != 0;
  }
}

template <class V>
WEFT_DEVICE_INLINE ElementOf<V> lane(V x, int i) {
  if constexpr (kWidthOf<V> == 1) {
    return x;
  } else {
    return x[i];
  }
}

template <class V>
WEFT_DEVICE_INLINE void set_lane(V& x, int i, ElementOf<V> value) {
  if constexpr (kWidthOf<V> == 1) {
    x = value;
  } else {
    x[i] = value;
  }
}

// a * b + c, rounded once.
template <FloatPack F>
WEFT_DEVICE_INLINE F fma(F a, std::type_identity_t<F> b, std::type_identity_t<F> c) {
  return __builtin_elementwise_fma(a, b, c);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F abs(F x) {
  return __builtin_elementwise_abs(x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F sqrt(F x) {
  return __builtin_elementwise_sqrt(x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F trunc(F x) {
  return __builtin_elementwise_trunc(x);
}

template <FloatPack F>
WEFT_DEVICE_INLINE F copysign(F magnitude, F sign) {
  return __builtin_elementwise_copysign(magnitude, sign);
}

// 2^n for integers in [1 - bias, bias + 1], the last being infinity; other n give some number.
template <FloatPack F>
WEFT_DEVICE_INLINE F exp2_integer(BitsOf<F> n) {
  using Format = FormatOf<ElementOf<F>>;
  return bit_cast<F>((n + Format::kExponentBias) << Format::kMantissaBits);
}

template <FloatPack F>
WEFT_DEVICE_INLINE MaskOf<F> is_nan(F x) {
  return x != x;  // NOLINT(misc-redundant-expression): true of NaN alone
}

// x with its sign flipped where sign_bits has the sign bit set (other bits must be zero).
template <FloatPack F>
WEFT_DEVICE_INLINE F flip_sign(F x, BitsOf<F> sign_bits) {
  return bit_cast<F>(bits_of(x) ^ sign_bits);
}

template <FloatPack F>
WEFT_DEVICE_INLINE BitsOf<F> sign_bit(F x) {
  return bits_of(x) & Limits<ElementOf<F>>::kSignMask;
}

// x limited to [low, high]; NaN stays NaN.
template <FloatPack F>
WEFT_DEVICE_INLINE F clamp(F x, ElementOf<F> low, ElementOf<F> high) {
  x = select(x < low, F(low), x);
  return select(x > high, F(high), x);
}

// c[0] + c[1] x + c[2] x^2 + ...
template <FloatPack F, class T, int N>
WEFT_DEVICE_INLINE F horner(F x, const T (&c)[N]) {
  F sum = F(c[N - 1]);
#pragma clang loop unroll(full)
  for (int i = N - 2; i >= 0; --i) {
    sum = fma(sum, x, F(c[i]));
  }
  return sum;
}

// An integer in both forms: as floating point and as the low bits of a two's complement number.
template <FloatPack F>
struct Rounded {
  F value;
  BitsOf<F> bits;
};

// x * factor rounded to the nearest integer, ties to even; |x * factor| must be below 2^(mantissa bits - 2).
// Adding 1.5 * 2^(mantissa bits) leaves no room for a fraction: the addition rounds, and the sum's low bits are the
// integer. Other x give some number and some bits, NaN gives NaN; nothing here is undefined.
template <FloatPack F>
WEFT_DEVICE_INLINE Rounded<F> round_product(F x, ElementOf<F> factor) {
  using T = ElementOf<F>;
  constexpr T kShift = Limits<T>::kIntegerUlp * T(1.5);
  const F shifted = fma(x, F(factor), F(kShift));
  return {shifted - kShift, bits_of(shifted) - __builtin_bit_cast(typename FormatOf<T>::Bits, kShift)};
}

}  // namespace weft::device_lib
