// Compiled once for each CPU level. All functions of the libraries are weak references: those that are not there, or
// whose library was not found, are null.
#include "bench/math/peers.h"

#include <cstddef>
#include <cstring>

namespace {

// SLEEF names a function by lanes, accuracy and CPU, libmvec by the vector ABI: d for AVX2 and e for AVX-512, lanes, a
// v for each operand.
#ifdef __AVX512F__
constexpr int kBytes = 64;
#define WEFT_PEERS peers_v4
#define WEFT_SLEEF_f32(name, accuracy) Sleef_##name##f16_##accuracy##avx512f
#define WEFT_SLEEF_f64(name, accuracy) Sleef_##name##d8_##accuracy##avx512f
#define WEFT_LIBMVEC_f32(operands, name) _ZGVeN16##operands##_##name##f
#define WEFT_LIBMVEC_f64(operands, name) _ZGVeN8##operands##_##name
#else
constexpr int kBytes = 32;
#define WEFT_PEERS peers_v3
#define WEFT_SLEEF_f32(name, accuracy) Sleef_##name##f8_##accuracy##avx2
#define WEFT_SLEEF_f64(name, accuracy) Sleef_##name##d4_##accuracy##avx2
#define WEFT_LIBMVEC_f32(operands, name) _ZGVdN8##operands##_##name##f
#define WEFT_LIBMVEC_f64(operands, name) _ZGVdN4##operands##_##name
#endif
using Floats = float __attribute__((vector_size(kBytes)));
using Doubles = double __attribute__((vector_size(kBytes)));

#define WEFT_PACK_f32 Floats
#define WEFT_PACK_f64 Doubles
#define WEFT_SIGNATURE_unary(symbol, T) T symbol(T)
#define WEFT_SIGNATURE_binary(symbol, T) T symbol(T, T)
#define WEFT_LIBMVEC_unary(name, type) WEFT_LIBMVEC_##type(v, name)
#define WEFT_LIBMVEC_binary(name, type) WEFT_LIBMVEC_##type(vv, name)
extern "C" {
#define WEFT_DECLARE(name, shape, accuracy, type)                                            \
  [[gnu::weak]] WEFT_SIGNATURE_##shape(WEFT_SLEEF_##type(name, accuracy), WEFT_PACK_##type); \
  [[gnu::weak]] WEFT_SIGNATURE_##shape(WEFT_LIBMVEC_##shape(name, type), WEFT_PACK_##type);
#define WEFT_MEASURED(name, shape, accuracy, ...) \
  WEFT_DECLARE(name, shape, accuracy, f32) WEFT_DECLARE(name, shape, accuracy, f64)
#include "bench/math/functions.def"
}

template <class V>
V load(const void* array, std::size_t offset) {
  V pack;
  std::memcpy(&pack, static_cast<const std::byte*>(array) + offset, sizeof(V));
  return pack;
}

// The loop over arrays for one function; null for a function that is not there.
template <auto function>
weft::test::BatchFunction loop() {
  if (function == nullptr) return nullptr;
  return []<class V, class... Vs>(V (*)(V, Vs...)) -> weft::test::BatchFunction {
    return [](const void* x, const void* y, void* result, std::size_t count) {
      const std::size_t end = count * sizeof(V{}[0]);
      for (std::size_t i = 0; i < end; i += sizeof(V)) {
        const V value = function(load<V>(x, i), load<Vs>(y, i)...);
        std::memcpy(static_cast<std::byte*>(result) + i, &value, sizeof(V));
      }
    };
  }(function);
}

}  // namespace

namespace weft::bench {

std::span<const Peer> WEFT_PEERS() {
#define WEFT_ROW(name, shape, accuracy, type) \
  {#name, test::ElementType::type, loop<WEFT_SLEEF_##type(name, accuracy)>(), loop<WEFT_LIBMVEC_##shape(name, type)>()},
#define WEFT_MEASURED(name, shape, accuracy, ...) \
  WEFT_ROW(name, shape, accuracy, f32) WEFT_ROW(name, shape, accuracy, f64)
  static const Peer peers[] = {
#include "bench/math/functions.def"
  };
  return peers;
}

}  // namespace weft::bench
