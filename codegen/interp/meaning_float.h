// What casts and the core ops of the family math mean for scalars.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#include "codegen/interp/meaning.h"

namespace weft::interp::meaning {

// --- convert

template <Integer T>
T saturate(double a) {
  constexpr double kBelow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double kAbove = 2.0 * static_cast<double>(T(1) << (std::numeric_limits<T>::digits - 1));
  if (is_nan(a)) {
    return 0;
  }
  return a <= kBelow ? std::numeric_limits<T>::min() : a >= kAbove ? std::numeric_limits<T>::max() : static_cast<T>(a);
}

// An f16 of an integer goes by way of double: what double cannot hold exactly is an infinity in f16 anyway.
template <class To, class From>
To cast(From a) {
  if constexpr (Boolean<To>) {
    return a != From(0);
  } else if constexpr (Floating<From> && Integer<To>) {
    return saturate<To>(static_cast<double>(a));
  } else if constexpr (std::same_as<To, Half> && Integer<From>) {
    return static_cast<Half>(static_cast<double>(a));
  } else {
    return static_cast<To>(a);
  }
}

// --- math

// The root of a half in f32, rounded again, is the rounded root: f32 has more than twice the bits and two.
template <Floating T>
T sqrt(T a) {
  if constexpr (std::same_as<T, Half>) {
    return static_cast<Half>(std::sqrt(static_cast<float>(a)));
  } else {
    return std::sqrt(a);
  }
}

template <Floating T>
T rsqrt(T a) {
  return static_cast<T>(1) / sqrt(a);
}

// Applies a function of float or double that is exact for halves, such as floor.
template <Floating T, class F>
T exact(T a, F f) {
  if constexpr (std::same_as<T, Half>) {
    return static_cast<Half>(f(static_cast<float>(a)));
  } else {
    return f(a);
  }
}

template <Floating T>
T floor(T a) {
  return exact(a, [](auto x) { return std::floor(x); });
}
template <Floating T>
T ceil(T a) {
  return exact(a, [](auto x) { return std::ceil(x); });
}
template <Floating T>
T trunc(T a) {
  return exact(a, [](auto x) { return std::trunc(x); });
}
template <Floating T>
T round(T a) {
  return exact(a, [](auto x) { return std::round(x); });
}
template <Floating T>
T rint(T a) {
  return exact(a, [](auto x) { return std::nearbyint(x); });
}

template <Floating T>
T copysign(T a, T b) {
  return sign_bit(a) == sign_bit(b) ? a : -a;
}

}  // namespace weft::interp::meaning
