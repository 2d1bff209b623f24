#include "codegen/passes/promote_locals.h"

#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::passes;
using weft::passes::testing::count_ops;
using weft::passes::testing::parsed;

namespace {

// How many locals are left of a kernel's body.
std::size_t locals_left(const std::string& body) {
  const auto module = parsed(
      "weft 1\nstruct Pair size 8 align 4 { a: u32 @0, b: u32 @4 }\nkernel @k(%out: buffer<u32>, "
      "%n: u32, %pairs: buffer<Pair>) block(64) {\n" +
      body + "}\n");
  return count_ops(promote_locals(*module, *module->find_kernel()), ir::OpCode::local);
}

}  // namespace

TEST_CASE("promote_locals: what is written once, before it is read, becomes a value") {
  CHECK(locals_left("  %a = local u32\n  store %a, %n\n  %x = load %a\n  write %out[0], %x\n") == 0);
  CHECK(locals_left("  %a = local u32\n  store %a, %n\n  if true {\n    %x = load %a\n    write %out[0], %x\n  }\n") ==
        0);
  CHECK(locals_left(
            "  %p = read %pairs[0]\n  %a = local Pair\n  store %a, %p\n  %x = load %a.b\n  write %out[0], %x\n") == 0);
  CHECK(locals_left("  %v = make vec<u32, 2> %n, %n\n  %a = local vec<u32, 2>\n  store %a, %v\n  %x = load %a[%n]\n  "
                    "write %out[0], %x\n") == 0);
}

TEST_CASE("promote_locals: what is written again, in part, elsewhere or too late stays a variable") {
  const std::string read = "  %x = load %a\n  write %out[0], %x\n";
  CHECK(locals_left("  %a = local u32\n  store %a, %n\n  store %a, 2\n" + read) == 1);
  CHECK(locals_left("  %a = local u32\n  if true { store %a, %n }\n" + read) == 1);
  CHECK(locals_left("  %a = local u32\n" + read + "  store %a, %n\n") == 1);
  CHECK(locals_left(
            "  %p = read %pairs[0]\n  %a = local Pair\n  store %a, %p\n  store %a.b, 2\n  %x = load %a.b\n  write "
            "%out[0], %x\n") == 1);
  CHECK(locals_left("  %a = local array<u32, 4>\n  store %a[0], %n\n  %x = load %a[0]\n  write %out[0], %x\n") == 1);
  CHECK(locals_left("  %a = local u32\n" + read) == 1);
}

TEST_CASE("promote_locals: a variable of a loop's body is a new value in each iteration") {
  const auto module = parsed(R"(weft 1
kernel @k(%out: buffer<u32>) block(1) {
  %i = local u32
  loop {
    %a = load %i
    %go = lt %a, 4
    yield %go
  } body {
    %n = load %i
    %b = local u32
    store %b, %n
    %x = load %b
    write %out[%x], %x
  } update {
    %c = load %i
    %d = add %c, 1
    store %i, %d
  }
}
)");
  const ir::Function f = promote_locals(*module, *module->find_kernel());
  CHECK(count_ops(f, ir::OpCode::local) == 1);
  CHECK(count_ops(f, ir::OpCode::load) == 3);
}
