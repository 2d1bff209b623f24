// A name for contents: 128 bits of XXH3, which two contents share by chance alone. It is no defence against somebody
// who looks for a second content of the same digest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  // 32 hexadecimal digits.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Digest&, const Digest&) = default;
};

// Takes contents piece by piece. Pieces of varying length say their length, so that no two lists of pieces look alike.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void add(T value) {
    if (used_ + sizeof value > buffer_.size()) flush();
    std::memcpy(buffer_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }
  void add(std::string_view text);

  [[nodiscard]] Digest finish();

 private:
  struct State;
  void flush();

  std::array<std::byte, 4096> buffer_;
  std::size_t used_ = 0;
  std::unique_ptr<State> state_;
};

// 64 bits, for a checksum.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace weft
