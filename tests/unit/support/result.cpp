#include "runtime/support/result.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace weft;

namespace {

Result<std::unique_ptr<int>> half(int number) {
  if (number % 2 == 0) return std::make_unique<int>(number / 2);
  DiagnosticList diagnostics;
  diagnostics.error({}, "number is odd");
  return diagnostics;
}

}  // namespace

TEST_CASE("result: a value is held and moved out") {
  Result<std::unique_ptr<int>> result = half(8);
  REQUIRE(result);
  CHECK(**result == 4);
  const std::unique_ptr<int> taken = std::move(result).value();
  CHECK(*taken == 4);
}

TEST_CASE("result: a failure carries its diagnostics") {
  Result<std::unique_ptr<int>> result = half(7);
  REQUIRE_FALSE(result);
  CHECK(result.diagnostics().items()[0].message == "number is odd");
  const Result<std::string> other = result.take_diagnostics();
  CHECK(other.diagnostics().error_count() == 1);
}
