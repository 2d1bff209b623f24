// Operands for the math tests: the interesting ones, and random ones from distributions that reach every branch.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <type_traits>
#include <vector>

namespace weft::test {

template <class T>
using BitsFor = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
std::vector<T> interesting_floats() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> positive = {0,
                             Limits::denorm_min(),
                             Limits::min() - Limits::denorm_min(),
                             Limits::min(),
                             Limits::min() * 3,
                             Limits::epsilon() / 4,
                             Limits::epsilon(),
                             T(0.25),
                             T(1) / 3,
                             std::sqrt(T(0.5)),
                             T(0.5),
                             T(1) - Limits::epsilon() / 2,
                             1,
                             T(1) + Limits::epsilon(),
                             T(1.5),
                             2,
                             T(2.5),
                             3,
                             42,
                             T(1) / Limits::epsilon(),
                             T(1) / Limits::epsilon() + 1,
                             T(4) / Limits::epsilon(),
                             std::sqrt(Limits::max()),
                             Limits::max() / 2,
                             Limits::max(),
                             Limits::infinity()};
  for (int turns = 1; turns <= 8; ++turns) positive.push_back(turns * std::numbers::pi_v<T> / 4);
  std::vector<T> all = {Limits::quiet_NaN()};
  for (const T x : positive) all.insert(all.end(), {x, -x});
  return all;
}

// A stream of random operands, the same on every run.
template <class T>
class RandomOperands {
 public:
  explicit RandomOperands(std::uint64_t seed = 1) : engine_(seed) {}

  T next() {
    switch (engine_() % 6) {
      case 0: return any_bits();
      case 1: return uniform(-1, 1);
      case 2: return uniform(-100, 100);
      case 3: return near_one();
      case 4: return near_quarter_turn();
      default: return power(-30, 30);
    }
  }

  // An integer of any magnitude and sign.
  template <class I>
  I any_integer() {
    using Bits = std::make_unsigned_t<I>;
    const auto magnitude =
        static_cast<Bits>(static_cast<Bits>(engine_()) >> (engine_() % std::numeric_limits<Bits>::digits));
    return static_cast<I>((engine_() & 1) ? Bits(0) - magnitude : magnitude);
  }

  T any_bits() { return std::bit_cast<T>(static_cast<BitsFor<T>>(engine_())); }
  T uniform(double low, double high) { return static_cast<T>(low + (high - low) * fraction()); }
  std::int32_t integer(std::int32_t low, std::int32_t high) {
    return static_cast<std::int32_t>(low + static_cast<std::int64_t>(engine_() % (std::uint64_t(high) - low + 1)));
  }

  // +-1 + a distance of random magnitude.
  T near_one() {
    const double distance = std::ldexp(fraction() - 0.5, -integer(0, std::numeric_limits<T>::digits));
    return static_cast<T>((engine_() & 1) ? 1 + distance : -1 - distance);
  }

  // The neighbourhood of n pi/2, n of random magnitude.
  T near_quarter_turn() {
    const double turns = std::round(std::ldexp(fraction(), integer(1, 40)));
    const T angle = static_cast<T>(turns * (std::numbers::pi / 2));
    return std::bit_cast<T>(static_cast<BitsFor<T>>(std::bit_cast<BitsFor<T>>(angle) + integer(0, 4) - 2));
  }

  // Random sign, and an exponent evenly in the range.
  T power(int low, int high) {
    const double magnitude = std::ldexp(1 + fraction(), integer(low, high));
    return static_cast<T>((engine_() & 1) ? magnitude : -magnitude);
  }

 private:
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace weft::test
