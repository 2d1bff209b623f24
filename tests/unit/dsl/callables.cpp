// Callables: parameters, references, results, and how often they are recorded.
#include "record.h"

using namespace weft;
using namespace weft::test;

namespace {

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++n;
  }
  return n;
}

}  // namespace

TEST_CASE("callable: is recorded once for each kernel and called each time") {
  const Callable luminance{"luminance", [](Expr<float3> c) { return dot(c, float3(0.2f, 0.7f, 0.1f)); }};
  const Callable twice{"twice", [&](Expr<float3> c) { return luminance(c) * 2; }};
  for (int i = 0; i < 2; ++i) {
    const Kernel1D k{"k", [&](Expr<float3> c) { keep(luminance(c) + twice(c)); }};
    const std::string text = ir::print(*k.module());
    CHECK(count(text, "callable @luminance(%param_0: vec<f32, 3>) -> f32 {") == 1);
    CHECK(count(text, "call @luminance") == 2);
    CHECK(count(text, "call @twice") == 1);
  }
}

TEST_CASE("callable: references name variables, their parts, elements and shared memory") {
  const Callable bump{"bump", [](Float& x, Expr<float> by) { x += by; }};
  CHECK(body([&](Expr<uint> i) {
          Shared<float, 4> tile;
          Float3 v;
          Float x;
          bump(x, 1);
          bump(v.y, x);
          bump(tile[i], 2.f);
        }) == lines("%0 = shared array<f32, 4>", "%1 = local vec<f32, 3>", "%2 = local f32", "call @bump(%2, 1.0)",
                    "%3 = member %1.y", "%4 = load %2", "call @bump(%3, %4)", "call @bump(%0[%param_0], 2.0)"));
}

TEST_CASE("callable: a reference is handed on by reference, a value parameter is a copy") {
  const Callable inner{"inner", [](Float& x) { x = 1.f; }};
  const Callable outer{"outer", [&](Float& x, Float y) {
                         inner(x);
                         y = 2.f;
                       }};
  const Kernel1D k{"k", [&] {
                     Float x;
                     outer(x, x);
                   }};
  const std::string text = ir::print(*k.module());
  CHECK(
      text.find("callable @outer(%param_0: ref<f32>, %param_1: f32) {\n  call @inner(%param_0)\n  %0 = local f32\n") ==
      std::string::npos);
  CHECK(text.find("call @inner(%param_0)") != std::string::npos);
  CHECK(text.find("store %0, 2.0") != std::string::npos);
}

TEST_CASE("callable: early returns give the same type as the last") {
  const Callable sign{"sign_of", [](Expr<float> x) {
                        $if(x < 0.f) { $return(-1.f); };
                        return select(x > 0.f, 1.f, 0.f);
                      }};
  const Callable declared = Callable<Float(Float)>{"declared", [](Float x) {
                                                     $if(x < 0.f) { $return(-x); }
                                                     $else { $return(x); };
                                                   }};
  const Kernel1D k{"k", [&](Expr<float> x) { keep(sign(x) + declared(x)); }};
  const std::string text = ir::print(*k.module());
  CHECK(text.find("return -1.0") != std::string::npos);
  CHECK(text.find("callable @declared(%param_0: f32) -> f32 {") != std::string::npos);
}

TEST_CASE("callable: buffers, structs and arrays as parameters") {
  const Callable sum{"sum", [](BufferVar<float> b, ArrayVar<float, 4>& a, Expr<float4x4> m, ByteBufferVar raw) {
                       return b.read(0u) + a[1] + m[0][0] + raw.read<float>(0u);
                     }};
  const Kernel1D k{"k", [&](BufferVar<float> b, ByteBufferVar raw) {
                     ArrayVar<float, 4> a;
                     keep(sum(b, a, float4x4::identity(), raw));
                   }};
  CHECK(ir::print(*k.module())
            .find("callable @sum(%param_0: buffer<f32>, %param_1: ref<array<f32, 4>>, "
                  "%param_2: mat<f32, 4, 4>, %param_3: byte_buffer) -> f32 {") != std::string::npos);
}

TEST_CASE("callable: two of one name stay apart") {
  const Callable a{"f", [](Expr<int> x) { return x + 1; }};
  const Callable b{"f", [](Expr<int> x) { return x + 2; }};
  const Kernel1D k{"k", [&](Expr<int> x) { keep(a(x) + b(x)); }};
  const std::string text = ir::print(*k.module());
  CHECK(text.find("callable @f(") != std::string::npos);
  CHECK(text.find("callable @f_2(") != std::string::npos);
}

TEST_CASE("callable: a copy is the same callable, and outlives the first") {
  auto copy = [] {
    const Callable first{std::string("made") + "_here", [](Expr<int> x) { return x + 1; }};
    return first;
  }();
  const auto second = copy;
  const Kernel1D k{"k", [&](Expr<int> x) { keep(copy(x) + second(x)); }};
  CHECK(count(ir::print(*k.module()), "callable @made_here") == 1);
}
