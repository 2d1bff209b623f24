#include "runtime/device_lib/math.h"

#include <algorithm>

namespace weft::device_lib {

namespace {

constexpr MathFunction kFunctions[] = {
#define WEFT_MATH(name, shape, code, ulp_f32, ulp_f64, meaning) {#name, MathShape::shape, ulp_f32, ulp_f64, meaning},
#include "runtime/device_lib/math.def"
};

}  // namespace

const MathFunction* find_math(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &MathFunction::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

}  // namespace weft::device_lib
