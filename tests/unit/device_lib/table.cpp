#include <catch2/catch.hpp>

#include "runtime/device_lib/math.h"

namespace weft::device_lib {
namespace {

TEST_CASE("math: functions are found by name, with their shape and bounds") {
  const MathFunction* atan2 = find_math("atan2");
  REQUIRE(atan2 != nullptr);
  CHECK(atan2->name == "atan2");
  CHECK(atan2->shape == MathShape::binary);
  CHECK(atan2->arity() == 2);
  CHECK(atan2->ulp_f32 > 0.5);

  const MathFunction* exponent = find_math("frexp_exponent");
  REQUIRE(exponent != nullptr);
  CHECK(exponent->shape == MathShape::to_integer);
  CHECK(exponent->arity() == 1);
}

TEST_CASE("math: the table says which fast variants exist") {
  CHECK(find_math("tanh")->has_fast_f32());
  CHECK_FALSE(find_math("tanh")->has_fast_f64());
  CHECK(find_math("exp")->fast_ulp_f64 >= find_math("exp")->ulp_f64);
  CHECK_FALSE(find_math("fmod")->has_fast_f32());
}

TEST_CASE("math: a name that is no function's is not found") {
  CHECK(find_math("sine") == nullptr);
  CHECK(find_math("") == nullptr);
}

}  // namespace
}  // namespace weft::device_lib
