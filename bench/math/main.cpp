// Nanoseconds per element of the device library's functions, strict and fast, beside SLEEF's of 1 ulp and libmvec's of
// 4 ulp, on arrays in the first-level cache; and of its integer divisions.
//   bench_math [function]
//
// For each CPU level the widest pack that the library has is measured: 16 lanes of f32 and 8 of f64, which are two
// registers each at x86-64-v3. SLEEF and libmvec take one register. Rounds are interleaved, the best one counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <string_view>
#include <vector>

#include "bench/math/peers.h"

namespace weft::bench {
namespace {

using test::Batch;
using test::BatchFunction;
using test::ElementType;

constexpr std::size_t kCount = 1024;
constexpr int kRepeats = 100;
constexpr int kRounds = 15;

struct Operands {
  std::vector<std::byte> x, y, result;
};

template <class T, class Draw>
Operands drawn(Draw draw_x, Draw draw_y) {
  Operands operands;
  for (auto* bytes : {&operands.x, &operands.y, &operands.result}) bytes->resize(kCount * sizeof(T));
  auto* x = reinterpret_cast<T*>(operands.x.data());
  auto* y = reinterpret_cast<T*>(operands.y.data());
  for (std::size_t i = 0; i < kCount; ++i) {
    x[i] = draw_x();
    y[i] = draw_y();
  }
  return operands;
}

template <class T>
Operands numbers_between(std::uint64_t seed, double x_low, double x_high, double y_low, double y_high) {
  std::mt19937_64 engine(seed);
  struct Draw {
    std::mt19937_64& engine;
    double low, high;
    T operator()() const { return static_cast<T>(low + (high - low) * ((engine() >> 11) + 0.5) * 0x1p-53); }
  };
  return drawn<T>(Draw{engine, x_low, x_high}, Draw{engine, y_low, y_high});
}

// Any dividends, and divisors from 1 to 1000.
template <class T>
Operands integers(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  struct Draw {
    std::mt19937_64& engine;
    bool small;
    T operator()() const { return static_cast<T>(small ? engine() % 1000 + 1 : engine()); }
  };
  return drawn<T>(Draw{engine, false}, Draw{engine, true});
}

double thread_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// The time of each function per element; 0 for null.
std::vector<double> times(const std::vector<BatchFunction>& functions, Operands& operands) {
  std::vector<double> best(functions.size(), 1e30);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions[i] == nullptr) {
        best[i] = 0;
        continue;
      }
      const double start = thread_nanoseconds();
      for (int n = 0; n < kRepeats; ++n) {
        functions[i](operands.x.data(), operands.y.data(), operands.result.data(), kCount);
      }
      best[i] = std::min(best[i], (thread_nanoseconds() - start) / (double{kCount} * kRepeats));
    }
  }
  return best;
}

// The widest batch of that function, or null.
const Batch* widest(std::string_view name, ElementType type) {
  const Batch* found = nullptr;
  for (const Batch& batch : test::batches()) {
    if (batch.name == name && batch.type == type) found = &batch;
  }
  return found;
}

struct Level {
  std::string_view name;
  BatchFunction Batch::* function;
  std::span<const Peer> peers;
};

void print_ratio(double peer, double ours) {
  if (peer > 0) {
    fmt::print(" {:>8.2f} {:>6.2f}", peer, peer / ours);
  } else {
    fmt::print(" {:>8} {:>6}", "-", "-");
  }
}

// The ratio of SLEEF's time to the strict function's; 0 without SLEEF.
double print_row(const Level& level, std::string_view name, ElementType type, Operands operands) {
  const Batch* strict = widest(name, type);
  const Batch* fast = widest(fmt::format("fast_{}", name), type);
  const auto peer = std::ranges::find_if(level.peers, [&](const Peer& p) { return p.name == name && p.type == type; });
  const std::vector<double> time =
      times({strict->*level.function, fast ? fast->*level.function : nullptr, peer->sleef, peer->libmvec}, operands);
  fmt::print("{:<7}{:<6}{:<5}{:>8.3f}", name, type == ElementType::f32 ? "f32" : "f64", level.name, time[0]);
  print_ratio(time[2], time[0]);
  print_ratio(time[3], time[0]);
  if (fast) fmt::print(" {:>8.3f}", time[1]);
  fmt::print("\n");
  return time[2] / time[0];
}

void print_functions(const std::vector<Level>& levels, std::string_view wanted) {
  fmt::print("ns per element           strict    SLEEF  ratio  libmvec  ratio     fast\n");
  double worst = 1e30;
  double log_sum = 0;
  int count = 0;
  const auto row = [&](const Level& level, std::string_view name, ElementType type, Operands operands) {
    const double ratio = print_row(level, name, type, std::move(operands));
    if (ratio == 0) return;
    worst = std::min(worst, ratio);
    log_sum += std::log(ratio);
    ++count;
  };
  for (const Level& level : levels) {
#define WEFT_MEASURED(name, shape, accuracy, ...)                                 \
  if (wanted.empty() || wanted == #name) {                                        \
    row(level, #name, ElementType::f32, numbers_between<float>(1, __VA_ARGS__));  \
    row(level, #name, ElementType::f64, numbers_between<double>(1, __VA_ARGS__)); \
  }
#include "bench/math/functions.def"
  }
  if (count > 0)
    fmt::print("SLEEF / strict: at least {:.2f}, geometric mean {:.2f}\n", worst, std::exp(log_sum / count));
}

Operands integers_of(ElementType type) {
  return test::size_bytes(type) == 4 ? integers<std::uint32_t>(1) : integers<std::uint64_t>(1);
}

void print_divisions(const std::vector<Level>& levels, std::string_view wanted) {
  for (const Batch& batch : test::batches()) {
    const bool integer = batch.type != ElementType::f32 && batch.type != ElementType::f64;
    if (!integer || &batch != widest(batch.name, batch.type) || (!wanted.empty() && wanted != batch.name)) continue;
    Operands operands = integers_of(batch.type);
    fmt::print("{:<7}{} bits", batch.name, 8 * test::size_bytes(batch.type));
    for (const Level& level : levels)
      fmt::print("  {} {:.3f}", level.name, times({batch.*level.function}, operands)[0]);
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** arguments) {
  using namespace weft::bench;
  const std::string_view wanted = count > 1 ? arguments[1] : "";
  std::vector<Level> levels = {{"v3", &weft::test::Batch::v3, peers_v3()}};
  if (weft::test::cpu_has_v4()) levels.push_back({"v4", &weft::test::Batch::v4, peers_v4()});
  print_functions(levels, wanted);
  print_divisions(levels, wanted);
}
