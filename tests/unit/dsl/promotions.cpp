// The types that operators give, and what is refused before anything is recorded.
#include "record.h"

using namespace weft;
using namespace weft::test;

namespace {

template <class R, class E>
constexpr bool kGives = std::same_as<E, Expr<R>>;

#define WEFT_TEST_GIVES(R, A, symbol, B) \
  static_assert(kGives<R, decltype(std::declval<A>() symbol std::declval<B>())>, #A " " #symbol " " #B)

// scalars, as in C++
WEFT_TEST_GIVES(std::int32_t, Int&, +, Int&);
WEFT_TEST_GIVES(std::uint32_t, Int&, +, UInt&);
WEFT_TEST_GIVES(std::uint32_t, UInt&, +, int);
WEFT_TEST_GIVES(std::uint32_t, Int&, +, unsigned);
WEFT_TEST_GIVES(std::uint32_t, unsigned, *, Int&);
WEFT_TEST_GIVES(std::int64_t, UInt&, -, Long&);
WEFT_TEST_GIVES(std::uint64_t, ULong&, -, Long&);
WEFT_TEST_GIVES(std::int32_t, Short&, +, Short&);
WEFT_TEST_GIVES(std::int32_t, UByte&, *, Short&);
WEFT_TEST_GIVES(std::int32_t, Short&, +, int);
WEFT_TEST_GIVES(std::int32_t, Bool&, +, Bool&);
WEFT_TEST_GIVES(std::uint32_t, Bool&, *, UInt&);
WEFT_TEST_GIVES(std::int32_t, Byte&, <<, UInt&);
WEFT_TEST_GIVES(std::int64_t, Long&, >>, int);
WEFT_TEST_GIVES(std::uint32_t, unsigned, <<, Int&);
WEFT_TEST_GIVES(float, Float&, *, int);
WEFT_TEST_GIVES(float, Float&, *, ULong&);
WEFT_TEST_GIVES(float, Int&, *, float);
WEFT_TEST_GIVES(double, Float&, *, double);
WEFT_TEST_GIVES(double, double, /, Int&);
WEFT_TEST_GIVES(half, Half&, +, Half&);
WEFT_TEST_GIVES(half, Half&, +, int);
WEFT_TEST_GIVES(float, Half&, +, Float&);
WEFT_TEST_GIVES(float, Half&, +, float);
WEFT_TEST_GIVES(double, Double&, -, Half&);

// vectors with scalars and vectors of other elements
WEFT_TEST_GIVES(float3, Float3&, *, Float&);
WEFT_TEST_GIVES(float3, Float&, *, Float3&);
WEFT_TEST_GIVES(float3, float, *, Float3&);
WEFT_TEST_GIVES(float3, Float3&, +, int);
WEFT_TEST_GIVES(float3, Int3&, *, Float&);
WEFT_TEST_GIVES(float3, Float&, *, Int3&);
WEFT_TEST_GIVES(float3, Int3&, *, float);
WEFT_TEST_GIVES(float3, Int3&, +, Float3&);
WEFT_TEST_GIVES(double3, Float3&, +, Double&);
WEFT_TEST_GIVES(uint2, Int2&, +, UInt2&);
WEFT_TEST_GIVES(float3, float3, *, Float&);
WEFT_TEST_GIVES(float3, Float3&, -, float3);
WEFT_TEST_GIVES(float3, Float3&, *, int3);
WEFT_TEST_GIVES(int2, Short2&, <<, int);

// comparisons
WEFT_TEST_GIVES(bool, Float&, <, int);
WEFT_TEST_GIVES(bool, UInt&, ==, ULong&);
WEFT_TEST_GIVES(bool, Bool&, ==, bool);
WEFT_TEST_GIVES(bool3, Float3&, <=, float);
WEFT_TEST_GIVES(bool2, Bool2&, !=, Bool2&);
WEFT_TEST_GIVES(bool, Short&, >, Short&);
WEFT_TEST_GIVES(bool, int, >, Short&);

// logic and bits
WEFT_TEST_GIVES(bool, Bool&, &&, Expr<bool>);
WEFT_TEST_GIVES(bool, bool, ||, Bool&);
WEFT_TEST_GIVES(bool, Bool&, &, Bool&);
WEFT_TEST_GIVES(bool3, Bool3&, &&, Bool3&);
WEFT_TEST_GIVES(std::uint32_t, UInt&, &, int);
WEFT_TEST_GIVES(std::int32_t, UByte&, |, UByte&);
static_assert(kGives<std::int32_t, decltype(-std::declval<Short&>())>);
static_assert(kGives<std::uint32_t, decltype(~std::declval<UInt&>())>);
static_assert(kGives<bool3, decltype(!std::declval<Bool3&>())>);

// matrices
WEFT_TEST_GIVES(float3x3, Float3x3&, *, Float3x3&);
WEFT_TEST_GIVES(float3x3, float3x3, *, Float3x3&);
WEFT_TEST_GIVES(float3x3, Float3x3&, *, float3x3);
WEFT_TEST_GIVES(float3, Float3x3&, *, Float3&);
WEFT_TEST_GIVES(float3, Float3x3&, *, float3);
WEFT_TEST_GIVES(float3, Float3&, *, Float3x3&);
WEFT_TEST_GIVES(float3, float3, *, Float3x3&);
WEFT_TEST_GIVES(float3x3, Float3x3&, *, float);
WEFT_TEST_GIVES(float3x3, Float&, *, Float3x3&);
WEFT_TEST_GIVES(float3x3, int, *, Float3x3&);
WEFT_TEST_GIVES(float3x3, Float3x3&, /, Float&);
WEFT_TEST_GIVES(float3x3, Float3x3&, +, Float3x3&);
using Wide = Matrix<float, 4, 2>;
using Tall = Matrix<float, 3, 4>;
using Product = Matrix<float, 3, 2>;
WEFT_TEST_GIVES(Product, Expr<Wide>, *, Expr<Tall>);
WEFT_TEST_GIVES(float2, Expr<Wide>, *, Float4&);
#undef WEFT_TEST_GIVES

// --- what does not go
template <class A, class B>
concept CanAdd = requires { std::declval<A>() + std::declval<B>(); };
template <class A, class B>
concept CanMultiply = requires { std::declval<A>() * std::declval<B>(); };
template <class A, class B>
concept CanAnd = requires { std::declval<A>() && std::declval<B>(); };
template <class A, class B>
concept CanRemainder = requires { std::declval<A>() % std::declval<B>(); };
template <class A, class B>
concept CanAssign = requires { std::declval<A>() = std::declval<B>(); };
template <class A>
concept CanTest = requires(A a) { a ? 1 : 0; };
template <class A>
concept CanIncrement = requires(A a) { ++a; };

static_assert(CanAdd<Float3&, Float3&> && !CanAdd<Float3&, Float2&>);
static_assert(!CanAdd<Float3x3&, Float&> && !CanAdd<Float3x3&, Float4x4&>);
static_assert(!CanMultiply<Float3x3&, Float2&> && !CanMultiply<Expr<Wide>, Expr<Wide>>);
static_assert(!CanAnd<Int&, Bool&> && CanAnd<Bool&, Bool&>);
static_assert(CanRemainder<Int&, UInt&> && !CanRemainder<Float&, Float&>);
static_assert(!CanTest<Bool&> && !CanTest<Expr<bool>> && CanTest<bool>);
static_assert(CanIncrement<Int&> && CanIncrement<Float3&> && !CanIncrement<Bool&> && !CanIncrement<Expr<int>>);

// A variable takes what C++ would convert without loss, an integer of the other sign, and host numbers.
static_assert(CanAssign<Float&, Expr<int>> && CanAssign<Float&, double> && CanAssign<Float&, int>);
static_assert(CanAssign<Int&, Expr<uint>> && CanAssign<UInt&, Expr<int>> && CanAssign<Long&, Expr<int>>);
static_assert(CanAssign<Float3&, float> && CanAssign<Float3&, Expr<float>> && CanAssign<Short&, int>);
static_assert(CanAssign<Int2&, Expr<uint2>>);
static_assert(!CanAssign<Int&, Expr<float>> && !CanAssign<Int&, float> && !CanAssign<Float&, Expr<double>>);
static_assert(!CanAssign<UInt&, Expr<std::uint64_t>> && !CanAssign<Bool&, Expr<int>> && !CanAssign<Bool&, int>);
static_assert(!CanAssign<Float3&, Expr<float2>> && !CanAssign<Float&, Expr<float2>>);
// An Expr stays what it is.
static_assert(!CanAssign<Expr<float>&, Expr<float>> && !CanAssign<Expr<float>&, float>);
static_assert(std::is_copy_constructible_v<Expr<float3>> && std::is_trivially_copyable_v<Expr<float>>);

// A Ref is used where it is made; a name for it is no value.
static_assert(CanAdd<Ref<float>, float> && CanAdd<float, Ref<float>> && !CanAdd<Ref<float>&, float>);
static_assert(CanAssign<Ref<float>, float> && !CanAssign<Ref<float>&, float> && !CanAssign<Float&, Ref<float>&>);
static_assert(!std::is_copy_constructible_v<Ref<float>>);

template <class A>
concept HasSqrt = requires(A a) { weft::sqrt(a); };
template <class A, class B>
concept HasMax = requires(A a, B b) { weft::max(a, b); };
static_assert(HasSqrt<Float&> && HasSqrt<Float3&> && !HasSqrt<Int&> && !HasSqrt<float> && !HasSqrt<Bool&>);
static_assert(HasMax<Float&, int> && HasMax<Int3&, float> && !HasMax<Float3&, Float2&> && !HasMax<float, float>);

// A shared cell copies as its value, an array of the host is one of the kernel.
static_assert(std::same_as<dsl::value_t<Shared<uint>&>, uint>);
static_assert(std::same_as<dsl::stored_t<float[3]>, std::array<float, 3>>);
static_assert(std::same_as<host_argument_t<Float3>, float3> && std::same_as<host_argument_t<Expr<int>>, int>);
static_assert(std::same_as<host_argument_t<BufferVar<uint>>, BufferView<uint>>);

}  // namespace

TEST_CASE("promotion: operands are cast to the type in which they meet") {
  CHECK(body([](Expr<int> i, Expr<uint> u) { i + u; }) == lines("%0 = cast u32 %param_0", "%1 = add %0, %param_1"));
  CHECK(body([](Expr<std::int16_t> s) { s + s; }) ==
        lines("%0 = cast i32 %param_0", "%1 = cast i32 %param_0", "%2 = add %0, %1"));
  CHECK(body([](Expr<int3> v, Expr<float> s) { v* s; }) ==
        lines("%0 = cast vec<f32, 3> %param_0", "%1 = splat vec<f32, 3> %param_1", "%2 = mul %0, %1"));
  CHECK(body([](Expr<float> s, Expr<int> i) { keep(s < i); }) ==
        lines("%0 = cast f32 %param_1", "%1 = lt %param_0, %0"));
  CHECK(body([](Expr<std::int64_t> a, Expr<int> n) { a << n; }) ==
        lines("%0 = cast i64 %param_1", "%1 = shl %param_0, %0"));
}

TEST_CASE("promotion: host numbers become constants of the type wanted") {
  CHECK(body([](Expr<float> x) { x * 2; }) == "%0 = mul %param_0, 2.0");
  CHECK(body([](Expr<float3> x) { 2 - x; }) == "%0 = sub vec<f32, 3>(2.0, 2.0, 2.0), %param_0");
  CHECK(body([](Expr<uint> x) { x - 1; }) == "%0 = sub %param_0, 1");
  CHECK(body([](Expr<bool> x) { x && true; }) == "%0 = and %param_0, true");
  CHECK(body([](Expr<float3x3> m) { m * 2.f; }).find("mul %param_0, mat<f32, 3, 3>(") != std::string::npos);
  CHECK(body([](Expr<float3> x) { x + float3(1, 2, 3); }) == "%0 = add %param_0, vec<f32, 3>(1.0, 2.0, 3.0)");
}
