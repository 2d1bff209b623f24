// Contraction as strict math defines it, on functions built by hand.
#include "codegen/passes/contract.h"

#include <catch2/catch.hpp>
#include <vector>

#include "codegen/ir/builder.h"

using namespace weft;
using weft::passes::contract;
using namespace weft::ir;

namespace {

// A kernel with parameters a, b, c, d of one type.
struct Fixture {
  Module module;
  Function function{FunctionKind::kernel, "k"};
  Builder builder{module, function};
  ValueId a, b, c, d;

  explicit Fixture(TypeId type) {
    for (ValueId* p : {&a, &b, &c, &d}) {
      *p = function.add_parameter(type, {});
    }
  }
  ValueId mul(ValueId x, ValueId y) { return builder.emit(OpCode::mul, {x, y}); }
  ValueId add(ValueId x, ValueId y) { return builder.emit(OpCode::add, {x, y}); }
  ValueId sub(ValueId x, ValueId y) { return builder.emit(OpCode::sub, {x, y}); }
  void print(ValueId v) { builder.emit(OpCode::print, {v}, module.string("{}").index); }
};

std::vector<OpCode> codes(const Function& f) {
  std::vector<OpCode> list;
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    list.push_back(f.op(OpId(i)).code);
  }
  return list;
}

using Codes = std::vector<OpCode>;

std::vector<std::uint32_t> operand_indices(const Function& f, std::size_t op) {
  std::vector<std::uint32_t> list;
  for (const ValueId v : f.operands(OpId(op))) {
    list.push_back(f.value(v).index);
  }
  return list;
}

}  // namespace

TEST_CASE("contract: a product used once by a sum becomes an fma, whichever operand it is") {
  for (const bool left : {true, false}) {
    Fixture t(kF32);
    const ValueId product = t.mul(t.a, t.b);
    t.print(left ? t.add(product, t.c) : t.add(t.c, product));
    const Function f = contract(t.module, t.function);
    CHECK(codes(f) == Codes{OpCode::fma, OpCode::print});
    CHECK(operand_indices(f, 0) == std::vector<std::uint32_t>{0, 1, 2});
  }
}

TEST_CASE("contract: a product minus a value negates the value") {
  Fixture t(kF64);
  t.print(t.sub(t.mul(t.a, t.b), t.c));
  const Function f = contract(t.module, t.function);
  CHECK(codes(f) == Codes{OpCode::neg, OpCode::fma, OpCode::print});
  CHECK(operand_indices(f, 0) == std::vector<std::uint32_t>{2});
}

TEST_CASE("contract: a value minus a product negates the product's left factor") {
  Fixture t(kF32);
  t.print(t.sub(t.c, t.mul(t.a, t.b)));
  const Function f = contract(t.module, t.function);
  CHECK(codes(f) == Codes{OpCode::neg, OpCode::fma, OpCode::print});
  CHECK(operand_indices(f, 0) == std::vector<std::uint32_t>{0});
  CHECK(operand_indices(f, 1)[1] == 1);
}

TEST_CASE("contract: a constant is negated in place") {
  Fixture t(kF32);
  t.print(t.sub(t.c, t.mul(t.builder.constant_f32(2), t.b)));
  const Function f = contract(t.module, t.function);
  REQUIRE(codes(f) == Codes{OpCode::fma, OpCode::print});
  const Constant* factor = t.module.constant_of(f, f.operand(f.op(OpId(0)), 0));
  REQUIRE(factor != nullptr);
  CHECK(factor->leaves == std::vector<std::uint64_t>{std::bit_cast<std::uint32_t>(-2.0F)});
}

TEST_CASE("contract: of two products the left is fused") {
  Fixture t(kF32);
  const ValueId left = t.mul(t.a, t.b);
  const ValueId right = t.mul(t.c, t.d);
  t.print(t.add(left, right));
  const Function f = contract(t.module, t.function);
  CHECK(codes(f) == Codes{OpCode::mul, OpCode::fma, OpCode::print});
  CHECK(operand_indices(f, 0) == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("contract: a sum of products is a chain of fmas") {
  Fixture t(kF32);
  const ValueId first = t.add(t.mul(t.a, t.b), t.c);
  t.print(t.add(first, t.mul(t.c, t.d)));
  CHECK(codes(contract(t.module, t.function)) == Codes{OpCode::fma, OpCode::fma, OpCode::print});
}

TEST_CASE("contract: a product used twice stays") {
  Fixture t(kF32);
  const ValueId product = t.mul(t.a, t.b);
  SECTION("by two ops") {
    t.print(t.add(product, t.c));
    t.print(product);
    CHECK(codes(contract(t.module, t.function)) == Codes{OpCode::mul, OpCode::add, OpCode::print, OpCode::print});
  }
  SECTION("by one sum") {
    t.print(t.add(product, product));
    CHECK(codes(contract(t.module, t.function)) == Codes{OpCode::mul, OpCode::add, OpCode::print});
  }
}

TEST_CASE("contract: types other than f32 and f64 are not fused") {
  for (const TypeId type : {kF16, kI32, kU64}) {
    Fixture t(type);
    t.print(t.add(t.mul(t.a, t.b), t.c));
    CHECK(codes(contract(t.module, t.function)) == Codes{OpCode::mul, OpCode::add, OpCode::print});
  }
}

TEST_CASE("contract: vectors and matrices are fused") {
  for (const bool matrix : {false, true}) {
    Fixture t(kF32);
    const TypeId type = matrix ? t.module.types.matrix(kF32, 2, 3) : t.module.types.vector(kF32, 3);
    const ValueId v = t.function.add_parameter(type, {});
    const ValueId w = t.function.add_parameter(type, {});
    t.builder.emit(OpCode::extract, {t.add(t.mul(v, w), w)}, 0);
    CHECK(codes(contract(t.module, t.function)) == Codes{OpCode::fma, OpCode::extract});
  }
}

TEST_CASE("contract: a product outside the region of its sum stays") {
  Fixture t(kF32);
  const ValueId product = t.mul(t.a, t.b);
  const OpId branch = t.builder.emit_regions(OpCode::if_, {t.builder.constant_bool(true)}, 2);
  t.builder.set_region(t.function.regions(t.function.op(branch))[0]);
  t.print(t.add(product, t.c));
  CHECK(codes(contract(t.module, t.function)) == Codes{OpCode::mul, OpCode::if_, OpCode::add, OpCode::print});
}

TEST_CASE("contract: a product that went through a local stays") {
  Fixture t(kF32);
  const ValueId local = t.builder.local(kF32);
  t.builder.store(local, t.mul(t.a, t.b));
  t.print(t.add(t.builder.load(local), t.c));
  const Function f = contract(t.module, t.function);
  for (const OpCode code : codes(f)) {
    CHECK(code != OpCode::fma);
  }
}
