// Functions of the device library, as the interpreter reaches them: every row, in every float type.
#include "tests/unit/interp/operands.h"

using namespace weft::interp;
using namespace weft::interp::testing;

namespace {

// Results a few last places apart; what the host's library gives is not correctly rounded either.
template <class T>
bool is_close(T found, double want) {
  const double f = static_cast<double>(found);
  if (std::isnan(want) || std::isnan(f)) {
    return std::isnan(want) && std::isnan(f);
  }
  const T rounded = static_cast<T>(want);
  if (to_bits(found) == to_bits(rounded)) {
    return true;
  }
  constexpr int kDigits = std::is_same_v<T, Half> ? 11 : std::is_same_v<T, float> ? 24 : 53;
  const double place = std::max(std::ldexp(1.0, std::ilogb(want == 0 ? 1e-300 : want) - kDigits + 1),
                                std::ldexp(1.0, least_exponent<T>()));
  return std::abs(f - want) <= 4 * place;
}

template <class T, class... Operand, class Expected>
void check_close(const std::string& op, Expected expected) {
  auto columns = combinations<T, Operand...>();
  const std::size_t count = std::get<0>(columns).size();
  std::vector<T> out(count);
  const auto module = prepared(op_kernel<T, T, Operand...>(op));
  std::apply(
      [&](auto&... in) {
        REQUIRE_FALSE(run(*module, {static_cast<std::uint32_t>(count), 1, 1}, {}, in..., out).fault);
        for (std::size_t i = 0; i < count; ++i) {
          const double want = expected(static_cast<double>(in[i])...);
          std::string operands;
          ((operands += shown(in[i]) + " "), ...);
          INFO(op << " " << kTypeText<T> << " " << operands << "gives " << shown(out[i]) << ", expected " << want);
          CHECK(is_close(out[i], want));
        }
      },
      columns);
}

struct Unary {
  const char* op;
  double (*function)(double);
};

constexpr Unary kUnary[] = {
    {"sin", std::sin},     {"cos", std::cos},     {"tan", std::tan},     {"asin", std::asin},   {"acos", std::acos},
    {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh},   {"tanh", std::tanh},   {"asinh", std::asinh},
    {"acosh", std::acosh}, {"atanh", std::atanh}, {"exp", std::exp},     {"exp2", std::exp2},   {"expm1", std::expm1},
    {"log", std::log},     {"log2", std::log2},   {"log10", std::log10}, {"log1p", std::log1p}, {"cbrt", std::cbrt},
};

}  // namespace

TEST_CASE("math: functions of one operand are near what the host's library gives") {
  for_floats([]<class T>() {
    for (const auto& [op, function] : kUnary) {
      check_close<T>(op, function);
    }
    check_close<T>("exp10", [](double a) { return std::pow(10.0, a); });
  });
}

TEST_CASE("math: functions of two operands are near what the host's library gives") {
  for_floats([]<class T>() {
    check_close<T, T>("atan2", [](double a, double b) { return std::atan2(a, b); });
    check_close<T, T>("pow", [](double a, double b) { return std::pow(a, b); });
    check_close<T, T>("hypot", [](double a, double b) { return std::hypot(a, b); });
    check_close<T, std::int32_t>(
        "ldexp", [](double a, double n) { return std::ldexp(a, static_cast<int>(std::clamp(n, -5000.0, 5000.0))); });
  });
}

TEST_CASE("math: fraction and exponent put a number together again") {
  for_floats([]<class T>() {
    int exponent = 0;
    check_op<T, T>("frexp_fraction", [&](T a) {
      return std::isfinite(static_cast<double>(a)) ? static_cast<T>(std::frexp(static_cast<double>(a), &exponent)) : a;
    });
    check_op<std::int32_t, T>("frexp_exponent", [&](T a) {
      exponent = 0;
      if (std::isfinite(static_cast<double>(a))) std::frexp(static_cast<double>(a), &exponent);
      return exponent;
    });
  });
}

TEST_CASE("math: an integer power is repeated squaring, the reciprocal last") {
  for_floats([]<class T>() {
    using Computed = std::conditional_t<std::is_same_v<T, double>, double, float>;
    check_op<T, T, std::int32_t>("powi", [](T a, std::int32_t n) {
      Computed result = 1;
      Computed square = static_cast<Computed>(a);
      for (std::uint32_t rest = n < 0 ? 0U - static_cast<std::uint32_t>(n) : static_cast<std::uint32_t>(n); rest != 0;
           rest /= 2) {
        if (rest % 2 != 0) result *= square;
        square *= square;
      }
      return static_cast<T>(n < 0 ? 1 / result : result);
    });
  });
}
