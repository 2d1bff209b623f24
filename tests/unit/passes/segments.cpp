#include "codegen/passes/segments.h"

#include <algorithm>

#include "tests/unit/passes/fixture.h"

using namespace weft;
using namespace weft::passes;
using weft::passes::testing::parsed;

namespace {

struct Cut {
  std::unique_ptr<ir::Module> module;
  const ir::Function* kernel;
  std::optional<BlockProgram> program;
};

Cut cut(const std::string& body) {
  Cut result{parsed("weft 1\nkernel @k(%out: buffer<u32>, %n: u32) block(64) {\n" + body + "}\n"), nullptr, {}};
  result.kernel = result.module->find_kernel();
  const Shapes block = analyse_shapes(*result.module, *result.kernel, {.block = true});
  result.program = split_at_barriers(*result.module, *result.kernel, block);
  return result;
}

std::string name(const Cut& c, ir::ValueId value) { return std::string(c.module->string(c.kernel->value(value).name)); }

}  // namespace

TEST_CASE("segments: code between barriers is one segment each") {
  const Cut c = cut("  barrier\n  %a = add %n, 1\n  barrier\n  barrier\n  %b = add %n, 2\n  %c = add %b, 3\n");
  REQUIRE(c.program);
  REQUIRE(c.program->segments.size() == 2);
  CHECK(c.program->segments[0].ops.size() == 1);
  CHECK(c.program->segments[1].ops.size() == 2);
}

TEST_CASE("segments: what is cheap is made again, what is not is kept") {
  const Cut c = cut(R"(  %tile = shared array<u32, 64>
  %lane = add thread_id.x, 1
  %loaded = load %tile[%lane]
  %product = cast f32 %lane
  barrier
  store %tile[%lane], %loaded
  %back = cast u32 %product
  store %tile[0], %back
)");
  REQUIRE(c.program);
  REQUIRE(c.program->kept.size() == 2);
  CHECK(name(c, c.program->kept[0]) == "loaded");
  CHECK(name(c, c.program->kept[1]) == "product");
  const Segment& after = c.program->segments[1];
  CHECK(after.loaded.size() == 2);
  CHECK(std::ranges::any_of(after.repeated, [&](ir::OpId op) { return name(c, c.kernel->op(op).result) == "lane"; }));
  CHECK(std::ranges::is_sorted(after.repeated, {}, &ir::OpId::index));
}

TEST_CASE("segments: the block runs the control flow around barriers, packs the rest") {
  const Cut c = cut(R"(  %i = local u32
  loop {
    %a = load %i
    %go = lt %a, %n
    yield %go
  } body {
    barrier
    %x = lt thread_id.x, 3
    if %x { write %out[0], 1 }
  } update {
    %b = load %i
    %c = add %b, 1
    store %i, %c
  }
)");
  REQUIRE(c.program);
  REQUIRE(c.program->steps.size() == 2);
  const BlockStep& loop = c.program->steps[1];
  CHECK(loop.kind == BlockStep::Kind::loop);
  REQUIRE(loop.regions.size() == 3);
  const auto segment = [&](std::size_t region) { return c.program->segments[loop.regions[region].front().segment]; };
  CHECK(name(c, segment(0).decides) == "go");
  CHECK(segment(0).once);
  CHECK_FALSE(segment(1).once);  // it writes memory
  CHECK(segment(2).once);
  REQUIRE(c.program->kept_locals.size() == 1);
  CHECK(segment(2).locals.front().written);
  CHECK_FALSE(segment(0).locals.front().written);
}

TEST_CASE("segments: one pack cannot stand for all where a value differs between lanes") {
  const Cut c =
      cut("  %v = local u32\n  barrier\n  store %v, thread_id.x\n  barrier\n  %x = load %v\n  write %out[0], %x\n");
  REQUIRE(c.program);
  CHECK_FALSE(c.program->segments[1].once);
}

TEST_CASE("segments: a kernel whose block may go different ways is not cut") {
  CHECK_FALSE(cut("  %x = lt thread_id.x, 3\n  if %x { barrier }\n").program);
  CHECK_FALSE(
      cut("  %c = buffer_element %out[0]\n  store %c, 1\n  %a = load %c\n  %x = lt %a, 3\n  if %x { barrier }\n")
          .program);
  CHECK(cut("  %x = lt %n, 3\n  if %x { barrier }\n").program);
}

TEST_CASE("segments: a kernel that keeps a local array is not cut") {
  const std::string use = "  %v = load %a[%n]\n  write %out[0], %v\n";
  CHECK_FALSE(cut("  %a = local array<u32, 4>\n  store %a[0], 1\n  barrier\n" + use).program);
  CHECK(cut("  barrier\n  %a = local array<u32, 4>\n  store %a[0], 1\n" + use).program);
}

TEST_CASE("segments: the block runs a loop whose iterations hand on nothing of the lanes") {
  const auto loop = [](const std::string& before, const std::string& body) {
    return cut("  %tile = shared array<u32, 64>\n  barrier\n  %i = local u32\n" + before + R"(  loop {
    %a = load %i
    %go = lt %a, 8
    yield %go
  } body {
)" + body + R"(  } update {
    %b = load %i
    %c = add %b, 1
    store %i, %c
  }
)");
  };
  const auto run_by_block = [](const Cut& c) {
    return std::ranges::any_of(c.program->steps, [](const BlockStep& s) { return s.kind == BlockStep::Kind::loop; });
  };
  const std::string walk = "    %m = load %i\n    %at = add %m, thread_id.x\n    %x = load %tile[%at]\n";
  CHECK(run_by_block(loop("", walk)));
  CHECK_FALSE(run_by_block(loop("", "    %x = load %tile[0]\n")));
  CHECK_FALSE(run_by_block(loop("  %sum = local u32\n", walk + "    store %sum, %x\n")));
  CHECK(run_by_block(loop("  %sum = local u32\n  store %sum, thread_id.x\n", walk + "    %y = load %sum\n")));
  CHECK(run_by_block(loop("", "    %sum = local u32\n" + walk + "    store %sum, %x\n")));
  CHECK_FALSE(run_by_block(loop("", walk + "    %stop = gt %m, %n\n    if %stop { break }\n")));
}

TEST_CASE("segments: a loop that only some lanes run stays with them, and does not keep a kernel from being cut") {
  const Cut c = cut(R"(  %tile = shared array<u32, 64>
  barrier
  %low = lt thread_id.x, 8
  if %low {
    %i = local u32
    loop {
      %a = load %i
      %go = lt %a, 8
      yield %go
    } body {
      %at = add %a, thread_id.x
      %x = load %tile[%at]
    } update {
      %b = load %i
      %c = add %b, 1
      store %i, %c
    }
  }
  barrier
)");
  REQUIRE(c.program);
  CHECK(c.program->segments.size() == 2);
}
