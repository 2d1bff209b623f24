// The functions whose results are exact or defined by an algorithm: powi, ldexp, frexp and integer division.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "runtime/device_lib/math.h"
#include "tests/unit/device_lib/operands.h"

namespace weft::test {
namespace {

template <class T>
bool same(T a, T b) {
  return std::bit_cast<BitsFor<T>>(a) == std::bit_cast<BitsFor<T>>(b) || (std::isnan(a) && std::isnan(b));
}

const std::int32_t kExponents[] = {0,
                                   1,
                                   -1,
                                   2,
                                   3,
                                   -7,
                                   23,
                                   24,
                                   -24,
                                   52,
                                   126,
                                   127,
                                   -126,
                                   -149,
                                   -150,
                                   151,
                                   1022,
                                   1023,
                                   -1022,
                                   -1074,
                                   -1075,
                                   2098,
                                   300,
                                   -300,
                                   4000,
                                   -4000,
                                   30'000,
                                   -30'000,
                                   65'537,
                                   1 << 30,
                                   2'147'483'647,
                                   -2'147'483'647 - 1};

// The product of x^(2^i) over the digits of |n| that are 1, lowest first.
template <class T>
T power_by_digits(T x, std::int32_t n) {
  T result = 1;
  const std::int64_t magnitude = std::abs(std::int64_t{n});
  for (int digit = 0; digit < 32; ++digit) {
    T power = x;
    for (int i = 0; i < digit; ++i) power *= power;
    if ((magnitude >> digit) & 1) result *= power;
  }
  return n < 0 ? 1 / result : result;
}

template <class T, class F>
void for_operands(F check) {
  RandomOperands<T> random;
  for (const std::int32_t n : kExponents) {
    for (const T x : interesting_floats<T>()) check(x, n);
    for (int i = 0; i < 300; ++i) check(random.next(), n);
  }
  for (int i = 0; i < 10'000; ++i) check(random.any_bits(), random.integer(-300, 300));
}

template <class T>
void check_powi(T (*powi)(T, std::int32_t)) {
  int wrong = 0;
  for_operands<T>([&](T x, std::int32_t n) { wrong += !same(powi(x, n), power_by_digits(x, n)); });
  CHECK(wrong == 0);
}

template <class T>
void check_ldexp(T (*ldexp)(T, std::int32_t)) {
  int wrong = 0;
  for_operands<T>([&](T x, std::int32_t n) { wrong += !same(ldexp(x, n), static_cast<T>(std::ldexp(x, n))); });
  CHECK(wrong == 0);
}

template <class T>
void check_frexp(T (*fraction)(T), std::int32_t (*exponent)(T)) {
  int wrong = 0;
  for_operands<T>([&](T x, std::int32_t) {
    int expected = 0;
    wrong += !same(fraction(x), static_cast<T>(std::frexp(x, &expected)));
    wrong += exponent(x) != (std::isfinite(x) ? expected : 0);
  });
  CHECK(wrong == 0);
}

TEST_CASE("math: powi multiplies the powers of two of its exponent's digits, lowest first") {
  check_powi(weft_powi_f32x1);
  check_powi(weft_powi_f64x1);
}

TEST_CASE("math: ldexp rounds once, denormal results too") {
  check_ldexp(weft_ldexp_f32x1);
  check_ldexp(weft_ldexp_f64x1);
}

TEST_CASE("math: frexp splits every number, denormal or not") {
  check_frexp(weft_frexp_fraction_f32x1, weft_frexp_exponent_f32x1);
  check_frexp(weft_frexp_fraction_f64x1, weft_frexp_exponent_f64x1);
}

template <class T>
void check_division(T (*divide)(T, T), T (*remainder)(T, T)) {
  using Limits = std::numeric_limits<T>;
  const T values[] = {0,
                      1,
                      2,
                      3,
                      7,
                      10,
                      1000,
                      Limits::max(),
                      Limits::max() - 1,
                      Limits::min(),
                      Limits::min() + 1,
                      static_cast<T>(-1),
                      static_cast<T>(-2),
                      static_cast<T>(-7)};
  for (const T a : values) {
    for (const T b : values) {
      INFO(a << " by " << b);
      const bool wraps = std::is_signed_v<T> && a == Limits::min() && b == static_cast<T>(-1);
      CHECK(divide(a, b) == (b == 0 || wraps ? a : a / b));
      CHECK(remainder(a, b) == (b == 0 || wraps ? 0 : a % b));
    }
  }
}

TEST_CASE("math: integer division has a result for all operands") {
  check_division(weft_udiv_u32x1, weft_urem_u32x1);
  check_division(weft_udiv_u64x1, weft_urem_u64x1);
  check_division(weft_sdiv_i32x1, weft_srem_i32x1);
  check_division(weft_sdiv_i64x1, weft_srem_i64x1);
}

}  // namespace
}  // namespace weft::test
