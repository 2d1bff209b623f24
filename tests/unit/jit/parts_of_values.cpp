// The family aggregate: parts of values that differ between lanes in different ways, chosen in the text and at run
// time.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;

namespace {

constexpr std::uint32_t kLanes = 128;

// Indices in and out of range of what has a few parts.
Bytes indices() {
  std::vector<std::uint32_t> values(kLanes);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    values[i] = i % 11 == 0 ? 0xffffffffU : i % 7;
  }
  return bytes_of(values);
}

// Runs a kernel whose lanes have %x (varying u32), %u (uniform), %l (affine) and %i (varying index), in blocks of 32
// and of 8x4 lanes, and write the u32 %r.
void check_body(const std::string& body, const std::string& types = "") {
  Random random;
  std::vector<std::uint32_t> x(kLanes);
  for (std::uint32_t& v : x) {
    v = static_cast<std::uint32_t>(random.next());
  }
  for (const auto& [block, size] : {std::pair{"32", interp::Size3{kLanes, 1, 1}}, {"8, 4", {8, kLanes / 8, 1}}}) {
    const std::string source = fmt::format(R"(weft 1
{}
kernel @k(%in: buffer<u32>, %indices: buffer<u32>, %out: buffer<u32>, %u: u32) block({}) {{
  %row = mul dispatch_id.y, 8
  %l = add %row, dispatch_id.x
  %x = read %in[%l]
  %i = read %indices[%l]
{}
  write %out[%l], %r
}}
)",
                                           types, block, body);
    const std::vector<std::uint32_t> uniform{77};
    check_same(source, size, {bytes_of(x), indices(), Bytes(std::size_t{kLanes} * 4), bytes_of(uniform)}, all_ways());
  }
}

}  // namespace

TEST_CASE("vectors: components may be uniform, affine and varying") {
  check_body(R"(
  %v = make vec<u32, 4> %x, %u, %l, 9
  %w = swizzle %v.wzyx
  %s = add %v, %w
  %t = insert %s.y, %l
  %a = extract %t.x
  %b = extract %t.y
  %c = extract %t.z
  %d = extract %t.w
  %ab = mul %a, %b
  %cd = mul %c, %d
  %r = xor %ab, %cd
)");
}

TEST_CASE("vectors: a component is chosen at run time, 0 or none out of range") {
  check_body(R"(
  %v = make vec<u32, 3> %x, %u, %l
  %a = extract_at %v[%i]
  %w = insert_at %v[%i], %l
  %b = extract %w.x
  %c = extract %w.z
  %m = rem %u, 3
  %d = extract_at %v[%m]
  %e = extract_at %w[%u]
  %n = cast i8 %i
  %f = extract_at %v[%n]
  %uniform = make vec<u32, 3> %u, 5, 6
  %g = extract_at %uniform[%m]
  %h = extract_at %uniform[%i]
  %ab = add %a, %b
  %cd = mul %c, %d
  %ef = xor %e, %f
  %gh = sub %g, %h
  %s1 = add %ab, %cd
  %s2 = add %ef, %gh
  %r = xor %s1, %s2
)");
}

TEST_CASE("matrices: columns and components are parts") {
  check_body(R"(
  %xf = cast f32 %x
  %lf = cast f32 %l
  %c0 = make vec<f32, 2> %xf, 2.5
  %c1 = splat vec<f32, 2> %lf
  %m = make mat<f32, 2, 2> %c0, %c1
  %n = insert_at %m[%i], %c1
  %k = extract_at %n[%i]
  %a = extract_at %k[0_u32]
  %col = extract %n.1
  %b = extract %col.x
  %s = add %a, %b
  %r = bitcast u32 %s
)");
}

TEST_CASE("arrays and structs: elements of one array may differ between lanes in different ways") {
  check_body(R"(
  %pair = make Pair %l, %x
  %other = make Pair %u, 3
  %a = make array<Pair, 3> %pair, %other, %other
  %b = insert %a.2, %pair
  %c = insert_at %b[%i], %other
  %p = extract_at %c[%i]
  %q = extract %c.0
  %m = rem %u, 3
  %s = extract_at %a[%m]
  %p0 = extract %p.a
  %q1 = extract %q.b
  %s1 = extract %s.b
  %cond = lt %x, 0x80000000
  %chosen = select %cond, %a, %b
  %e = extract %chosen.2
  %e0 = extract %e.a
  %t = add %p0, %q1
  %t1 = mul %s1, %e0
  %r = xor %t, %t1
)",
             "struct Pair size 8 align 4 { a: u32 @0, b: u32 @4 }");
}

TEST_CASE("arrays: an index type may be too narrow to name all parts") {
  std::string parts;
  for (int i = 0; i < 200; ++i) {
    parts += fmt::format("{}{}", i == 0 ? "" : ", ", i % 3 == 0 ? "%x" : i % 3 == 1 ? "%l" : "%u");
  }
  check_body(fmt::format(R"(
  %a = make array<u32, 200> {}
  %i8 = cast i8 %x
  %e = extract_at %a[%i8]
  %u8 = cast u8 %x
  %f = extract_at %a[%u8]
  %r = sub %e, %f
)",
                         parts));
}
