#include "codegen/passes/prepare.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "codegen/ir/text/print.h"
#include "codegen/ir/verify/verify.h"
#include "codegen/passes/call_graph.h"
#include "codegen/passes/inline_callables.h"
#include "codegen/passes/root.h"

using namespace weft;
using namespace weft::ir;
using namespace weft::passes;

namespace {

std::unique_ptr<Module> parsed(const std::string& source) {
  auto module = parse_verified(source, "test.weft");
  if (!module) {
    FAIL(print(module.diagnostics()));
  }
  return std::move(*module);
}

std::string first_error(const Result<std::unique_ptr<Module>>& result) {
  REQUIRE_FALSE(result);
  return result.diagnostics().items()[0].message;
}

bool has_op(const Function& f, OpCode code) {
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    if (f.op(OpId(i)).code == code) return true;
  }
  return false;
}

constexpr const char* kTwoKernels = R"(weft 1
spec @n: u32 = 4 id(7)
callable @used(%x: f32) -> f32 {
  %p = mul %x, %x
  %r = add %p, 1.0
  return %r
}
callable @unused() { }
kernel @strict(%out: buffer<f32>) block(1) {
  %y = call @used(2.0)
  write %out[0], %y
}
kernel @precise(%out: buffer<f32>) block(1) math(precise) {
  %n = spec @n
  %y = call @used(2.0)
  write %out[%n], %y
}
)";

}  // namespace

TEST_CASE("prepare: the module holds the kernel and what it calls, callees first") {
  const auto module = parsed(kTwoKernels);
  const auto prepared = prepare(*module, "strict");
  REQUIRE(prepared);
  REQUIRE((*prepared)->functions.size() == 2);
  CHECK((*prepared)->functions[0].name == "used");
  CHECK((*prepared)->functions[1].name == "strict");
  CHECK(print(verify(**prepared)) == "");
}

TEST_CASE("prepare: the math of the kernel, or of the options, is that of its callables") {
  const auto module = parsed(kTwoKernels);
  const auto fused = [&](std::string_view kernel, const PrepareOptions& options) {
    const auto prepared = prepare(*module, kernel, options);
    return has_op((*prepared)->functions[0], OpCode::fma);
  };
  CHECK(fused("strict", {}));
  CHECK_FALSE(fused("precise", {}));
  CHECK(fused("precise", {.math = MathMode::strict}));
  CHECK_FALSE(fused("strict", {.math = MathMode::fast}));
}

TEST_CASE("prepare: no op of kind expand is left, whatever the kernel uses") {
  const auto module = parsed(kTwoKernels);
  const auto prepared = prepare(*module, "precise");
  for (const Function& f : (*prepared)->functions) {
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      CHECK(info(f.op(OpId(i)).code).kind != OpKind::expand);
    }
  }
}

TEST_CASE("prepare: attributes in the options replace the kernel's") {
  const auto module = parsed(kTwoKernels);
  const auto prepared = prepare(*module, "strict", {.math = MathMode::fast, .unchecked = true});
  CHECK((*prepared)->functions[1].attributes.math == MathMode::fast);
  CHECK((*prepared)->functions[1].attributes.unchecked);
}

TEST_CASE("prepare: unknown kernels and wrong specialisation values are errors that say what there is") {
  const auto module = parsed(kTwoKernels);
  CHECK(first_error(prepare(*module)) == "expected one kernel, found @strict, @precise");
  CHECK(first_error(prepare(*module, "used")) == "no kernel @used, found @strict, @precise");
  CHECK(first_error(prepare(*module, "strict", {.spec_values = {{3, {kU32, {1}}}}})) ==
        "no specialisation constant has the id 3");
  CHECK(first_error(prepare(*module, "strict", {.spec_values = {{7, {kF32, {0}}}}})) ==
        "the value for specialisation constant n (id 7) has type f32, expected u32");
}

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

TEST_CASE("root: references lead to where they began") {
  const auto module = parsed(R"(weft 1
struct S size 12 align 4 { a: array<u32, 2> @0, b: u32 @8 }
const @t: array<u32, 2> = [1, 2]
callable @c(%r: ref<S>) { store %r.b, 1 }
kernel @k(%out: buffer<S>) block(1) {
  %l = local S
  %s = shared S
  %g = global @t
  %a = member %l.a
  %a1 = element %a[1]
  %sb = member %s.b
  %e = buffer_element %out[0]
  %eb = member %e.b
  %t1 = element %g[1]
}
)");
  const Function& k = *module->find_kernel();
  const auto root_named = [&](std::string_view name) {
    for (std::size_t i = 0; i < k.value_count(); ++i) {
      if (module->string(k.value(ValueId(i)).name) == name) return root_of(k, ValueId(i));
    }
    FAIL("no such value");
    return Root{};
  };
  CHECK(root_named("a1").kind == RootKind::local);
  CHECK(root_named("sb").kind == RootKind::shared);
  CHECK(root_named("eb").kind == RootKind::buffer);
  CHECK(root_named("eb").value == k.parameters[0].value);
  CHECK(root_named("t1").kind == RootKind::global);
  const Function& c = module->functions[0];
  CHECK(root_of(c, c.parameters[0].value).kind == RootKind::parameter);
}

TEST_CASE("root: buffers are read or written directly, by atomics and through callables") {
  const auto module = parsed(R"(weft 1
callable @fill(%b: buffer<u32>, %r: ref<u32>) {
  write %b[0], 1
  %x = load %r
}
kernel @k(%a: buffer<u32>, %b: buffer<u32>, %c: buffer<u32>, %d: buffer<u32>, %e: buffer<u32>) block(1) {
  %x = read %a[0]
  %r = buffer_element %c[0]
  call @fill(%b, %r)
  %o = atomic_add %d[0], 1
  %n = buffer_size %e
}
)");
  const auto uses = [](const Module& m) {
    std::string text;
    for (const BufferUse& use : buffer_uses(m, *m.find_kernel())) {
      text += use.read ? (use.written ? 'b' : 'r') : (use.written ? 'w' : '-');
    }
    return text;
  };
  CHECK(uses(*module) == "rwrb-");
  CHECK(uses(**prepare(*module)) == "rwrb-");
}
