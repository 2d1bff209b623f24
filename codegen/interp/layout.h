// How values are held: as words of 64 bits, one for each scalar leaf; and where the leaves are in memory.
//
// A buffer is two words, address and number of elements. A reference is the words of a Place.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::interp {

// What a reference holds at run time.
struct Place {
  enum Word : std::uint32_t {
    kData,    // address of the first byte, or 0 for a place out of range
    kShadow,  // address of a byte for each byte of data, nonzero once it is written; 0 where that is not tracked
    // Bytes between the components of a column of a row-major matrix; 0 where components are side by side.
    kComponentStride,
    kIndex,  // of a place out of range: the index that left the range, and the range
    kCount,
    kWords
  };
};

inline constexpr std::uint32_t kBufferWords = 2;

// Words of a value of this type.
[[nodiscard]] std::uint32_t word_count(const ir::TypeTable& types, ir::TypeId type);
// Words of one part, and of all parts before it.
[[nodiscard]] std::uint32_t part_words(const ir::TypeTable& types, ir::TypeId aggregate, std::uint64_t part);
[[nodiscard]] std::uint32_t words_before(const ir::TypeTable& types, ir::TypeId aggregate, std::uint64_t part);

// A leaf of a value in memory.
struct Leaf {
  std::uint64_t offset_bytes;
  ir::TypeKind scalar;
  std::uint32_t size_bytes;
};

// The leaves of a type in memory, in the order of the value's words.
[[nodiscard]] std::vector<Leaf> leaves(const ir::TypeTable& types, ir::TypeId type);

namespace detail {

template <class T>
std::uint64_t read_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Whole where it can be: another thread may look at a counter meanwhile that a block waits for.
template <class T>
void write_as(std::byte* to, std::uint64_t word) {
  const T value = static_cast<T>(word);
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(T) == 0) {
    __atomic_store_n(reinterpret_cast<T*>(to), value, __ATOMIC_RELEASE);
  } else {
    std::memcpy(to, &value, sizeof(T));
  }
}

}  // namespace detail

// A scalar in memory as its word, and back. A bool is true for any nonzero byte, and is written as 0 or 1.
[[nodiscard]] inline std::uint64_t read_scalar(const std::byte* from, const Leaf& leaf) {
  switch (leaf.size_bytes) {
    case 1: {
      const std::uint64_t byte = detail::read_as<std::uint8_t>(from);
      return leaf.scalar == ir::TypeKind::boolean ? byte != 0 : byte;
    }
    case 2: return detail::read_as<std::uint16_t>(from);
    case 4: return detail::read_as<std::uint32_t>(from);
    default: return detail::read_as<std::uint64_t>(from);
  }
}
inline void write_scalar(std::byte* to, const Leaf& leaf, std::uint64_t word) {
  static_assert(std::endian::native == std::endian::little, "a scalar's bytes are the lowest of its word");
  switch (leaf.size_bytes) {
    case 1: std::memcpy(to, &word, 1); break;
    case 2: std::memcpy(to, &word, 2); break;
    case 4: detail::write_as<std::uint32_t>(to, word); break;
    default: detail::write_as<std::uint64_t>(to, word); break;
  }
}

}  // namespace weft::interp
