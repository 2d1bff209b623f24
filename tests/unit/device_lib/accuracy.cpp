// Every function of math.def against MPFR, one lane at a time.
#include <catch2/catch.hpp>
#include <string_view>

#include "runtime/device_lib/math.h"
#include "tests/unit/device_lib/operands.h"
#include "tests/unit/device_lib/reference.h"

namespace weft::test {
namespace {

constexpr int kRandomOperands = 20'000;
constexpr int kRandomFastOperands = 4'000;

// The worst error so far and where it was.
template <class T>
struct Worst {
  double ulp = 0;
  T x = 0;
  T y = 0;
};

template <class T>
class Accuracy {
 public:
  explicit Accuracy(std::string_view name) : name_(name) {}

  void check(T got, T x, T y) {
    x_.set(x);
    y_.set(y);
    if (!evaluate_exactly(name_, exact_, x_, y_)) FAIL("no reference for " << name_);
    const double ulp = ulp_error(got, exact_);
    if (ulp > worst_.ulp) worst_ = {ulp, x, y};
  }

  void report(double bound) const {
    INFO(name_ << (sizeof(T) == 4 ? " f32: " : " f64: ") << worst_.ulp << " ulp at " << std::hexfloat << worst_.x
               << ", " << worst_.y);
    CHECK(worst_.ulp <= bound);
  }

 private:
  std::string_view name_;
  Worst<T> worst_;
  Exact x_, y_, exact_;
};

template <class T>
void check_unary(std::string_view name, T (*function)(T), double bound) {
  Accuracy<T> accuracy(name);
  RandomOperands<T> random;
  for (const T x : interesting_floats<T>()) accuracy.check(function(x), x, 0);
  for (int i = 0; i < kRandomOperands; ++i) {
    const T x = random.next();
    accuracy.check(function(x), x, 0);
  }
  accuracy.report(bound);
}

template <class T>
void check_binary(std::string_view name, T (*function)(T, T), double bound) {
  Accuracy<T> accuracy(name);
  RandomOperands<T> random;
  const auto check = [&](T x, T y) { accuracy.check(function(x, y), x, y); };
  const auto interesting = interesting_floats<T>();
  for (const T x : interesting) {
    for (const T y : interesting) check(x, y);
  }
  for (int i = 0; i < kRandomOperands; ++i) {
    check(random.next(), random.next());
    check(random.any_bits(), random.any_bits());
    const T x = random.power(-4, 4);
    check(x, random.power(-4, 4));
    check(std::fabs(x), random.uniform(-200, 200));
    const T near = random.near_one();
    check(std::fabs(near),
          random.uniform(-100, 100) / (std::fabs(std::fabs(near) - 1) + std::numeric_limits<T>::epsilon()));
  }
  accuracy.report(bound);
}

// Rows of the other shapes are in exact.cpp.
template <class T>
void check_row(std::string_view name, T (*function)(T), double bound) {
  if (name != "frexp_fraction") check_unary(name, function, bound);
}
template <class T>
void check_row(std::string_view name, T (*function)(T, T), double bound) {
  check_binary(name, function, bound);
}
template <class T>
void check_row(std::string_view, T (*)(T, std::int32_t), double) {}
template <class T>
void check_row(std::string_view, std::int32_t (*)(T), double) {}

TEST_CASE("math: f32 results are within the bounds of the table") {
#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning, method) \
  check_row<float>(#name, weft_##name##_f32x1, ulp_f32);
#include "runtime/device_lib/math.def"
}

TEST_CASE("math: f64 results are within the bounds of the table") {
#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning, method) \
  check_row<double>(#name, weft_##name##_f64x1, ulp_f64);
#include "runtime/device_lib/math.def"
}

// Checks `check(x, y)` where x is in [low, high] and the result is a normal number.
template <class T, class F>
void for_fast_operands(std::string_view name, double low, double high, F check) {
  RandomOperands<T> random;
  Exact x, y, exact;
  const auto check_if_promised = [&](T a, T b) {
    if (!(a >= low && a <= high)) return;
    x.set(a);
    y.set(b);
    if (!evaluate_exactly(name, exact, x, y)) FAIL("no reference for " << name);
    const T result = static_cast<T>(mpfr_get_d(exact.get(), MPFR_RNDN));
    if (std::isnormal(result)) check(a, b);
  };
  for (int i = 0; i < kRandomFastOperands; ++i) {
    check_if_promised(random.next(), random.next());
    check_if_promised(random.uniform(low, high), random.uniform(-20, 20));
    check_if_promised(random.near_one(), random.uniform(-20, 20));
  }
}

template <class T>
void check_fast_row(std::string_view name, T (*function)(T), double bound, double low, double high) {
  Accuracy<T> accuracy(name);
  for_fast_operands<T>(name, low, high, [&](T x, T) { accuracy.check(function(x), x, 0); });
  accuracy.report(bound);
}
template <class T>
void check_fast_row(std::string_view name, T (*function)(T, T), double bound, double low, double high) {
  Accuracy<T> accuracy(name);
  for_fast_operands<T>(name, low, high, [&](T x, T y) { accuracy.check(function(x, y), x, y); });
  accuracy.report(bound);
}

TEST_CASE("math: fast results are within the bounds of the table on their domain") {
#define WEFT_FAST_MATH(name, shape, type, ulp, low, high, domain) \
  check_fast_row(#name, weft_fast_##name##_##type##x1, ulp, low, high);
#include "runtime/device_lib/math.def"
}

}  // namespace
}  // namespace weft::test
