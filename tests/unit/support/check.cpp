#include "runtime/support/check.h"

#include "runtime/support/result.h"
#include "tests/unit/death.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <utility>

using namespace weft;
using test::death_of;

namespace {

enum class Fruit : std::uint8_t { apple = 3, pear = 4 };

}  // namespace

TEST_CASE("check: one that holds evaluates its operands once and goes on") {
  int evaluations = 0;
  WEFT_CHECK(++evaluations == 1);
  WEFT_CHECK_EQ(++evaluations, 2, "with a message and a value {}", evaluations);
  WEFT_CHECK_LT(evaluations, 3);
  CHECK(evaluations == 2);
}

TEST_CASE("check: a failed one aborts with expression, message and place") {
  const auto death = death_of([] { WEFT_CHECK(1 + 1 == 3, "seven is {}", 7); });
  CHECK(death.aborted);
  CHECK_THAT(death.text, Catch::Contains("check failed: 1 + 1 == 3"));
  CHECK_THAT(death.text, Catch::Contains("seven is 7"));
  CHECK_THAT(death.text, Catch::Contains("tests/unit/support/check.cpp:"));
  CHECK_THAT(death.text, Catch::Contains("reproduce: run again with WEFT_DUMP_KERNELS"));
}

TEST_CASE("check: a failed comparison prints both values") {
  const std::string name = "left";
  const auto death = death_of([&] { WEFT_CHECK_EQ(name, "right"); });
  CHECK(death.aborted);
  CHECK_THAT(death.text, Catch::Contains("name == \"right\""));
  CHECK_THAT(death.text, Catch::Contains("name is left"));
  CHECK_THAT(death.text, Catch::Contains("\"right\" is right"));
}

TEST_CASE("check: enumerators are printed as numbers") {
  const auto death = death_of([] {
    const Fruit fruit = Fruit::apple;
    WEFT_CHECK_EQ(fruit, Fruit::pear);
  });
  CHECK_THAT(death.text, Catch::Contains("fruit is 3"));
  CHECK_THAT(death.text, Catch::Contains("Fruit::pear is 4"));
}

TEST_CASE("check: every comparison fails when it does not hold") {
  CHECK(death_of([] { WEFT_CHECK_EQ(1, 2); }).aborted);
  CHECK(death_of([] { WEFT_CHECK_NE(1, 1); }).aborted);
  CHECK(death_of([] { WEFT_CHECK_LT(1, 1); }).aborted);
  CHECK(death_of([] { WEFT_CHECK_LE(2, 1); }).aborted);
  CHECK(death_of([] { WEFT_CHECK_GT(1, 1); }).aborted);
  CHECK(death_of([] { WEFT_CHECK_GE(1, 2); }).aborted);
  CHECK(death_of([] { WEFT_UNREACHABLE("no way"); }).aborted);
}

TEST_CASE("check: the context is printed innermost first and ends with its scope") {
  const auto death = death_of([] {
    WEFT_CONTEXT("kernel", "blur");
    { WEFT_CONTEXT("pass", "over_and_done"); }
    WEFT_CONTEXT("pass", "lower");
    WEFT_CHECK(false);
  });
  CHECK_THAT(death.text, Catch::Contains("in pass 'lower'\n  in kernel 'blur'\n"));
  CHECK_THAT(death.text, !Catch::Contains("over_and_done"));
}

TEST_CASE("check: the innermost reproducer is asked") {
  const auto death = death_of([] {
    WEFT_REPRODUCE([] { return std::string("outer"); });
    WEFT_REPRODUCE([] { return std::string("weftc compile a.weft"); });
    WEFT_CHECK(false);
  });
  CHECK_THAT(death.text, Catch::Contains("reproduce: weftc compile a.weft\n"));
}

TEST_CASE("check: a reproducer that fails a check still lets the process abort") {
  const auto death = death_of([] {
    WEFT_REPRODUCE([]() -> std::string { WEFT_UNREACHABLE("while reproducing"); });
    WEFT_CHECK(false, "first failure");
  });
  CHECK(death.aborted);
  CHECK_THAT(death.text, Catch::Contains("first failure"));
  CHECK_THAT(death.text, Catch::Contains("while reproducing"));
}

TEST_CASE("result: misuse fails a check") {
  const auto no_reason = death_of([] { const Result<int> result{DiagnosticList{}}; });
  CHECK_THAT(no_reason.text, Catch::Contains("a failed Result needs at least one error"));

  const auto no_value = death_of([] {
    DiagnosticList diagnostics;
    diagnostics.error({"a.weft", 1, 2, 3}, "unknown op 'fad'");
    const Result<int> result(std::move(diagnostics));
    WEFT_CHECK_EQ(*result, 1);
  });
  CHECK_THAT(no_value.text, Catch::Contains("a.weft:1:2: error: unknown op 'fad'"));

  const auto no_diagnostics = death_of([] {
    const Result<int> result(1);
    WEFT_CHECK(result.diagnostics().empty());
  });
  CHECK_THAT(no_diagnostics.text, Catch::Contains("a successful Result has no diagnostics"));
}
