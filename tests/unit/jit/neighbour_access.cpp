// Memory at an index that is computed from lane ids and uniform numbers: whether lanes are neighbours there is known
// only when the kernel runs.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;

namespace {

constexpr std::uint32_t kLanes = 128;

// Element (l * factor + offset) ^ flip of the numbers, in lane l, for all lanes or some.
std::string kernel(const std::string& type, const std::string& index_type, bool all) {
  return fmt::format(R"(weft 1
kernel @k(%in: buffer<{0}>, %out: buffer<{0}>, %factor: u32, %offset: u32, %flip: u32) block(64) {{
  %tile = shared array<{0}, 64>
  %copy = shared array<{0}, 64>
  %l = add dispatch_id.x, 0
  %a = mul %l, %factor
  %b = add %a, %offset
  %c = xor %b, %flip
  %i = cast {1} %c
  %t = and %i, 63
  %from = element %tile[%t]
  %to = element %copy[%t]
  %five = rem %l, 5
  %some = ne %five, 1
  %zero = read %in[%l]
  %own = element %tile[thread_id.x]
  %own_copy = element %copy[thread_id.x]
  store %own, %zero
  store %own_copy, %zero
  barrier
  {2}
    %x = read %in[%i]
    %y = load %from
    store %to, %x
    write %out[%i], %y
  {3}
  barrier
  %z = load %own_copy
  %n = add %l, {4}
  write %out[%n], %z
}}
)",
                     type, index_type, all ? "" : "if %some {", all ? "" : "}", kLanes);
}

Bytes noise(std::size_t bytes) {
  Random random;
  Bytes result(bytes);
  for (std::byte& b : result) {
    b = static_cast<std::byte>(random.next());
  }
  return result;
}

}  // namespace

TEST_CASE("neighbours: an index that may turn out to be contiguous, to jump, to wrap or to stand still") {
  struct Numbers {
    std::uint32_t factor;
    std::uint32_t offset;
    std::uint32_t flip;
  };
  const std::vector<Numbers> all_numbers = {
      {1, 0, 0},          {1, 3, 16}, {1, 0, 4}, {2, 0, 0}, {0, 7, 0}, {1, 0xfffffffbU, 0}, {0xffffffffU, 100, 0},
      {1, 0x7fffff80U, 0}};
  struct Types {
    const char* element;
    std::size_t bytes;
    const char* index;
  };
  for (const auto& [type, bytes, index] :
       {Types{"u32", 4, "u32"}, {"u32", 4, "i32"}, {"f64", 8, "u32"}, {"u8", 1, "u64"}}) {
    for (const bool all : {true, false}) {
      const auto module = parsed(kernel(type, index, all));
      for (const Numbers& n : all_numbers) {
        INFO(type << " at " << index << " " << n.factor << " " << n.offset << " " << n.flip);
        const auto number = [](std::uint32_t x) { return bytes_of(std::vector{x}); };
        const Memory memory = {noise(bytes * kLanes), noise(bytes * kLanes * 2), number(n.factor), number(n.offset),
                               number(n.flip)};
        check_same(*module, {kLanes, 1, 1}, memory, {{16, "native"}, {8, "x86-64-v3"}});
      }
    }
  }
}
