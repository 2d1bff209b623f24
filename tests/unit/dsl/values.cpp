// Variables, values and places: when they are read, what a copy is, parts.
#include "record.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("variable: starts as zero or with its value, and is read where it is used") {
  CHECK(body([] {
          Float x;
          Float y = 1;
          auto before = x + y;
          x = 2.f;
          y = before;
        }) == lines("%0 = local f32", "%1 = local f32", "store %1, 1.0", "%2 = load %0", "%3 = load %1",
                    "%4 = add %2, %3", "store %0, 2.0", "store %1, %4"));
}

TEST_CASE("variable: a copy is a new variable") {
  const auto two = lines("%0 = local f32", "%1 = local f32", "%2 = load %0", "store %1, %2", "store %1, 1.0");
  CHECK(body([] {
          Float x;
          Float y = x;
          y = 1.f;
        }) == two);
  CHECK(body([] {
          Float x;
          auto y = x;
          y = 1.f;
        }) == two);
}

TEST_CASE("variable: a part of a variable is a place, and a copy of it a new variable") {
  CHECK(body([] {
          Float3 v;
          v.y = 1.f;
          auto y = v.y;
          y = 2.f;
        }) == lines("%0 = local vec<f32, 3>", "store %0.y, 1.0", "%1 = local f32", "%2 = load %0.y", "store %1, %2",
                    "store %1, 2.0"));
}

TEST_CASE("variable: assignment from a variable reads it once") {
  CHECK(body([] {
          Int x;
          Int y;
          x = y;
        }) == lines("%0 = local i32", "%1 = local i32", "%2 = load %1", "store %0, %2"));
}

TEST_CASE("variable: compound assignment computes in the variable's type") {
  CHECK(body([](Expr<uint> u) {
          Int x;
          x += u;
        }) == lines("%0 = local i32", "%1 = cast i32 %param_0", "%2 = load %0", "%3 = add %2, %1", "store %0, %3"));
  CHECK(body([](Expr<float> s) {
          Float3 v;
          v *= s;
        }) == lines("%0 = local vec<f32, 3>", "%1 = splat vec<f32, 3> %param_0", "%2 = load %0", "%3 = mul %2, %1",
                    "store %0, %3"));
  CHECK(body([] {
          Bool b;
          b |= true;
        }) == lines("%0 = local bool", "%1 = load %0", "%2 = or %1, true", "store %0, %2"));
  CHECK(body([](Expr<float2x2> m) {
          Float2x2 a;
          a *= m;
        }) == lines("%0 = local mat<f32, 2, 2>", "%1 = load %0", "%2 = matrix_product %1, %param_0", "store %0, %2"));
}

TEST_CASE("variable: each compound assignment records its op") {
  const auto op = [](auto update) {
    const std::string text = body([update] {
      UInt x;
      update(x);
    });
    const auto at = text.find("%2 = ") + 5;
    return text.substr(at, text.find(' ', at) - at);
  };
  CHECK(op([](UInt& x) { x += 3; }) == "add");
  CHECK(op([](UInt& x) { x -= 3; }) == "sub");
  CHECK(op([](UInt& x) { x *= 3; }) == "mul");
  CHECK(op([](UInt& x) { x /= 3; }) == "div");
  CHECK(op([](UInt& x) { x %= 3; }) == "rem");
  CHECK(op([](UInt& x) { x &= 3; }) == "and");
  CHECK(op([](UInt& x) { x |= 3; }) == "or");
  CHECK(op([](UInt& x) { x ^= 3; }) == "xor");
  CHECK(op([](UInt& x) { x <<= 3; }) == "shl");
  CHECK(op([](UInt& x) { x >>= 3; }) == "shr");
}

TEST_CASE("variable: ++x gives the new value, x++ the old") {
  CHECK(body([] {
          Int x;
          Int y = ++x;
          Int z = x--;
        }) == lines("%0 = local i32", "%1 = load %0", "%2 = add %1, 1", "store %0, %2", "%3 = local i32",
                    "store %3, %2", "%4 = load %0", "%5 = sub %4, 1", "store %0, %5", "%6 = local i32",
                    "store %6, %4"));
}

TEST_CASE("value: an Expr made from a variable keeps its value") {
  CHECK(body([] {
          Int x;
          Expr<int> before = x;
          x = 1;
          x = before;
        }) == lines("%0 = local i32", "%1 = load %0", "store %0, 1", "store %0, %1"));
}

TEST_CASE("vector: components, swizzles and indices are read") {
  CHECK(body([](Expr<float4> v) { v.w + v.x; }) == "%0 = add %param_0.w, %param_0.x");
  CHECK(body([](Expr<float4> v) { v.wzyx() + v.xxyy(); }) == "%0 = add %param_0.wzyx, %param_0.xxyy");
  CHECK(body([](Expr<float2> v) { v.yxy().zx() * 2.f; }) == lines("%0 = mul %param_0.yxy.zx, vec<f32, 2>(2.0, 2.0)"));
  CHECK(body([](Expr<float3> v, Expr<uint> i) { v[i] + v[2]; }) == "%0 = add %param_0[%param_1], %param_0.z");
}

TEST_CASE("vector: components and elements of a variable are written") {
  CHECK(body([](Expr<uint> i) {
          Float3 v;
          v.x = 1.f;
          v[i] = 2.f;
          v[2] += 3.f;
        }) == lines("%0 = local vec<f32, 3>", "store %0.x, 1.0", "store %0[%param_0], 2.0", "%1 = member %0.z",
                    "%2 = load %1", "%3 = add %2, 3.0", "store %1, %3"));
}

TEST_CASE("matrix: columns and elements") {
  CHECK(body([](Expr<float3x3> m, Expr<int> c) { m[c][1] + m[0].z; }) == "%0 = add %param_0[%param_1].y, %param_0.0.z");
  CHECK(body([](Expr<int> r) {
          Float3x3 m;
          m[1][r] = 1.f;
          m[2] = float3(1, 0, 0);
        }) ==
        lines("%0 = local mat<f32, 3, 3>", "store %0.1[%param_0], 1.0", "store %0.2, vec<f32, 3>(1.0, 0.0, 0.0)"));
}

TEST_CASE("array: elements of a local array") {
  CHECK(body([](Expr<uint> i) {
          ArrayVar<int, 8> a;
          a[i] = 1;
          a[3] = a[i] + 1;
          Var<std::array<int, 8>> b = a;
        }) == lines("%0 = local array<i32, 8>", "store %0[%param_0], 1", "%1 = load %0[%param_0]", "%2 = add %1, 1",
                    "store %0[3_i32], %2", "%3 = local array<i32, 8>", "%4 = load %0", "store %3, %4"));
}

TEST_CASE("make: vectors of components and vectors, repeated, and cast") {
  CHECK(body([](Expr<float> x) {
          make_float3(x, 0, 1.f) + 0.f;
        }).starts_with("%0 = make vec<f32, 3> %param_0, 0.0, 1.0"));
  CHECK(body([](Expr<float2> v) {
          make_float4(v, 0, 1) + 0.f;
        }).starts_with("%0 = make vec<f32, 4> %param_0.x, %param_0.y, 0.0, 1.0"));
  CHECK(body([](Expr<float> x) { make_float2(x) + 0.f; }).starts_with("%0 = splat vec<f32, 2> %param_0"));
  CHECK(body([](Expr<int3> v) { make_float3(v) + 0.f; }).starts_with("%0 = cast vec<f32, 3> %param_0"));
  CHECK(body([](Expr<float> x) { make<float2x2>({make_float2(x, 1), float2(2, 3)}); }) ==
        lines("%0 = make vec<f32, 2> %param_0, 1.0", "%1 = make mat<f32, 2, 2> %0, vec<f32, 2>(2.0, 3.0)"));
  CHECK(body([](Expr<int> x) { make<std::array<float, 2>>({x, 1}); }) ==
        lines("%0 = cast f32 %param_0", "%1 = make array<f32, 2> %0, 1.0"));
}
