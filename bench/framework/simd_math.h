// Functions of packs for hand-written code, within 1 ulp: SLEEF's, else the C library's one number at a time.
#pragma once

#ifdef WEFT_BENCH_SLEEF
#include <sleef.h>
#else
#include <cmath>
#endif

#include "bench/framework/simd.h"

namespace weft::bench {

#if defined(WEFT_BENCH_SLEEF) && defined(__AVX512F__)
inline Floats exp(Floats x) { return std::bit_cast<Floats>(Sleef_expf16_u10(std::bit_cast<__m512>(x))); }
inline Floats log(Floats x) { return std::bit_cast<Floats>(Sleef_logf16_u10(std::bit_cast<__m512>(x))); }
inline Floats pow(Floats x, Floats y) {
  return std::bit_cast<Floats>(Sleef_powf16_u10(std::bit_cast<__m512>(x), std::bit_cast<__m512>(y)));
}
#elif defined(WEFT_BENCH_SLEEF)
struct Halves {
  __m256 low, high;
};
inline Floats exp(Floats x) {
  const auto [low, high] = std::bit_cast<Halves>(x);
  return std::bit_cast<Floats>(Halves{Sleef_expf8_u10(low), Sleef_expf8_u10(high)});
}
inline Floats log(Floats x) {
  const auto [low, high] = std::bit_cast<Halves>(x);
  return std::bit_cast<Floats>(Halves{Sleef_logf8_u10(low), Sleef_logf8_u10(high)});
}
inline Floats pow(Floats x, Floats y) {
  const auto [low, high] = std::bit_cast<Halves>(x);
  const auto [y_low, y_high] = std::bit_cast<Halves>(y);
  return std::bit_cast<Floats>(Halves{Sleef_powf8_u10(low, y_low), Sleef_powf8_u10(high, y_high)});
}
#else
template <typename F>
Floats each(F f) {
  Floats result;
  for (int i = 0; i < kLanes; ++i) {
    result[i] = f(i);
  }
  return result;
}
inline Floats exp(Floats x) {
  return each([&](int i) { return std::exp(x[i]); });
}
inline Floats log(Floats x) {
  return each([&](int i) { return std::log(x[i]); });
}
inline Floats pow(Floats x, Floats y) {
  return each([&](int i) { return std::pow(x[i], y[i]); });
}
#endif

inline Floats sqrt(Floats x) { return __builtin_elementwise_sqrt(x); }
inline Floats abs(Floats x) { return __builtin_elementwise_abs(x); }
inline Floats min(Floats a, Floats b) { return __builtin_elementwise_min(a, b); }
inline Floats max(Floats a, Floats b) { return __builtin_elementwise_max(a, b); }

}  // namespace weft::bench
