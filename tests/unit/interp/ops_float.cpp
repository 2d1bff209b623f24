// Float ops at all combinations of interesting operands. The expected value of an f16 is computed exactly in f64 and
// rounded once, that of f32 and f64 by the host's IEEE operations.
#include "tests/unit/interp/operands.h"

using namespace weft::interp;
using namespace weft::interp::testing;

namespace {

// The type in which f(a, b) rounded to T is right for T: exact sums, products of halves fit a double.
template <class T>
using Exact = std::conditional_t<std::is_same_v<T, Half>, double, T>;

template <class T>
Exact<T> wide(T a) {
  return static_cast<Exact<T>>(a);
}

// Of two numbers, one less in the order where -0 comes before +0.
bool comes_first(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

template <class T>
bool is_nan(T a) {
  return std::isnan(static_cast<double>(a));
}

}  // namespace

TEST_CASE("floats: sum, difference, product and quotient are rounded once") {
  for_floats([]<class T>() {
    check_op<T, T, T>("add", [](T a, T b) { return static_cast<T>(wide(a) + wide(b)); });
    check_op<T, T, T>("sub", [](T a, T b) { return static_cast<T>(wide(a) - wide(b)); });
    check_op<T, T, T>("mul", [](T a, T b) { return static_cast<T>(wide(a) * wide(b)); });
    check_op<T, T, T>("div", [](T a, T b) { return static_cast<T>(wide(a) / wide(b)); });
    check_op<T, T>("sqrt", [](T a) { return static_cast<T>(std::sqrt(wide(a))); });
    check_op<T, T>("rsqrt", [](T a) { return static_cast<T>(Exact<T>(1) / wide(static_cast<T>(std::sqrt(wide(a))))); });
  });
}

TEST_CASE("floats: the remainder has the sign of the dividend and is exact") {
  for_floats([]<class T>() {
    check_op<T, T, T>("rem", [](T a, T b) { return static_cast<T>(std::fmod(wide(a), wide(b))); });
  });
}

TEST_CASE("floats: fma is rounded once") {
  check_op<float, float, float, float>("fma", [](float a, float b, float c) { return std::fma(a, b, c); });
  check_op<double, double, double, double>("fma", [](double a, double b, double c) { return std::fma(a, b, c); });
  // A product of halves is exact in f64, and the sum in the 64 bits of long double or too far from a tie to matter.
  check_op<Half, Half, Half, Half>("fma", [](Half a, Half b, Half c) {
    const auto sum = static_cast<long double>(a) * static_cast<long double>(b) + static_cast<long double>(c);
    return static_cast<Half>(sum);
  });
}

TEST_CASE("floats: fma of halves does not round twice") {
  // a * b = 2^-11 - 2^-31, half of c's last place but for the last bit: the sum is just below the tie, to which f32
  // would round it, and from there away to even.
  std::vector<Half> a{Half(1 + 0x1p-10)};
  std::vector<Half> b{Half(0x1p-11 - 0x1p-21)};
  std::vector<Half> c{Half(1 + 0x1p-10)};
  std::vector<Half> out(1);
  const auto module = prepared(op_kernel<Half, Half, Half, Half>("fma"));
  run(*module, {1, 1, 1}, {}, a, b, c, out);
  CHECK(static_cast<double>(out[0]) == 1 + 0x1p-10);
}

TEST_CASE("floats: negation, magnitude and sign copy change the sign bit alone") {
  for_floats([]<class T>() {
    constexpr auto kSign = static_cast<UnsignedOf<T>>(UnsignedOf<T>(1) << (8 * sizeof(T) - 1));
    check_op<T, T>("neg", [](T a) { return from_bits<T>(to_bits(a) ^ kSign); });
    check_op<T, T>("abs", [](T a) { return from_bits<T>(to_bits(a) & ~std::uint64_t{kSign}); });
    check_op<T, T, T>(
        "copysign", [](T a, T b) { return from_bits<T>((to_bits(a) & ~std::uint64_t{kSign}) | (to_bits(b) & kSign)); });
  });
}

TEST_CASE("floats: min and max give the other operand for a NaN, and know -0 < +0") {
  for_floats([]<class T>() {
    const auto pick = [](T a, T b, bool want_first) {
      if (is_nan(a) || is_nan(b)) return is_nan(a) ? b : a;
      return comes_first(static_cast<double>(a), static_cast<double>(b)) == want_first ? a : b;
    };
    check_op<T, T, T>("min", [&](T a, T b) { return pick(a, b, true); });
    check_op<T, T, T>("max", [&](T a, T b) { return pick(a, b, false); });
  });
}

TEST_CASE("floats: saturate clamps to 0 and 1 and makes 0 of a NaN; sign keeps zeros and NaN") {
  for_floats([]<class T>() {
    check_op<T, T>("saturate", [](T a) { return a > T(0) ? (a < T(1) ? a : T(1)) : T(0); });
    check_op<T, T>("sign", [](T a) { return a > T(0) ? T(1) : a < T(0) ? T(-1) : a; });
  });
}

TEST_CASE("floats: comparisons with NaN are false but for ne") {
  for_floats([]<class T>() {
    const auto ordered = [](T a, T b) { return !is_nan(a) && !is_nan(b); };
    check_op<bool, T, T>("eq", [&](T a, T b) { return ordered(a, b) && !(wide(a) < wide(b)) && !(wide(a) > wide(b)); });
    check_op<bool, T, T>("ne", [&](T a, T b) { return !ordered(a, b) || wide(a) < wide(b) || wide(a) > wide(b); });
    check_op<bool, T, T>("lt", [](T a, T b) { return std::isless(wide(a), wide(b)); });
    check_op<bool, T, T>("le", [](T a, T b) { return std::islessequal(wide(a), wide(b)); });
    check_op<bool, T, T>("gt", [](T a, T b) { return std::isgreater(wide(a), wide(b)); });
    check_op<bool, T, T>("ge", [](T a, T b) { return std::isgreaterequal(wide(a), wide(b)); });
    check_op<bool, T>("is_nan", [](T a) { return std::isnan(wide(a)); });
    check_op<bool, T>("is_inf", [](T a) { return std::isinf(wide(a)); });
    check_op<bool, T>("is_finite", [](T a) { return std::isfinite(wide(a)); });
  });
}

TEST_CASE("floats: rounding to integers") {
  for_floats([]<class T>() {
    check_op<T, T>("floor", [](T a) { return static_cast<T>(std::floor(wide(a))); });
    check_op<T, T>("ceil", [](T a) { return static_cast<T>(std::ceil(wide(a))); });
    check_op<T, T>("trunc", [](T a) { return static_cast<T>(std::trunc(wide(a))); });
    check_op<T, T>("round", [](T a) { return static_cast<T>(std::round(wide(a))); });
    check_op<T, T>("rint", [](T a) { return static_cast<T>(std::nearbyint(wide(a))); });
    check_op<T, T>("fract", [](T a) { return static_cast<T>(wide(a) - std::floor(wide(a))); });
  });
}

TEST_CASE("floats: lerp, step and smoothstep") {
  for_floats([]<class T>() {
    const auto rounded = [](auto x) { return static_cast<T>(x); };
    check_op<T, T, T, T>("lerp", [&](T a, T b, T t) {
      return rounded(wide(a) + wide(rounded(wide(t) * wide(rounded(wide(b) - wide(a))))));
    });
    check_op<T, T, T>("step", [](T edge, T a) { return a < edge ? T(0) : T(1); });
    check_op<T, T, T, T>("smoothstep", [&](T a, T b, T x) {
      const T ratio = rounded(wide(rounded(wide(x) - wide(a))) / wide(rounded(wide(b) - wide(a))));
      const T t = ratio > T(0) ? (ratio < T(1) ? ratio : T(1)) : T(0);
      const T square = rounded(wide(t) * wide(t));
      const T factor = rounded(3 - wide(rounded(2 * wide(t))));
      return rounded(wide(square) * wide(factor));
    });
  });
}

TEST_CASE("floats: select takes one side whole") {
  check_op<float, bool, float, float>("select", [](bool c, float a, float b) { return c ? a : b; });
  check_op<std::int8_t, bool, std::int8_t, std::int8_t>("select",
                                                        [](bool c, std::int8_t a, std::int8_t b) { return c ? a : b; });
}
