// Memory of a benchmark's buffer on the host: bytes on cache lines, seen as elements of any type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::bench {

class Data {
 public:
  Data() = default;

  template <typename T>
  static Data zeros(std::size_t count) {
    Data data;
    data.lines_.resize((count * sizeof(T) + sizeof(Line) - 1) / sizeof(Line));
    data.size_bytes_ = count * sizeof(T);
    return data;
  }

  // Elements f(0), f(1), ...
  template <typename T, typename F>
  static Data filled(std::size_t count, F f) {
    Data data = zeros<T>(count);
    const std::span<T> elements = data.as<T>();
    for (std::size_t i = 0; i < count; ++i) {
      elements[i] = f(i);
    }
    return data;
  }

  template <typename T>
  [[nodiscard]] std::span<T> as() {
    return {reinterpret_cast<T*>(lines_.data()), size_bytes_ / sizeof(T)};
  }
  template <typename T>
  [[nodiscard]] std::span<const T> as() const {
    return {reinterpret_cast<const T*>(lines_.data()), size_bytes_ / sizeof(T)};
  }

  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> lines_;
  std::size_t size_bytes_ = 0;
};

// Repeatable numbers that look random.
inline std::uint32_t scramble(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9U;
  return static_cast<std::uint32_t>(x >> 32);
}
// From 0 up to 1.
inline float random_float(std::uint64_t i) { return static_cast<float>(scramble(i) >> 8) * 0x1p-24F; }

}  // namespace weft::bench
