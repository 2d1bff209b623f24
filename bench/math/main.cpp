// Nanoseconds per element of every device function at every width and CPU level, beside the C library's scalar
// function.
//   bench_math [function]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "tests/device_lib/batch_table.h"

namespace {

using weft::test::Batch;
using weft::test::BatchFunction;
using weft::test::ElementType;

constexpr std::size_t kCount = 1024;
constexpr int kRepeats = 200;
constexpr int kTries = 7;

// The best of a few tries.
template <class F>
double nanoseconds_per_element(F&& run) {
  double best = 1e30;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kRepeats; ++i) run();
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count() / (double{kCount} * kRepeats));
  }
  return best;
}

// Operands in the domain of all functions but acosh: (0, 1), and 1 to 40 for the second. Integers: all, and 1 to 1000.
template <class T>
struct Operands {
  std::vector<T> x = std::vector<T>(kCount);
  std::vector<T> y = std::vector<T>(kCount);
  std::vector<T> result = std::vector<T>(kCount);

  explicit Operands(std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    if constexpr (std::is_integral_v<T>) {
      for (T& value : x) value = static_cast<T>(engine());
      for (T& value : y) value = static_cast<T>(engine() % 1000 + 1);
      return;
    }
    for (T& value : x) value = static_cast<T>(static_cast<double>(engine() % 1'000'000 + 1) / 1'000'001);
    for (T& value : y) value = static_cast<T>(static_cast<double>(engine() % 40'000 + 1'000) / 1'000);
  }
};

// 0 if the C library has no such function; for integer division, the operator.
template <class T>
double peer_time(std::string_view name, Operands<T>& operands) {
  const auto unary = [&](auto function) {
    return nanoseconds_per_element([&] {
      for (std::size_t i = 0; i < kCount; ++i) operands.result[i] = function(operands.x[i]);
    });
  };
  const auto binary = [&](auto function) {
    return nanoseconds_per_element([&] {
      for (std::size_t i = 0; i < kCount; ++i) operands.result[i] = function(operands.x[i], operands.y[i]);
    });
  };
  if constexpr (std::is_integral_v<T>) {
    if (name.ends_with("div")) return binary([](T a, T b) { return a / b; });
    return binary([](T a, T b) { return a % b; });
  } else {
#define WEFT_PEER(kind, function) \
  if (name == #function) return kind([](auto... x) { return std::function(x...); })
    WEFT_PEER(unary, sin);
    WEFT_PEER(unary, cos);
    WEFT_PEER(unary, tan);
    WEFT_PEER(unary, asin);
    WEFT_PEER(unary, acos);
    WEFT_PEER(unary, atan);
    WEFT_PEER(unary, sinh);
    WEFT_PEER(unary, cosh);
    WEFT_PEER(unary, tanh);
    WEFT_PEER(unary, asinh);
    WEFT_PEER(unary, atanh);
    WEFT_PEER(unary, exp);
    WEFT_PEER(unary, exp2);
    WEFT_PEER(unary, expm1);
    WEFT_PEER(unary, log);
    WEFT_PEER(unary, log2);
    WEFT_PEER(unary, log10);
    WEFT_PEER(unary, log1p);
    WEFT_PEER(unary, cbrt);
    WEFT_PEER(binary, atan2);
    WEFT_PEER(binary, pow);
    WEFT_PEER(binary, hypot);
    WEFT_PEER(binary, fmod);
#undef WEFT_PEER
    return 0;
  }
}

template <class T>
void print_row(std::string_view name, ElementType type, std::string_view type_name) {
  Operands<T> operands(1);
  const auto time = [&](BatchFunction function) {
    return nanoseconds_per_element(
        [&] { function(operands.x.data(), operands.y.data(), operands.result.data(), kCount); });
  };
  fmt::print("{:<16}{:<5}{:>8.2f}", name, type_name, peer_time(name, operands));
  for (const Batch& batch : weft::test::batches()) {
    if (batch.name != name || batch.type != type) continue;
    fmt::print("   {:>6.2f}", time(batch.v3));
    if (weft::test::cpu_has_v4()) fmt::print(" {:>6.2f}", time(batch.v4));
  }
  fmt::print("\n");
}

void print_row(std::string_view name, ElementType type) {
  switch (type) {
    case ElementType::f32: return print_row<float>(name, type, "f32");
    case ElementType::f64: return print_row<double>(name, type, "f64");
    case ElementType::i32: return print_row<std::int32_t>(name, type, "i32");
    case ElementType::i64: return print_row<std::int64_t>(name, type, "i64");
    case ElementType::u32: return print_row<std::uint32_t>(name, type, "u32");
    case ElementType::u64: return print_row<std::uint64_t>(name, type, "u64");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view wanted = count > 1 ? arguments[1] : "";
  fmt::print("ns per element: C library, then x86-64-v3 and v4 at widths 1, 4, 8, 16\n");
  for (const Batch& batch : weft::test::batches()) {
    const bool uniform_types = batch.operand == batch.type && batch.result == batch.type;
    if (batch.width == 1 && uniform_types && (wanted.empty() || batch.name == wanted))
      print_row(batch.name, batch.type);
  }
}
