// What WEFT_VERIFY and WEFT_DUMP do to a compilation.
#include "codegen/jit/inspect.h"

#include <catch2/catch.hpp>

#include "tests/unit/death.h"
#include "tests/unit/jit/differential.h"
#include "tests/unit/support/environment.h"

using namespace weft;
using weft::jit::Inspection;
using weft::jit::testing::parsed;
using weft::test::ScopedVariable;

TEST_CASE("inspect: IR that a pass has broken aborts, naming the pass and the rule, where that is asked for") {
  const auto module = parsed("weft 1\nkernel @k() block(64) {\n}\n");
  module->functions[0].attributes.block_size[0] = 0;
  ScopedVariable verify("WEFT_VERIFY", nullptr);
  Inspection().verify("some_pass", *module);
  verify.set("1");
  const Inspection inspection;
  const test::Death death = test::death_of([&] { inspection.verify("some_pass", *module); });
  CHECK(death.aborted);
  CHECK(death.text.find("after some_pass") != std::string::npos);
  CHECK(death.text.find("block of @k is empty") != std::string::npos);
}

TEST_CASE("inspect: text is made for stages that are asked for only") {
  const ScopedVariable dump("WEFT_DUMP", "lower,optimise");
  const Inspection inspection;
  int made = 0;
  const auto text = [&] {
    ++made;
    return std::string("text");
  };
  inspection.dump(Stage::prepare, "k", text);
  inspection.dump(Stage::split, "k", text);
  CHECK(made == 0);
  inspection.dump(Stage::lower, "k", text);
  inspection.dump(Stage::optimise, "k", text);
  CHECK(made == 2);
}
