// Loads and stores of structs in memory, whose members go through registers in pieces: of every layout, with lanes that
// are neighbours, any lanes, some lanes, and lanes out of range. What lies between members is compared too.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;

namespace {

constexpr std::uint32_t kLanes = 96;

struct Layout {
  std::uint64_t size;
  std::uint64_t align;
  std::string members;
};

// `count` members of one type, side by side.
Layout packed(const std::string& type, std::uint64_t bytes, std::uint64_t count) {
  Layout layout{bytes * count, bytes, ""};
  for (std::uint64_t i = 0; i < count; ++i) {
    layout.members += fmt::format("{}m{}: {} @{}", i == 0 ? "" : ", ", i, type, i * bytes);
  }
  return layout;
}

std::vector<Layout> layouts() {
  std::vector<Layout> result;
  for (const std::uint64_t count : {2, 3, 4, 5, 7, 8}) {
    result.push_back(packed("u32", 4, count));
  }
  for (const std::uint64_t count : {2, 3}) {
    result.push_back(packed("u64", 8, count));
    result.push_back(packed("u16", 2, count));
    result.push_back(packed("u8", 1, count + 1));
  }
  result.push_back(packed("f16", 2, 4));
  result.push_back({8, 4, "a: u8 @0, b: bool @1, c: i16 @2, d: u32 @4"});
  result.push_back({32, 4, "a: vec<f32, 3> @0, b: u32 @12, c: vec<f32, 3> @16"});      // a hole at the end
  result.push_back({40, 8, "a: vec<f32, 2> @0, b: f64 @16, c: f64 @24, d: i32 @32"});  // holes in the middle
  result.push_back({24, 4, "a: u8 @0, b: bool @1, c: vec<u32, 2> @4, d: vec<u16, 4> @12"});
  result.push_back({28, 4, "d: u32 @24, c: u32 @8, b: u32 @4, a: vec<u32, 3> @12"});  // not in the order of memory
  result.push_back({64, 4, "m: mat<f32, 4, 4> @0"});
  return result;
}

// Copies structs from %from to %to, in all lanes or in some.
std::string copying(const Layout& layout, const std::string& from, const std::string& to, bool all) {
  return fmt::format(R"(weft 1
struct S size {} align {} {{ {} }}
kernel @k(%in: buffer<S>, %indices: buffer<u32>, %out: buffer<S>) block(48) {{
  %l = add dispatch_id.x, 0
  %x = read %indices[%l]
  %y = add %l, 3
  %b = and %x, 3
  %some = ne %b, 0
  {}
    %s = read %in[{}]
    write %out[{}], %s
  {}
}}
)",
                     layout.size, layout.align, layout.members, all ? "" : "if %some {", from, to, all ? "" : "}");
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

TEST_CASE("structs in memory: members come and go in pieces, and what lies between them stays") {
  std::vector<std::uint32_t> indices(kLanes);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    indices[i] = i % 13 == 0 ? 0xfffffff0U + i : (i * 37 + 5) % 110;
  }
  for (const Layout& layout : layouts()) {
    INFO(layout.members);
    const Memory memory = {noise(layout.size * kLanes), bytes_of(indices), noise(layout.size * kLanes)};
    for (const auto& [from, to, all] :
         {std::tuple{"%l", "%l", true}, {"%y", "%x", true}, {"%x", "%y", true}, {"%x", "%l", false}}) {
      check_same(copying(layout, from, to, all), {kLanes, 1, 1}, memory, all_ways());
    }
  }
}
