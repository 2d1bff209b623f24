// Fast math: approximate functions, within their bounds.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "runtime/device_lib/math.h"
#include "tests/unit/jit/differential.h"
#include "tests/unit/jit/operands.h"

using namespace weft;
using namespace weft::jit::testing;

namespace {

// A row of WEFT_FAST_MATH.
struct FastFunction {
  const char* name;
  device_lib::MathShape shape;
  const char* type;
  double ulp;
  double low;  // of the first operand
  double high;
};

constexpr FastFunction kFastFunctions[] = {
#define WEFT_FAST_MATH(name, shape, type, ulp, low, high, domain) \
  {#name, device_lib::MathShape::shape, #type, ulp, low, high},
#include "runtime/device_lib/math.def"
};

std::string source(const FastFunction& f, const char* math) {
  const bool binary = f.shape == device_lib::MathShape::binary;
  return fmt::format(R"(weft 1
kernel @k(%a: buffer<{0}>, %b: buffer<{0}>, %out: buffer<{0}>) block(32) math({2}) {{
  %x = read %a[dispatch_id.x]
  %y = read %b[dispatch_id.x]
  %r = {1} %x{3}
  write %out[dispatch_id.x], %r
}}
)",
                     f.type, f.name, math, binary ? ", %y" : "");
}

// Numbers of the function's domain: by magnitude evenly on a logarithmic scale, of both signs where the domain has
// them.
template <class T>
std::vector<T> numbers(double low, double high, Random& random) {
  std::vector<T> result;
  while (result.size() < 2000) {
    const double exponent = std::ldexp(static_cast<double>(random.next() >> 11), -53) * 2 - 1;
    const double magnitude = std::exp2(exponent * std::log2(std::max(std::abs(low), std::abs(high))));
    const double x = (random.next() & 1) != 0 ? magnitude : -magnitude;
    if (x >= low && x <= high) {
      result.push_back(static_cast<T>(x));
    }
  }
  return result;
}

template <class T>
std::vector<T> values_of(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// The error of the fast kernel against the strict one, in units in the last place.
template <class T>
void check_bound(const FastFunction& f) {
  Random random;
  const auto a = numbers<T>(f.low, f.high, random);
  const auto b = numbers<T>(-4, 4, random);
  const Memory memory{bytes_of(a), bytes_of(b), Bytes(a.size() * sizeof(T))};
  const interp::Size3 size{static_cast<std::uint32_t>(a.size()), 1, 1};
  const auto strict = values_of<T>(interpreted(*parsed(source(f, "strict")), size, memory)[2]);
  for (const Way& way : {Way{1, "x86-64-v3"}, Way{8, "x86-64-v3"}, Way{32, "native"}}) {
    const auto fast = values_of<T>(compiled(*parsed(source(f, "fast")), size, memory, way)[2]);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const T ulp = std::nextafter(std::abs(strict[i]), std::numeric_limits<T>::infinity()) - std::abs(strict[i]);
      if (!std::isnormal(strict[i]) || std::abs(fast[i] - strict[i]) <= (f.ulp + 2) * ulp) {
        continue;
      }
      FAIL_CHECK(way.text() << ": " << f.name << " of " << a[i] << ", " << b[i] << " is " << fast[i] << ", should be "
                            << strict[i]);
      break;
    }
  }
}

}  // namespace

TEST_CASE("fast math: approximate functions are called, and keep their bounds") {
  for (const FastFunction& f : kFastFunctions) {
    INFO(f.name << " of " << f.type);
    const auto text = jit::emit(*parsed(source(f, "fast")), {.width = 8, .cpu = "x86-64-v3"}, jit::Output::llvm);
    REQUIRE(text.has_value());
    CHECK(text->find(fmt::format("@weft_fast_{}_{}x8(", f.name, f.type)) != std::string::npos);
    if (std::string_view(f.type) == "f32") {
      check_bound<float>(f);
    } else {
      check_bound<double>(f);
    }
  }
}

TEST_CASE("strict math: no function is approximate") {
  for (const FastFunction& f : kFastFunctions) {
    const auto text = jit::emit(*parsed(source(f, "strict")), {.width = 8, .cpu = "x86-64-v3"}, jit::Output::llvm);
    REQUIRE(text.has_value());
    CHECK(text->find("weft_fast") == std::string::npos);
  }
}

// The bounds of docs/math.md for what fast math makes of the CPU's own instructions.
TEST_CASE("fast math: rsqrt is within 4 ulp, sqrt and a quotient within 1.5") {
  Random random;
  const auto a = numbers<float>(0x1p-100, 0x1p100, random);
  const auto b = numbers<float>(-0x1p20, 0x1p20, random);
  const Bytes zeros(a.size() * sizeof(float));
  const Memory memory{bytes_of(a), bytes_of(b), zeros, zeros, zeros};
  const auto kernel = parsed(R"(weft 1
kernel @k(%a: buffer<f32>, %b: buffer<f32>, %r: buffer<f32>, %s: buffer<f32>, %q: buffer<f32>) block(32) math(fast) {
  %x = read %a[dispatch_id.x]
  %y = read %b[dispatch_id.x]
  %inverse_root = rsqrt %x
  write %r[dispatch_id.x], %inverse_root
  %root = sqrt %x
  write %s[dispatch_id.x], %root
  %quotient = div %y, %x
  write %q[dispatch_id.x], %quotient
}
)");
  for (const Way& way : {Way{1, "x86-64-v3"}, Way{8, "x86-64-v3"}, Way{16, "x86-64-v4"}, Way{32, "native"}}) {
    INFO(way.text());
    const Memory results = compiled(*kernel, {static_cast<std::uint32_t>(a.size()), 1, 1}, memory, way);
    const auto largest_error = [&](std::size_t argument, auto exact) {
      const auto values = values_of<float>(results[argument]);
      double largest = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double right = exact(double{a[i]}, double{b[i]});
        largest = std::max(largest, std::abs(values[i] - right) / std::ldexp(1, std::ilogb(right) - 23));
      }
      return largest;
    };
    CHECK(largest_error(2, [](double x, double) { return 1 / std::sqrt(x); }) <= 4);
    CHECK(largest_error(3, [](double x, double) { return std::sqrt(x); }) <= 1.5);
    CHECK(largest_error(4, [](double x, double y) { return y / x; }) <= 1.5);
  }
}
