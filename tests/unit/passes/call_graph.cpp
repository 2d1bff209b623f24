// The order of functions by their calls.
#include "codegen/passes/call_graph.h"

#include <fmt/format.h>

#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::ir;
using namespace weft::passes;
using weft::passes::testing::parsed;

TEST_CASE("call graph: each function comes after all that it calls, once") {
  const auto module = parsed(
      "weft 1\n"
      "callable @top() {\n  call @left()\n  call @right()\n  call @left()\n}\n"
      "callable @left() {\n  call @base()\n}\n"
      "callable @right() {\n  call @base()\n}\n"
      "callable @base() {\n}\n"
      "callable @alone() {\n}\n");
  const auto names = [&](const std::vector<FunctionId>& order) {
    std::string text;
    for (const FunctionId id : order) {
      text += module->function(id).name + " ";
    }
    return text;
  };
  CHECK(names(callees_first(*module, FunctionId(0))) == "base left right top ");
  CHECK(names(callees_first(*module, FunctionId(2))) == "base right ");
  CHECK(names(all_callees_first(*module)) == "base left right top alone ");
}

TEST_CASE("call graph: a chain of calls may be long") {
  constexpr std::size_t kLength = 200'000;
  std::string text = "weft 1\n";
  for (std::size_t i = 0; i + 1 < kLength; ++i) {
    text += fmt::format("callable @f{}() {{\n  call @f{}()\n}}\n", i, i + 1);
  }
  const auto module = parsed(text + fmt::format("callable @f{}() {{\n}}\n", kLength - 1));
  CHECK(callees_first(*module, FunctionId(0)).size() == kLength);
  CHECK(all_callees_first(*module).back() == FunctionId(0));
  CHECK(contents_of_functions(*module)[0].calls);
}
