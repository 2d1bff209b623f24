// What inlining leaves; that it keeps the meaning is tested by the runs of tests/text/run.
#include "codegen/passes/inline_callables.h"

#include <fmt/format.h>

#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::ir;
using namespace weft::passes;
using namespace weft::passes::testing;

TEST_CASE("inline: callables with references or barriers go, others stay") {
  const auto module = parsed(R"(weft 1
callable @by_reference(%r: ref<u32>) { store %r, 1 }
callable @waits() { barrier }
callable @calls_what_waits() { call @waits() }
callable @plain(%x: u32) -> u32 { return %x }
kernel @k(%out: buffer<u32>) block(2) {
  %l = local u32
  call @by_reference(%l)
  call @calls_what_waits()
  %x = load %l
  %y = call @plain(%x)
  write %out[0], %y
}
)");
  const auto inlined = inline_callables(*module);
  REQUIRE(inlined);
  REQUIRE((*inlined)->functions.size() == 2);
  CHECK((*inlined)->functions[0].name == "plain");
  CHECK(has_op((*inlined)->functions[1], OpCode::barrier));
  CHECK(has_op((*inlined)->functions[1], OpCode::call));
  CHECK(print(verify(**inlined)) == "");
}

TEST_CASE("inline: growth beyond the budget is an error at the call that names the callable") {
  std::string source = "weft 1\ncallable @c0(%r: ref<u32>) { store %r, 1 }\n";
  for (int i = 1; i <= 30; ++i) {
    source += fmt::format("callable @c{0}(%r: ref<u32>) {{\n  call @c{1}(%r)\n  call @c{1}(%r)\n}}\n", i, i - 1);
  }
  source += "kernel @k() block(1) {\n  %l = local u32\n  call @c30(%l)\n}\n";
  const auto module = parsed(source);
  const auto result = inline_callables(*module, {.budget_ops = 1000});
  REQUIRE_FALSE(result);
  const Diagnostic& error = result.diagnostics().items()[0];
  CHECK(error.message == "unsupported: with the callable @c9 inlined, @c10 has more than 1000 ops");
  CHECK(error.location.line == 41);
}

TEST_CASE("inline: a callable without early returns leaves neither loop nor local") {
  const auto module = parsed(R"(weft 1
callable @c(%x: u32) -> u32 {
  %y = add %x, 1
  return %y
}
kernel @k(%out: buffer<u32>) block(1) {
  %y = call @c(3)
  write %out[0], %y
}
)");
  const auto inlined =
      inline_callables(*module, {.wanted = [](const Module&, const Function&, const Contents&) { return true; }});
  const Function& k = (*inlined)->functions[0];
  CHECK_FALSE(has_op(k, OpCode::loop));
  CHECK_FALSE(has_op(k, OpCode::local));
}

TEST_CASE("inline: what follows a branch that lanes return from is there once") {
  // First what follows belongs to the way that does not fault, then to both ways.
  for (const char* otherwise : {"if %d { unreachable \"d\" } else { unreachable \"not d\" }", ""}) {
    const auto module = parsed(fmt::format(R"(weft 1
callable @c(%x: u32) -> u32 {{
  %a = lt %x, 1
  %b = lt %x, 2
  %d = lt %x, 3
  if %a {{
    if %b {{ return 1 }}
    {}
  }}
  %y = add %x, 1
  return %y
}}
kernel @k(%out: buffer<u32>) block(1) {{
  %y = call @c(3)
  write %out[0], %y
}}
)",
                                           otherwise));
    const auto inlined =
        inline_callables(*module, {.wanted = [](const Module&, const Function&, const Contents&) { return true; }});
    const Function& k = (*inlined)->functions[0];
    CHECK(count_ops(k, OpCode::add) == 1);
    CHECK(print(verify(**inlined)) == "");
  }
}
