#include "codegen/passes/prepare.h"

#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::ir;
using namespace weft::passes;
using namespace weft::passes::testing;

namespace {

std::string first_error(const Result<std::unique_ptr<Module>>& result) {
  REQUIRE_FALSE(result);
  return result.diagnostics().items()[0].message;
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
