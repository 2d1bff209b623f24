// Functions: each records its op, on the types that it takes.
#include "record.h"

using namespace weft;
using namespace weft::test;

namespace {

// The op that a function records first for an operand of type T, or "" if it takes no T.
template <class T, class F>
std::string op_of(F function) {
  if constexpr (requires(Expr<T> x) { function(x); }) {
    const std::string text = body([&](Expr<T> x) { function(x); });
    return text.substr(5, text.find(' ', 5) - 5);
  }
  return "";
}

// A type of each domain of functions.def, and one that is not of it.
using NumericIs = short3;
using NumericIsNot = bool2;
using FloatingIs = half2;
using FloatingIsNot = int3;
using IntegerIs = std::uint8_t;
using IntegerIsNot = float;
using BoolVectorIs = bool3;
using BoolVectorIsNot = bool;
using NumericVectorIs = int4;
using NumericVectorIsNot = float;
using FloatVectorIs = double3;
using FloatVectorIsNot = int3;
using FloatVector3Is = float3;
using FloatVector3IsNot = float2;
using SquareMatrixIs = float3x3;
using SquareMatrixIsNot = float3;

}  // namespace

#define WEFT_DSL_FUNCTION1(name, op, domain, result)                                                             \
  TEST_CASE("function: " #name) {                                                                                \
    CHECK(op_of<domain##Is>([](const auto& x) -> decltype(weft::name(x)) { return weft::name(x); }) == op);      \
    CHECK(op_of<domain##IsNot>([](const auto& x) -> decltype(weft::name(x)) { return weft::name(x); }).empty()); \
    static_assert(                                                                                               \
        std::same_as<decltype(weft::name(std::declval<Var<domain##Is>&>())), Expr<dsl::result<domain##Is>>>);    \
  }
#define WEFT_DSL_FUNCTION2(name, op, domain, result)                                                                   \
  TEST_CASE("function: " #name) {                                                                                      \
    CHECK(op_of<domain##Is>([](const auto& x) -> decltype(weft::name(x, x)) { return weft::name(x, x); }) == op);      \
    CHECK(op_of<domain##IsNot>([](const auto& x) -> decltype(weft::name(x, x)) { return weft::name(x, x); }).empty()); \
    static_assert(std::same_as<decltype(weft::name(domain##Is(), std::declval<Var<domain##Is>&>())),                   \
                               Expr<dsl::result<domain##Is>>>);                                                        \
  }
#define WEFT_DSL_FUNCTION3(name, op, domain, result)                                                               \
  TEST_CASE("function: " #name) {                                                                                  \
    CHECK(op_of<domain##Is>([](const auto& x) -> decltype(weft::name(x, x, x)) { return weft::name(x, x, x); }) == \
          op);                                                                                                     \
    CHECK(op_of<domain##IsNot>([](const auto& x) -> decltype(weft::name(x, x, x)) {                                \
            return weft::name(x, x, x);                                                                            \
          }).empty());                                                                                             \
    static_assert(std::same_as<decltype(weft::name(domain##Is(), std::declval<Var<domain##Is>&>(), domain##Is())), \
                               Expr<dsl::result<domain##Is>>>);                                                    \
  }
#include <weft/dsl/functions.def>

TEST_CASE("function: operands meet as those of an operator do") {
  CHECK(body([](Expr<float3> v) { clamp(v, 0, 1.f); }) ==
        "%0 = clamp %param_0, vec<f32, 3>(0.0, 0.0, 0.0), vec<f32, 3>(1.0, 1.0, 1.0)");
  CHECK(body([](Expr<float3> v, Expr<float> t) { lerp(v, float3(1, 2, 3), t); }) ==
        lines("%0 = splat vec<f32, 3> %param_1", "%1 = lerp %param_0, vec<f32, 3>(1.0, 2.0, 3.0), %0"));
  CHECK(body([](Expr<int> a, Expr<float> b) { max(a, b); }) ==
        lines("%0 = cast f32 %param_0", "%1 = max %0, %param_1"));
  CHECK(body([](BufferVar<float> b) { sqrt(b[0u]); }) == lines("%0 = load %param_0[0]", "%1 = sqrt %0"));
}

TEST_CASE("select: the condition may be one or one for each component") {
  CHECK(body([](Expr<bool> c, Expr<float3> v) { select(c, v, 0.f); }) ==
        "%0 = select %param_0, %param_1, vec<f32, 3>(0.0, 0.0, 0.0)");
  CHECK(body([](Expr<bool3> c) { select(c, 1.f, 0.f); }) ==
        "%0 = select %param_0, vec<f32, 3>(1.0, 1.0, 1.0), vec<f32, 3>(0.0, 0.0, 0.0)");
  CHECK(body([](Expr<bool2> c, Expr<int2> v) { select(c, v, v * 2); }).find("select %param_0, %param_1, %0") !=
        std::string::npos);
}

TEST_CASE("function: those whose operands differ") {
  CHECK(body([](Expr<float2> v, Expr<uint> n) { powi(v, n); }) ==
        lines("%0 = cast i32 %param_1", "%1 = splat vec<i32, 2> %0", "%2 = powi %param_0, %1"));
  CHECK(body([](Expr<float> x) { ldexp(x, 3); }) == "%0 = ldexp %param_0, 3");
  CHECK(body([](Expr<int> x, Expr<uint> n) { rotl(x, n); }) ==
        lines("%0 = cast i32 %param_1", "%1 = rotl %param_0, %0"));
  CHECK(body([](Expr<uint> x) { rotr(x, 3); }) == "%0 = rotr %param_0, 3");
  CHECK(body([](Expr<int> x) { bit_field_extract(x, 4u, 8u); }) == "%0 = bit_extract %param_0, 4, 8");
  CHECK(body([](Expr<uint> x, Expr<uint> y) { bit_field_insert(x, y, 4, 8); }) ==
        "%0 = bit_insert %param_0, %param_1, 4, 8");
  CHECK(body([](Expr<float3> a, Expr<float3> n) { refract(a, n, 1.5); }) == "%0 = refract %param_0, %param_1, 1.5");
  CHECK(body([](Expr<float3> a, Expr<float2> b) { transpose(outer_product(a, b)); }) ==
        lines("%0 = outer_product %param_0, %param_1", "%1 = transpose %0"));
  CHECK(body([](Expr<float> x) { radians(x); }) == "%0 = mul %param_0, 0.017453292");
  CHECK(body([](Expr<float> x) { degrees(x); }) == "%0 = mul %param_0, 57.29578");
}

TEST_CASE("function: those with two results") {
  CHECK(body([](Expr<float> x) {
          auto [s, c] = sincos(x);
          keep(s + c);
        }) == lines("%0 = sin %param_0", "%1 = cos %param_0", "%2 = add %0, %1"));
  CHECK(body([](Expr<double> x) {
          auto [fraction, exponent] = frexp(x);
          keep(fraction + exponent);
        }) ==
        lines("%0 = frexp_fraction %param_0", "%1 = frexp_exponent %param_0", "%2 = cast f64 %1", "%3 = add %0, %2"));
  CHECK(body([](Expr<float> x) {
          auto [fraction, whole] = modf(x);
          keep(fraction);
          keep(whole);
        }) == lines("%0 = trunc %param_0", "%1 = is_inf %param_0", "%2 = sub %param_0, %0", "%3 = select %1, 0.0, %2",
                    "%4 = copysign %3, %param_0"));
}

TEST_CASE("conversion: casts, bit casts and packing") {
  CHECK(body([](Expr<float3> v) { cast<int>(v); }) == "%0 = cast vec<i32, 3> %param_0");
  CHECK(body([](Expr<float3> v) { cast<UInt3>(v); }) == "%0 = cast vec<u32, 3> %param_0");
  CHECK(body([](Expr<int> v) { cast<bool>(v); }) == "%0 = cast bool %param_0");
  CHECK(body([](Expr<float2> v) { as<uint>(v); }) == "%0 = bitcast vec<u32, 2> %param_0");
  CHECK(body([](Expr<double> v) { bit_cast<std::uint64_t>(v); }) == "%0 = bitcast u64 %param_0");
#define WEFT_TEST_PACK(name, T) CHECK(body([](Expr<T> v) { name(v); }) == "%0 = " #name " %param_0");
  WEFT_TEST_PACK(pack_half2, float2)
  WEFT_TEST_PACK(unpack_half2, uint)
  WEFT_TEST_PACK(pack_unorm2x16, float2)
  WEFT_TEST_PACK(unpack_unorm2x16, uint)
  WEFT_TEST_PACK(pack_snorm2x16, float2)
  WEFT_TEST_PACK(unpack_snorm2x16, uint)
  WEFT_TEST_PACK(pack_unorm4x8, float4)
  WEFT_TEST_PACK(unpack_unorm4x8, uint)
  WEFT_TEST_PACK(pack_snorm4x8, float4)
  WEFT_TEST_PACK(unpack_snorm4x8, uint)
#undef WEFT_TEST_PACK
}
