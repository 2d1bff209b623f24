// batch_<symbol>: a device function applied to arrays, for every symbol of math.def. With WEFT_BATCH_SCALAR defined,
// those of one lane, compiled natively; else those of all widths, compiled as a kernel is: as bitcode, linked with the
// device library's bitcode, and only then for a CPU. The functions' names get a prefix for that CPU.
#include <cstddef>
#include <cstdint>

#include "runtime/device_lib/pack.h"

namespace {

using weft::device_lib::ElementOf;
using weft::device_lib::kWidthOf;
using weft::device_lib::Pack;

template <class V>
V load(const void* array, std::size_t index) {
  V pack;
  __builtin_memcpy(&pack, static_cast<const ElementOf<V>*>(array) + index, sizeof(ElementOf<V>) * kWidthOf<V>);
  return pack;
}

template <class V>
void store(void* array, std::size_t index, V pack) {
  __builtin_memcpy(static_cast<ElementOf<V>*>(array) + index, &pack, sizeof(ElementOf<V>) * kWidthOf<V>);
}

// `count` must be a multiple of the width.
template <auto function, class V>
void run(const void* x, const void*, void* result, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kWidthOf<V>) store(result, i, function(load<V>(x, i)));
}
template <auto function, class V, class U>
void run(const void* x, const void* y, void* result, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kWidthOf<V>) store(result, i, function(load<V>(x, i), load<U>(y, i)));
}

template <int W, class R, class... Operands>
struct Signature {
  using Type = Pack<R, W>(Pack<Operands, W>...);
  template <auto function>
  static constexpr auto kRun = run<function, Pack<Operands, W>...>;
};

}  // namespace

#ifdef WEFT_BATCH_SCALAR
#define WEFT_BATCH_WIDTHS_32(row, ...) row(1, __VA_ARGS__)
#define WEFT_BATCH_WIDTHS_64(row, ...) row(1, __VA_ARGS__)
#else
#define WEFT_BATCH_WIDTHS_32(row, ...) row(1, __VA_ARGS__) row(4, __VA_ARGS__) row(8, __VA_ARGS__) row(16, __VA_ARGS__)
#define WEFT_BATCH_WIDTHS_64(row, ...) row(1, __VA_ARGS__) row(4, __VA_ARGS__) row(8, __VA_ARGS__)
#endif

#define WEFT_BATCH(name, type, width, ...)                                                                         \
  extern "C" Signature<width, __VA_ARGS__>::Type weft_##name##_##type##x##width;                                   \
  extern "C" void batch_##name##_##type##x##width(const void* x, const void* y, void* result, std::size_t count) { \
    Signature<width, __VA_ARGS__>::kRun<weft_##name##_##type##x##width>(x, y, result, count);                      \
  }
#include "tests/device_lib/batch.inc"
