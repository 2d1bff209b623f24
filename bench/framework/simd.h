// Packs of 16 numbers for hand-written code, by Clang's vector types.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft::bench {

inline constexpr std::ptrdiff_t kLanes = 16;
using Floats = float __attribute__((vector_size(4 * kLanes)));
using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));
using UInts = std::uint32_t __attribute__((vector_size(4 * kLanes)));

template <typename Pack, typename T>
Pack load_pack(const T* from) {
  Pack v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline Floats load(const float* from) { return load_pack<Floats>(from); }
template <typename Pack, typename T>
void store(T* to, Pack v) {
  std::memcpy(to, &v, sizeof v);
}

inline Floats splat(float x) { return Floats{} + x; }

inline Floats iota() {
  Floats v;
  for (int i = 0; i < kLanes; ++i) {
    v[i] = static_cast<float>(i);
  }
  return v;
}

// Masks are packs of 0 and -1.
inline bool any(Ints mask) { return __builtin_reduce_or(mask) != 0; }

inline Floats fma(Floats a, Floats b, Floats c) { return __builtin_elementwise_fma(a, b, c); }

// The estimate of the machine, and one step of Newton.
inline Floats rsqrt(Floats x) {
#ifdef __AVX512F__
  const auto r = std::bit_cast<Floats>(_mm512_rsqrt14_ps(std::bit_cast<__m512>(x)));
#else
  struct Halves {
    __m256 low, high;
  };
  const auto halves = std::bit_cast<Halves>(x);
  const auto r = std::bit_cast<Floats>(Halves{_mm256_rsqrt_ps(halves.low), _mm256_rsqrt_ps(halves.high)});
#endif
  return r * (1.5F - 0.5F * x * r * r);
}

}  // namespace weft::bench
