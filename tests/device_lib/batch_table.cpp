#include "tests/device_lib/batch_table.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#define WEFT_BATCH_WIDTHS_32(row, ...) row(1, __VA_ARGS__) row(4, __VA_ARGS__) row(8, __VA_ARGS__) row(16, __VA_ARGS__)
#define WEFT_BATCH_WIDTHS_64(row, ...) row(1, __VA_ARGS__) row(4, __VA_ARGS__) row(8, __VA_ARGS__)
#define WEFT_BATCH(name, type, width, ...)                                                          \
  extern "C" void batch_##name##_##type##x1(const void*, const void*, void*, std::size_t);          \
  extern "C" void v3_batch_##name##_##type##x##width(const void*, const void*, void*, std::size_t); \
  extern "C" void v4_batch_##name##_##type##x##width(const void*, const void*, void*, std::size_t);
#include "tests/device_lib/batch.inc"

namespace weft::test {

namespace {

template <class T>
constexpr ElementType kTypeOf = ElementType::f32;
template <>
constexpr ElementType kTypeOf<double> = ElementType::f64;
template <>
constexpr ElementType kTypeOf<std::int32_t> = ElementType::i32;
template <>
constexpr ElementType kTypeOf<std::int64_t> = ElementType::i64;
template <>
constexpr ElementType kTypeOf<std::uint32_t> = ElementType::u32;
template <>
constexpr ElementType kTypeOf<std::uint64_t> = ElementType::u64;

template <class R, class X, class Y = X>
constexpr Batch row(std::string_view name, int width, BatchFunction native, BatchFunction v3, BatchFunction v4) {
  return {name, kTypeOf<X>, width, kTypeOf<R>, kTypeOf<Y>, native, v3, v4};
}

constexpr Batch kBatches[] = {
#define WEFT_BATCH_WIDTHS_32(row, ...) row(1, __VA_ARGS__) row(4, __VA_ARGS__) row(8, __VA_ARGS__) row(16, __VA_ARGS__)
#define WEFT_BATCH_WIDTHS_64(row, ...) row(1, __VA_ARGS__) row(4, __VA_ARGS__) row(8, __VA_ARGS__)
#define WEFT_BATCH(name, type, width, ...)                                                      \
  row<__VA_ARGS__>(#name, width, batch_##name##_##type##x1, v3_batch_##name##_##type##x##width, \
                   v4_batch_##name##_##type##x##width),
#include "tests/device_lib/batch.inc"
};

}  // namespace

std::size_t size_bytes(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::i32:
    case ElementType::u32: return 4;
    case ElementType::f64:
    case ElementType::i64:
    case ElementType::u64: return 8;
  }
  std::abort();
}

std::span<const Batch> batches() { return kBatches; }

const Batch& find_batch(std::string_view name, ElementType type, int width) {
  const auto* found = std::ranges::find_if(
      kBatches, [&](const Batch& batch) { return batch.name == name && batch.type == type && batch.width == width; });
  if (found == std::end(kBatches)) std::abort();
  return *found;
}

bool cpu_has_v4() { return __builtin_cpu_supports("x86-64-v4"); }

}  // namespace weft::test
