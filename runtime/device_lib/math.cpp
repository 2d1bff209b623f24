#include "runtime/device_lib/math.h"

#include <algorithm>
#include <array>

namespace weft::device_lib {

namespace {

constexpr auto kFunctions = [] {
  std::array functions = {
#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning, method) \
  MathFunction{#name, MathShape::shape, ulp_f32, ulp_f64, meaning, method},
#include "runtime/device_lib/math.def"
  };
  const auto find = [&](std::string_view name) -> MathFunction& {
    return *std::ranges::find(functions, name, &MathFunction::name);
  };
#define WEFT_FAST_MATH(name, shape, type, ulp, low, high, domain) \
  find(#name).fast_ulp_##type = ulp;                              \
  find(#name).fast_domain_##type = domain;
#include "runtime/device_lib/math.def"
  return functions;
}();

}  // namespace

std::span<const MathFunction> math_functions() { return kFunctions; }

const MathFunction* find_math(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &MathFunction::name);
  return found == kFunctions.end() ? nullptr : found;
}

}  // namespace weft::device_lib
