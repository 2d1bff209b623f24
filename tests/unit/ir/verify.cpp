// Rules that a program that builds IR can break, and a text cannot. The others are tested by tests/text/errors.
#include "codegen/ir/verify/verify.h"

#include <catch2/catch.hpp>

#include "codegen/ir/builder.h"

using namespace weft;
using namespace weft::ir;

namespace {

struct Sample {
  Module m;
  Function& f = m.add_function(FunctionKind::kernel, "k");
  Builder b{m, f};

  // All messages, each on a line.
  std::string problems() {
    std::string out;
    for (const Diagnostic& d : verify(m).items()) out += d.message + "\n";
    return out;
  }

  Region& body() { return f.region(f.body()); }
};

}  // namespace

TEST_CASE("verify: a module that keeps the rules has no errors") {
  Sample s;
  const ValueId x = s.b.local(kF32);
  s.b.store(x, s.b.constant_f32(1));
  CHECK(s.problems() == "");
}

TEST_CASE("verify: a value is used after it was made") {
  Sample s;
  const ValueId x = s.b.emit(OpCode::warp_size);
  s.b.emit(OpCode::not_, {x});
  std::swap(s.body().ops[0], s.body().ops[1]);
  CHECK(s.problems() == "not uses %1, which is not visible here\n");
}

TEST_CASE("verify: a value is used within its region, which for a loop's condition includes body and update") {
  Sample s;
  const OpId loop = s.b.emit_regions(OpCode::loop, {}, 3);
  const auto in = [&](std::size_t region) { s.b.set_region(s.f.regions(s.f.op(loop))[region]); };
  in(0);
  const ValueId from_condition = s.b.emit(OpCode::warp_size);
  s.b.emit(OpCode::yield, {s.b.constant_bool(true)});
  in(1);
  const ValueId from_body = s.b.emit(OpCode::not_, {from_condition});
  in(2);
  s.b.emit(OpCode::not_, {from_condition});
  CHECK(s.problems() == "");
  s.b.emit(OpCode::not_, {from_body});
  s.b.set_region(s.f.body());
  s.b.emit(OpCode::not_, {from_condition});
  CHECK(s.problems() == "not uses %1, which is not visible here\nnot uses %0, which is not visible here\n");
}

TEST_CASE("verify: an op stands in one place") {
  Sample s;
  s.b.emit(OpCode::barrier);
  s.body().ops.push_back(s.body().ops[0]);
  CHECK(s.problems() == "barrier stands in two places of @k\n");
}

TEST_CASE("verify: a region holds ops that there are") {
  Sample s;
  s.body().ops.push_back(OpId(7));
  CHECK(s.problems() == "region in @k holds op 7, which there is not\n");
}

TEST_CASE("verify: operands and results name values") {
  Sample s;
  s.b.emit(OpCode::warp_size);
  Op& op = s.f.op(OpId(0));
  SECTION("an operand that there is not") {
    s.f.append(s.f.body(), OpCode::not_, kU32, std::array{ValueId(17)}, 0, 0, {});
    CHECK(s.problems() == "not has an operand without a value\n");
  }
  SECTION("a result without a type") {
    op.type = kVoid;
    CHECK(s.problems().find("warp_size has a result without a type, or the reverse\n") == 0);
  }
  SECTION("a result of another op") {
    s.b.emit(OpCode::warp_size);
    s.f.op(OpId(0)).result = s.f.op(OpId(1)).result;
    CHECK(s.problems() == "warp_size and its result do not belong together\n");
  }
  SECTION("a result of another type") {
    op.type = kF32;
    s.f.value(op.result).type = kF32;
    CHECK(s.problems() == "result of warp_size has type f32, expected u32\n");
  }
}

TEST_CASE("verify: values have types that there are, constants their own") {
  Sample s;
  const ValueId x = s.b.constant_u32(1);
  SECTION("no type") {
    s.f.value(x).type = TypeId(1000);
    CHECK(s.problems().find("value 0 of @k has no type\n") == 0);
  }
  SECTION("another type") {
    s.f.value(x).type = kF32;
    CHECK(s.problems() == "constant in @k has another type than its value\n");
  }
}

TEST_CASE("verify: an op has as many regions as its kind") {
  Sample s;
  SECTION("if has two") {
    s.b.emit_regions(OpCode::if_, {s.b.constant_bool(true)}, 1);
    CHECK(s.problems() == "if has 1 regions, expected 2\n");
  }
  SECTION("switch has one for each case and the default") {
    s.f.case_lists.push_back({{1}, {2}});
    s.b.emit_regions(OpCode::switch_, {s.b.constant_u32(1)}, 2);
    CHECK(s.problems() == "switch has 2 regions, expected 3\n");
  }
  SECTION("others have none") {
    s.f.append(s.f.body(), OpCode::barrier, kVoid, {}, 0, 1, {});
    CHECK(s.problems() == "barrier has 1 regions, expected 0\n");
  }
}

TEST_CASE("verify: cases have values, in the range of what is switched on") {
  Sample s;
  s.f.case_lists.push_back({{}, {-1}});
  s.b.emit_regions(OpCode::switch_, {s.b.constant_u32(1)}, 3);
  CHECK(s.problems() == "case of switch has no values\ncase -1 of switch is out of range for u32\n");
}

TEST_CASE("verify: immediates name what there is") {
  Sample s;
  SECTION("a function") {
    s.f.append(s.f.body(), OpCode::call, kVoid, {}, 5, 0, {});
    CHECK(s.problems() == "call names number 5 of 1\n");
  }
  SECTION("constant data") {
    s.f.append(s.f.body(), OpCode::global, s.m.types.reference(kF32), {}, 0, 0, {});
    CHECK(s.problems() == "global names number 0 of 0\n");
  }
  SECTION("a text") {
    s.f.append(s.f.body(), OpCode::unreachable, kVoid, {}, 99, 0, {});
    CHECK(s.problems().find("unreachable names number 99 of ") == 0);
  }
  SECTION("a dimension") {
    s.b.emit(OpCode::thread_id, {}, 3);
    CHECK(s.problems() == "thread_id has dimensions x, y and z, found 3\n");
  }
  SECTION("a component") {
    const TypeId type = s.m.types.vector(kF32, 2);
    s.b.emit(OpCode::swizzle, {s.b.zero(type)}, Components{{0, 2, 0, 0}, 2}.pack());
    CHECK(s.problems() == "vec<f32, 2> has no component 2\n");
  }
  SECTION("2 to 4 components") {
    const ValueId vector = s.b.zero(s.m.types.vector(kF32, 2));
    s.f.append(s.f.body(), OpCode::swizzle, kF32, std::array{vector}, Components{{0}, 1}.pack(), 0, {});
    CHECK(s.problems() == "swizzle takes 2 to 4 components, found 1\n");
  }
  SECTION("a part") {
    const ValueId place = s.b.local(s.m.types.vector(kF32, 2));
    s.f.append(s.f.body(), OpCode::member, s.m.types.reference(kF32), std::array{place}, 2, 0, {});
    CHECK(s.problems() == "vec<f32, 2> has no part 2, there are 2\n");
  }
}

TEST_CASE("verify: an op has as many operands as its row says") {
  Sample s;
  s.f.append(s.f.body(), OpCode::not_, kU32, {}, 0, 0, {});
  CHECK(s.problems() == "not has 0 operands, expected 1\n");
}

TEST_CASE("verify: regions nest as deep as the limit says") {
  Sample s;
  for (std::uint32_t i = 0; i <= kMaxRegionDepth; ++i) {
    const OpId op = s.b.emit_regions(OpCode::if_, {s.b.constant_bool(true)}, 2);
    s.b.set_region(s.f.regions(s.f.op(op))[0]);
  }
  CHECK(s.problems().find("regions in @k are nested more than 256 deep\n") == 0);
}

TEST_CASE("verify: names are given once") {
  Sample s;
  SECTION("to functions, constant data and specialisation constants") {
    s.m.add_function(FunctionKind::callable, "k");
    s.m.add_function(FunctionKind::callable, "");
    s.m.globals.push_back({"data", s.m.constant({kF32, {0}})});
    s.m.specs.push_back({"data", 1, s.m.constant({kF32, {0}})});
    CHECK(s.problems() == "@data is defined twice\n@k is defined twice\nfunction, const or spec has no name\n");
  }
  SECTION("to structs") {
    s.m.types.structure("S", {{"a", kF32, 0}}, 4, 4);
    s.m.types.structure("S", {{"a", kU32, 0}}, 4, 4);
    CHECK(s.problems() == "struct S is defined twice, with different members or layout\n");
  }
}

TEST_CASE("verify: ids of specialisation constants are given once, to scalars") {
  Sample s;
  s.m.specs.push_back({"a", 1, s.m.constant({kF32, {0}})});
  s.m.specs.push_back({"b", 1, s.m.constant({kF32, {0}})});
  s.m.specs.push_back({"c", 2, s.m.constant({s.m.types.vector(kF32, 2), {0, 0}})});
  CHECK(s.problems() == "specs @a and @b have the same id 1\nspec @c has type vec<f32, 2>, expected a scalar\n");
}

TEST_CASE("verify: constants have the leaves of their type, each no wider than its scalar") {
  Sample s;
  SECTION("in constant data") {
    s.m.globals.push_back({"data", s.m.constant({s.m.types.array(kU8, 3), {1, 2}})});
    CHECK(s.problems() == "@data: constant of type array<u8, 3> has 2 leaves, expected 3\n");
  }
  SECTION("in operands") {
    s.b.emit(OpCode::not_, {s.b.constant(s.m.types.vector(kU8, 2), {1, 256})});
    CHECK(s.problems() == "constant in @k: leaf 1 of constant of type vec<u8, 2> is wider than its scalar\n");
  }
}

TEST_CASE("verify: layouts of types are checked wherever they are made") {
  Sample s;
  s.m.types.array(kF32, 4, 2);
  s.m.types.structure("S", {{"a", kF32, 0}, {"b", kF32, 2}}, 8, 4);
  CHECK(s.problems() ==
        "stride of array<f32, 4, stride 2> is 2 bytes, what it holds has 4\n"
        "member b is at byte 2, expected a multiple of its alignment 4\n");
}

TEST_CASE("verify: kernels have no result") {
  Sample s;
  s.f.result_type = kF32;
  s.b.emit(OpCode::return_, {s.b.constant_f32(1)});
  CHECK(s.problems() == "kernel @k has result type f32, a kernel has no result\n");
}

TEST_CASE("verify: a long chain of calls is no recursion") {
  Sample s;
  for (int i = 0; i < 20000; ++i) {
    s.m.add_function(FunctionKind::callable, "f" + std::to_string(i));
    Function& caller = s.m.functions[static_cast<std::size_t>(i)];
    Builder(s.m, caller).emit(OpCode::call, {}, s.m.functions.size() - 1);
  }
  CHECK(s.problems() == "");
}
