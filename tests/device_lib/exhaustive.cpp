// All 2^32 arguments of the f32 functions of one operand, strict and fast ones, sixteen lanes at a time.
//   test_device_exhaustive [--stride N] [function...]
// takes every N-th argument, N odd; prints the worst error of each function and fails if one is beyond the table's
// bound. The reference is the same function in f64, itself within two units of 2^-53 (the unit tests hold that against
// MPFR); since both come from one source, every 16th argument is held against the C library in f64 as well. A full run
// takes a quarter of an hour.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tests/device_lib/batch_table.h"

namespace weft::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatch = 4096;
constexpr std::size_t kLibraryStep = 16;

struct Reference {
  std::string_view name;
  double (*function)(double);
};

double fraction_of(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}

constexpr Reference kReferences[] = {{"sin", std::sin},
                                     {"cos", std::cos},
                                     {"tan", std::tan},
                                     {"asin", std::asin},
                                     {"acos", std::acos},
                                     {"atan", std::atan},
                                     {"sinh", std::sinh},
                                     {"cosh", std::cosh},
                                     {"tanh", std::tanh},
                                     {"asinh", std::asinh},
                                     {"acosh", std::acosh},
                                     {"atanh", std::atanh},
                                     {"exp", std::exp},
                                     {"exp2", std::exp2},
                                     {"exp10", exp10},
                                     {"expm1", std::expm1},
                                     {"log", std::log},
                                     {"log2", std::log2},
                                     {"log10", std::log10},
                                     {"log1p", std::log1p},
                                     {"cbrt", std::cbrt},
                                     {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
                                     {"frexp_fraction", fraction_of}};

// The bound holds for arguments in [low, high], of fast functions where the exact result is a normal number.
struct Row {
  std::string_view symbol;
  std::string_view name;
  double bound;
  double low;
  double high;
  bool fast;
};

constexpr Row kRows[] = {
#define WEFT_STRICT_unary(name, ulp) {#name, #name, ulp, -kInfinity, kInfinity, false},
#define WEFT_STRICT_binary(name, ulp)
#define WEFT_STRICT_with_integer(name, ulp)
#define WEFT_STRICT_to_integer(name, ulp)
#define WEFT_FAST_f32_unary(name, ulp, low, high) {"fast_" #name, #name, ulp, low, high, true},
#define WEFT_FAST_f32_binary(name, ulp, low, high)
#define WEFT_FAST_f64_unary(name, ulp, low, high)
#define WEFT_FAST_f64_binary(name, ulp, low, high)
#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning, method) WEFT_STRICT_##shape(name, ulp_f32)
#define WEFT_FAST_MATH(name, shape, type, ulp, low, high, domain) WEFT_FAST_##type##_##shape(name, ulp, low, high)
#include "runtime/device_lib/math.def"
};

// |got - exact| in units in the last place of the exact value as an f32; 2^128 stands for infinity. Without branches,
// so that loops over it become vector code.
inline double ulp_error(float got, double exact) {
  constexpr std::uint64_t kLowestExponent = 1023 - 126;
  constexpr std::uint64_t kHighestExponent = 1023 + 127;
  const double magnitude = std::fabs(exact) < 0x1p128 ? std::fabs(exact) : 0x1p128;
  const double got_magnitude = std::fabs(double{got}) < 0x1p128 ? std::fabs(double{got}) : 0x1p128;
  const std::uint64_t exponent =
      std::clamp(std::bit_cast<std::uint64_t>(magnitude) >> 52, kLowestExponent, kHighestExponent);
  const double ulps_per_one = std::bit_cast<double>((2 * 1023 + 23 - exponent) << 52);
  const double error = std::fabs(got_magnitude - magnitude) * ulps_per_one;
  const bool both_nan = (exact != exact) & (got != got);  // NOLINT(misc-redundant-expression): true of NaN alone
  const bool one_nan = (exact != exact) != (got != got);  // NOLINT(misc-redundant-expression)
  const bool other_sign = std::signbit(exact) != std::signbit(got);
  const bool lost_infinity =
      (std::fabs(exact) == kInfinity) & (std::fabs(got) != std::numeric_limits<float>::infinity());
  const double wrong = (one_nan | other_sign | lost_infinity) ? kInfinity : error;
  return both_nan ? 0 : wrong;
}

struct Worst {
  double ulp = 0;
  float x = 0;
};

class Run {
 public:
  explicit Run(const Row& row)
      : row_(row),
        library_(std::ranges::find(kReferences, row.name, &Reference::name)->function),
        function_(code(find_batch(row.symbol, ElementType::f32, 16))),
        exact_function_(code(find_batch(row.name, ElementType::f64, 8))) {}

  Worst worst_error(std::uint64_t stride) {
    for (std::uint64_t next = 0; next < std::uint64_t{1} << 32;) {
      for (std::size_t i = 0; i < kBatch; ++i) {
        x_[i] = std::bit_cast<float>(static_cast<std::uint32_t>(next));  // the last batch begins again
        next += stride;
      }
      measure_batch();
    }
    return worst_;
  }

 private:
  static BatchFunction code(const Batch& batch) { return cpu_has_v4() ? batch.v4 : batch.v3; }

  bool is_promised(float x, double exact) const {
    if (!row_.fast) return true;
    return x >= row_.low && x <= row_.high && std::isnormal(static_cast<float>(exact));
  }

  void measure(double ulp, std::size_t i, double exact) {
    if (ulp > worst_.ulp && is_promised(x_[i], exact)) worst_ = {ulp, x_[i]};
  }

  void measure_batch() {
    for (std::size_t i = 0; i < kBatch; ++i) wide_[i] = x_[i];
    function_(x_.data(), nullptr, result_.data(), kBatch);
    exact_function_(wide_.data(), nullptr, exact_.data(), kBatch);
    for (std::size_t i = 0; i < kBatch; ++i) error_[i] = ulp_error(result_[i], exact_[i]);
    for (std::size_t i = 0; i < kBatch; ++i) measure(error_[i], i, exact_[i]);
    for (std::size_t i = 0; i < kBatch; i += kLibraryStep) {
      const double exact = library_(wide_[i]);
      measure(ulp_error(result_[i], exact), i, exact);
    }
  }

  const Row& row_;
  double (*library_)(double);
  BatchFunction function_;
  BatchFunction exact_function_;
  Worst worst_;
  std::array<float, kBatch> x_{};
  std::array<float, kBatch> result_{};
  std::array<double, kBatch> wide_{};
  std::array<double, kBatch> exact_{};
  std::array<double, kBatch> error_{};
};

// True if the function keeps its bound.
bool check(const Row& row, std::uint64_t stride) {
  const Worst worst = Run(row).worst_error(stride);
  const bool good = worst.ulp <= row.bound;
  std::printf("%-14s %.4f ulp at %a, bound %g%s\n", std::string(row.symbol).c_str(), worst.ulp, double{worst.x},
              row.bound, good ? "" : "  FAILED");
  std::fflush(stdout);
  return good;
}

}  // namespace
}  // namespace weft::test

int main(int count, char** arguments) {
  using namespace weft::test;
  std::uint64_t stride = 1;
  std::vector<std::string_view> names(arguments + 1, arguments + count);
  if (names.size() >= 2 && names[0] == "--stride") {
    stride = std::strtoull(arguments[2], nullptr, 10);
    names.erase(names.begin(), names.begin() + 2);
  }
  if (stride % 2 == 0) {
    std::fprintf(stderr, "the stride must be odd, so that the mantissas differ from exponent to exponent\n");
    return 2;
  }
  bool good = true;
  for (const Row& row : kRows) {
    if (names.empty() || std::ranges::find(names, row.symbol) != names.end()) good &= check(row, stride);
  }
  return good ? 0 : 1;
}
