// Random choices that a seed determines, the same on every machine.
#pragma once

#include <cstdint>
#include <span>

namespace weft::fuzz {

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // 0 to n - 1.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(bits() % n); }
  // True once in n times.
  bool once_in(std::uint32_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& pick(const T (&from)[N]) {
    return from[below(N)];
  }
  template <class C>
  const auto& pick_of(const C& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace weft::fuzz
