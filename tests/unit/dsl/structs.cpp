// Structs of the host in kernels: layout, members, nesting.
#include "record.h"

namespace scene {
struct Light {
  weft::float3 position;
  float power;
};
}  // namespace scene

enum class Kind : std::uint8_t { matte, glass };

struct alignas(16) Padded {
  weft::float3 a;
  float hidden;
  std::array<float, 3> weights;
  int counts[2];
  scene::Light lights[2];
  Kind kind;
};

struct Empty16 {
  weft::bool2 flags;
  weft::half h;
};

WEFT_STRUCT(scene::Light, position, power)
WEFT_STRUCT(Padded, a, weights, counts, lights, kind)
WEFT_STRUCT(Empty16, flags, h)

#define WEFT_TEST_MEMBERS                                                                                            \
  m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, \
      m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39
struct Many {
  float WEFT_TEST_MEMBERS;
};
WEFT_STRUCT(Many, WEFT_TEST_MEMBERS)

using namespace weft;
using namespace weft::test;

TEST_CASE("struct: the layout is the host's") {
  const Kernel1D k{"k", [](BufferVar<Padded>, BufferVar<Empty16>) {}};
  const std::string text = ir::print(*k.module());
  CHECK(text.find("struct scene_Light size 16 align 4 { position: vec<f32, 3> @0, power: f32 @12 }") !=
        std::string::npos);
  CHECK(
      text.find("struct Padded size 80 align 16 { a: vec<f32, 3> @0, weights: array<f32, 3> @16, counts: array<i32, 2> "
                "@28, lights: array<scene_Light, 2> @36, kind: u8 @68 }") != std::string::npos);
  CHECK(text.find("struct Empty16 size 4 align 2 { flags: vec<bool, 2> @0, h: f16 @2 }") != std::string::npos);
}

TEST_CASE("struct: members of values, variables and elements of buffers") {
  CHECK(body([](BufferVar<Padded> b, Expr<uint> i) {
          Expr<Padded> p = b.read(i);
          Var<Padded> q = p;
          q.lights[1].position.y += p.a.x;
          b[i].lights[i].power = q.weights[i];
          b[i].counts[0] += 1;
        }) == lines("%0 = read %param_0[%param_1]",       //
                    "%1 = local Padded",                  //
                    "store %1, %0",                       //
                    "%2 = element %1.lights[1_i32]",      //
                    "%3 = extract %0.a.x",                //
                    "%4 = member %2.position.y",          //
                    "%5 = load %4",                       //
                    "%6 = add %5, %3",                    //
                    "store %4, %6",                       //
                    "%7 = element %1.weights[%param_1]",  //
                    "%8 = element %param_0[%param_1].lights[%param_1]", "%9 = load %7", "store %8.power, %9",
                    "%10 = element %param_0[%param_1].counts[0_i32]", "%11 = load %10", "%12 = add %11, 1",
                    "store %10, %12"));
}

TEST_CASE("struct: host values become constants, member by member") {
  scene::Light light{{1, 2, 3}, 4};
  CHECK(body([&] { Var<scene::Light> v = light; }) ==
        lines("%0 = local scene_Light", "store %0, scene_Light([1.0, 2.0, 3.0], 4.0)"));
}

TEST_CASE("struct: make takes the members in order and converts them") {
  CHECK(body([](Expr<float3> p, Expr<int> power) { make<scene::Light>({p, power}); }) ==
        lines("%0 = cast f32 %param_1", "%1 = make scene_Light %param_0, %0"));
  const auto wrong = mistake([] { Kernel1D{"k", [](Expr<float3> p) { make<scene::Light>({p}); }}; });
  CHECK(wrong.message == "scene_Light is made of 2 values, found 1");
}

TEST_CASE("struct: many members") {
  CHECK(body([](BufferVar<Many> b) { b[0].m39 = b[0].m0; }) == lines("%0 = buffer_element %param_0[0_i32]",
                                                                     "%1 = buffer_element %param_0[0_i32]",
                                                                     "%2 = load %0.m0", "store %1.m39, %2"));
}
