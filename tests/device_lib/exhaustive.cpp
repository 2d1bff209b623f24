// All 2^32 arguments of the f32 functions of one operand, sixteen lanes at a time, against the C library in f64.
//   test_device_exhaustive [--stride N] [function...]
// takes every N-th argument, N odd; prints the worst error of each function and fails if one is beyond the table's
// bound. A full run takes an hour or more.
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

#include "runtime/device_lib/math.h"
#include "tests/device_lib/batch_table.h"

namespace weft::test {
namespace {

struct Reference {
  std::string_view name;
  double (*function)(double);
};

constexpr Reference kReferences[] = {{"sin", std::sin},     {"cos", std::cos},
                                     {"tan", std::tan},     {"asin", std::asin},
                                     {"acos", std::acos},   {"atan", std::atan},
                                     {"sinh", std::sinh},   {"cosh", std::cosh},
                                     {"tanh", std::tanh},   {"asinh", std::asinh},
                                     {"acosh", std::acosh}, {"atanh", std::atanh},
                                     {"exp", std::exp},     {"exp2", std::exp2},
                                     {"exp10", exp10},      {"expm1", std::expm1},
                                     {"log", std::log},     {"log2", std::log2},
                                     {"log10", std::log10}, {"log1p", std::log1p},
                                     {"cbrt", std::cbrt},   {"rsqrt", [](double x) { return 1 / std::sqrt(x); }}};

// |got - exact| in units in the last place of the exact value as an f32; 2^128 stands for infinity.
double ulp_error(float got, double exact) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : kWrong;
  if (std::signbit(exact) != std::signbit(got) || (std::isinf(exact) && !std::isinf(got))) return kWrong;
  const double magnitude = std::min(std::fabs(exact), 0x1p128);
  const double got_magnitude = std::min(std::fabs(double{got}), 0x1p128);
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023;
  const int unit = std::clamp(exponent, -126, 127) - 23;
  return std::fabs(got_magnitude - magnitude) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 - unit) << 52);
}

struct Worst {
  double ulp = 0;
  float x = 0;
};

Worst worst_error(const Reference& reference, std::uint64_t stride) {
  constexpr std::size_t kBatch = 4096;
  const Batch& batch = find_batch(reference.name, ElementType::f32, 16);
  const BatchFunction function = cpu_has_v4() ? batch.v4 : batch.v3;
  std::vector<float> x(kBatch);
  std::vector<float> result(kBatch);
  Worst worst;
  for (std::uint64_t next = 0; next < std::uint64_t{1} << 32;) {
    for (float& value : x) {
      value = std::bit_cast<float>(static_cast<std::uint32_t>(next));  // the last batch begins again
      next += stride;
    }
    function(x.data(), nullptr, result.data(), kBatch);
    for (std::size_t i = 0; i < kBatch; ++i) {
      const double ulp = ulp_error(result[i], reference.function(x[i]));
      if (ulp > worst.ulp) worst = {ulp, x[i]};
    }
  }
  return worst;
}

// True if the function keeps its bound.
bool check(const Reference& reference, std::uint64_t stride) {
  const double bound = device_lib::find_math(reference.name)->ulp_f32;
  const Worst worst = worst_error(reference, stride);
  const bool good = worst.ulp <= bound;
  std::printf("%-6s %.4f ulp at %a, bound %g%s\n", std::string(reference.name).c_str(), worst.ulp, double{worst.x},
              bound, good ? "" : "  FAILED");
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
  for (const Reference& reference : kReferences) {
    if (names.empty() || std::ranges::find(names, reference.name) != names.end()) good &= check(reference, stride);
  }
  return good ? 0 : 1;
}
