// Every device function, compiled through bitcode at every width and for two CPU levels, against the native one of one
// lane: same bits.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "tests/device_lib/batch_table.h"
#include "tests/unit/device_lib/operands.h"

namespace weft::test {
namespace {

constexpr std::size_t kRandomOperands = 4'000;
constexpr std::size_t kMaxWidth = 16;

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> interesting_integers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      0, 1, 2, 3, 7, 10, 42, 255, 65'535, Limits::max(), Limits::max() - 1, Limits::min(), Limits::min() + 1};
  if constexpr (std::is_signed_v<T>) values.insert(values.end(), {-1, -2, -3, -42});
  return values;
}

template <class T>
std::vector<T> interesting() {
  if constexpr (std::is_floating_point_v<T>) {
    return interesting_floats<T>();
  } else {
    return interesting_integers<T>();
  }
}

// All pairs of interesting operands, then random ones, interleaved such that neighbouring lanes take different paths.
template <class X, class Y>
std::pair<Bytes, Bytes> operands() {
  std::vector<X> xs;
  std::vector<Y> ys;
  for (const Y y : interesting<Y>()) {
    for (const X x : interesting<X>()) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  RandomOperands<std::conditional_t<std::is_floating_point_v<X>, X, float>> random;
  const auto next = [&]<class T>(T) -> T {
    if constexpr (std::is_floating_point_v<T>) {
      return random.next();
    } else {
      return random.template any_integer<T>();
    }
  };
  for (std::size_t i = 0; i < kRandomOperands || xs.size() % kMaxWidth != 0; ++i) {
    xs.push_back(next(X{}));
    ys.push_back(next(Y{}));
  }
  return {bytes_of(xs), bytes_of(ys)};
}

std::pair<Bytes, Bytes> operands_for(const Batch& batch) {
  switch (batch.type) {
    case ElementType::f32:
      return batch.operand == ElementType::i32 ? operands<float, std::int32_t>() : operands<float, float>();
    case ElementType::f64:
      return batch.operand == ElementType::i32 ? operands<double, std::int32_t>() : operands<double, double>();
    case ElementType::i32: return operands<std::int32_t, std::int32_t>();
    case ElementType::i64: return operands<std::int64_t, std::int64_t>();
    case ElementType::u32: return operands<std::uint32_t, std::uint32_t>();
    case ElementType::u64: return operands<std::uint64_t, std::uint64_t>();
  }
  std::abort();
}

// NaNs compare as equal, everything else by bits.
bool same(ElementType type, const std::byte* a, const std::byte* b) {
  const auto both_nan = [&]<class T>(T x, T y) {
    std::memcpy(&x, a, sizeof(T));
    std::memcpy(&y, b, sizeof(T));
    return std::isnan(x) && std::isnan(y);
  };
  if (std::memcmp(a, b, size_bytes(type)) == 0) return true;
  if (type == ElementType::f32) return both_nan(0.0F, 0.0F);
  return type == ElementType::f64 && both_nan(0.0, 0.0);
}

// The number of the first operand on which the function's result is not the native one; -1 if there is none.
std::ptrdiff_t first_difference(const Batch& batch, BatchFunction function) {
  const auto [x, y] = operands_for(batch);
  const std::size_t count = x.size() / size_bytes(batch.type);
  const std::size_t step = size_bytes(batch.result);
  Bytes expected(count * step);
  Bytes got(count * step);
  batch.native(x.data(), y.data(), expected.data(), count);
  function(x.data(), y.data(), got.data(), count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!same(batch.result, &expected[i * step], &got[i * step])) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

TEST_CASE("device math: same bits at every width through bitcode for x86-64-v3") {
  for (const Batch& batch : batches()) {
    INFO(batch.name << ", " << 8 * size_bytes(batch.type) << " bits, x" << batch.width);
    CHECK(first_difference(batch, batch.v3) == -1);
  }
}

TEST_CASE("device math: same bits at every width through bitcode for x86-64-v4") {
  if (!cpu_has_v4()) return;
  for (const Batch& batch : batches()) {
    INFO(batch.name << ", " << 8 * size_bytes(batch.type) << " bits, x" << batch.width);
    CHECK(first_difference(batch, batch.v4) == -1);
  }
}

}  // namespace
}  // namespace weft::test
