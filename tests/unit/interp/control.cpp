// How lanes part and come together again.
#include "tests/unit/interp/fixture.h"

using namespace weft;
using namespace weft::interp;
using namespace weft::interp::testing;

namespace {

using U32 = std::vector<std::uint32_t>;

// Runs a kernel of one block that writes one u32 per lane, at its index.
U32 run_lanes(const std::string& attributes, const std::string& body, std::uint32_t lanes,
              const std::string& callables = {}) {
  const auto module =
      prepared("weft 1\n" + callables + "\nkernel @k(%out: buffer<u32>) " + attributes + " {\n" + body + "\n}\n");
  U32 out(lanes, 0xdeadbeef);
  const Outcome outcome = run(*module, {lanes, 1, 1}, {}, out);
  if (outcome.fault) {
    FAIL(to_string(*module, *outcome.fault));
  }
  return out;
}

}  // namespace

TEST_CASE("control: each lane takes its own way through an if") {
  CHECK(run_lanes("block(4)", R"(
    %c = lt thread_id.x, 2
    if %c { write %out[thread_id.x], 10 } else { write %out[thread_id.x], 20 }
  )",
                  4) == U32{10, 10, 20, 20});
}

TEST_CASE("control: a loop runs as often as each lane's condition says") {
  CHECK(run_lanes("block(5)", R"(
    %i = local u32
    %sum = local u32
    loop {
      %now = load %i
      %go = lt %now, thread_id.x
      yield %go
    } body {
      %s = load %sum
      %t = add %s, 3
      store %sum, %t
    } update {
      %n = load %i
      %m = add %n, 1
      store %i, %m
    }
    %r = load %sum
    write %out[thread_id.x], %r
  )",
                  5) == U32{0, 3, 6, 9, 12});
}

TEST_CASE("control: break and continue leave the innermost loop only, and continue goes to the update") {
  // Of 0..9 without multiples of 3, up to the lane's id: the inner loop of 2 rounds counts twice.
  CHECK(run_lanes("block(8)", R"(
    %i = local u32
    %count = local u32
    loop {
      %now = load %i
      %go = lt %now, 10
      yield %go
    } body {
      %now2 = load %i
      %past = gt %now2, thread_id.x
      if %past { break }
      %m = rem %now2, 3
      %skip = eq %m, 0
      if %skip { continue }
      %j = local u32
      loop { yield true } body {
        %jj = load %j
        %stop = eq %jj, 2
        if %stop { break }
        %c = load %count
        %c1 = add %c, 1
        store %count, %c1
      } update {
        %k = load %j
        %k1 = add %k, 1
        store %j, %k1
      }
    } update {
      %n = load %i
      %n1 = add %n, 1
      store %i, %n1
    }
    %r = load %count
    write %out[thread_id.x], %r
  )",
                  8) == U32{0, 2, 4, 4, 6, 8, 8, 10});
}

TEST_CASE("control: switch runs one case, the default where none fits") {
  CHECK(run_lanes("block(6)", R"(
    switch thread_id.x {
      case 0, 3 { write %out[thread_id.x], 100 }
      case 2 { write %out[thread_id.x], 200 }
      default { write %out[thread_id.x], 300 }
    }
  )",
                  6) == U32{100, 300, 200, 100, 300, 300});
}

TEST_CASE("control: a returned lane does nothing more") {
  CHECK(run_lanes("block(4)", R"(
    write %out[thread_id.x], 1
    %early = lt thread_id.x, 2
    if %early { return }
    write %out[thread_id.x], 2
  )",
                  4) == U32{1, 1, 2, 2});
}
