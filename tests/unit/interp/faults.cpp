// What the interpreter reports of kernels that misbehave, and how a dispatch stops.
#include "tests/unit/interp/fixture.h"

using namespace weft;
using namespace weft::interp;
using namespace weft::interp::testing;

namespace {

using U32 = std::vector<std::uint32_t>;

std::string kernel(const std::string& body, const std::string& attributes = "block(4)") {
  return "weft 1\nkernel @k(%out: buffer<u32>) " + attributes + " {\n" + body + "\n}\n";
}

}  // namespace

TEST_CASE("faults: an assert says its message, place, block and lane, and stops the dispatch") {
  const auto module =
      prepared(kernel("  %ok = lt dispatch_id.x, 9\n  assert %ok, \"below 9\"\n  write %out[dispatch_id.x], 1"));
  U32 out(16);
  const Outcome outcome = run(*module, {16, 1, 1}, {}, out);
  REQUIRE(outcome.fault);
  CHECK(outcome.fault->kind == FaultKind::assertion);
  CHECK(outcome.fault->block == Size3{2, 0, 0});
  CHECK(outcome.fault->lane == Size3{1, 0, 0});
  CHECK(to_string(*module, *outcome.fault) == "test.weft:4:3: below 9, block (2, 0, 0), lane (1, 0, 0)");
  CHECK(out == U32{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("faults: unreachable is one where a lane comes to it, not else") {
  const auto module = prepared(kernel("  %bad = gt dispatch_size.x, 4\n  if %bad { unreachable \"too many\" }"));
  U32 out(1);
  CHECK_FALSE(run(*module, {4, 1, 1}, {}, out).fault);
  const Outcome outcome = run(*module, {5, 1, 1}, {}, out);
  REQUIRE(outcome.fault);
  CHECK(outcome.fault->kind == FaultKind::unreachable);
  CHECK(outcome.fault->message == "too many");
}

TEST_CASE("faults: checked, an access out of range says its index and the range") {
  const auto module = prepared(kernel("  %i = sub thread_id.x, 3\n  %s = bitcast i32 %i\n  write %out[%s], 1"));
  U32 out(2);
  CHECK_FALSE(run(*module, {4, 1, 1}, {}, out).fault);
  CHECK(out == U32{1, 0});
  const Outcome outcome = run(*module, {4, 1, 1}, {.checked = true}, out);
  REQUIRE(outcome.fault);
  CHECK(outcome.fault->kind == FaultKind::bounds);
  CHECK(outcome.fault->message == "index -3 is out of range, there are 2");
  CHECK(outcome.fault->location.line == 5);
  CHECK(outcome.fault->lane == Size3{0, 0, 0});
}

TEST_CASE("faults: checked, naming a place out of range is none before it is used") {
  const auto module =
      prepared(kernel("  %r = buffer_element %out[7]\n  %c = eq thread_id.x, 9\n  if %c { store %r, 1 }"));
  U32 out(2);
  CHECK_FALSE(run(*module, {4, 1, 1}, {.checked = true}, out).fault);
}

TEST_CASE("faults: a local array is poison until it is written, each time its declaration executes") {
  const auto module = prepared(kernel(R"(
    %i = local u32
    loop {
      %now = load %i
      %go = lt %now, 2
      yield %go
    } body {
      %a = local array<u32, 2>
      %x = load %a[0]
      write %out[%now], %x
      store %a[0], 5
      %y = load %a[0]
      %at = add %now, 2
      write %out[%at], %y
    } update {
      %n = load %i
      %m = add %n, 1
      store %i, %m
    }
  )",
                                      "block(1)"));
  U32 out(4);
  const Outcome outcome = run(*module, {1, 1, 1}, {.poison = std::byte{0xAB}}, out);
  CHECK(out == U32{0xabababab, 0xabababab, 5, 5});
  CHECK(outcome.uninitialised_reads == 2);
  CHECK(outcome.first_uninitialised_read.line == 11);
  CHECK_FALSE(outcome.fault);
}

TEST_CASE("faults: shared memory is poison again in the next block") {
  const auto module =
      prepared(kernel("  %s = shared u32\n  %x = load %s\n  write %out[block_id.x], %x\n  store %s, 1", "block(1)"));
  U32 out(2);
  const Outcome outcome = run(*module, {2, 1, 1}, {}, out);
  CHECK(out == U32{0xcdcdcdcd, 0xcdcdcdcd});
  CHECK(outcome.uninitialised_reads == 2);
}

TEST_CASE("faults: the cancel flag ends a loop without end") {
  const auto module =
      prepared(kernel("  loop { yield true } body { %o = atomic_add %out[0], 1\n print \"round\" }", "block(1)"));
  U32 out(1);
  std::uint32_t cancel = 0;
  Options options{.cancel = &cancel};
  int rounds = 0;
  options.print = [&](std::string_view) { cancel = ++rounds == 10 ? 1 : 0; };
  const Outcome outcome = run(*module, {1000, 1, 1}, options, out);
  CHECK(outcome.cancelled);
  CHECK(rounds == 10);
  CHECK(out == U32{10});
}

TEST_CASE("faults: nothing is printed after a fault") {
  const auto module = prepared(kernel("  assert false, \"first\"\n  print \"after\"\n  if true { print \"inside\" }"));
  U32 out(1);
  int printed = 0;
  Options options;
  options.print = [&](std::string_view) { ++printed; };
  CHECK(run(*module, {4, 1, 1}, options, out).fault);
  CHECK(printed == 0);
}

TEST_CASE("faults: a barrier that lanes miss names it and where they went") {
  const auto module = prepared(kernel("  %low = lt thread_id.x, 2\n  if %low {\n    barrier\n  }"));
  U32 out(1);
  const Outcome outcome = run(*module, {4, 1, 1}, {}, out);
  REQUIRE(outcome.fault);
  CHECK(outcome.fault->kind == FaultKind::barrier);
  CHECK(outcome.fault->location.line == 5);
  CHECK(outcome.fault->message ==
        "barrier that not every lane of the block reaches: lane (2, 0, 0) took another way in the if at test.weft:4:3");
}

TEST_CASE("machine: blocks may be run one by one and in any order") {
  const auto module = prepared(kernel("  write %out[dispatch_id.x], block_id.x"));
  U32 out(10, 9);
  const Arguments block(*module, out);
  Machine machine(*module, *module->find_kernel());
  const Dispatch dispatch{.arguments = block.bytes(), .size = {10, 1, 1}};
  CHECK(machine.grid(dispatch.size) == Size3{3, 1, 1});
  Outcome outcome;
  machine.run_block(dispatch, {2, 0, 0}, outcome);
  machine.run_block(dispatch, {0, 0, 0}, outcome);
  CHECK(out == U32{0, 0, 0, 0, 9, 9, 9, 9, 2, 2});
}

TEST_CASE("machine: a dispatch of no lanes does nothing") {
  const auto module = prepared(kernel("  write %out[0], 1"));
  for (const Size3 size : {Size3{0, 1, 1}, Size3{1, 0, 1}, Size3{1, 1, 0}}) {
    U32 out(1);
    CHECK_FALSE(run(*module, size, {}, out).stopped());
    CHECK(out == U32{0});
  }
}
