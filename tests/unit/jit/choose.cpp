// What is chosen where the options leave it open.
#include "codegen/jit/choose.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/jit/differential.h"

using namespace weft;
using namespace weft::jit;
using weft::jit::testing::parsed;

namespace {

// The width that is chosen for a kernel that runs `body` in a loop; `rest` is the end of the loop's update.
std::uint32_t width_for_loop(const std::string& cpu, const std::string& body, const std::string& rest = "") {
  const auto module = parsed(
      "weft 1\nkernel @k(%x: f32, %out: buffer<f32>) block(64) {\n"
      "  %i = local u32\n  %v = local f32\n"
      "  loop {\n    %a = load %i\n    %go = lt %a, 8\n    yield %go\n  } body {\n" +
      body + "  } update {\n    %b = load %i\n    %c = add %b, 1\n    store %i, %c\n" + rest + "  }\n}\n");
  const auto target = resolve_target(cpu);
  REQUIRE(target);
  const auto choice = choose(*module, *module->find_kernel(), *target, {});
  REQUIRE(choice);
  return choice->width;
}

// A chain of float arithmetic, and what follows it in the loop.
std::string chain(const std::string& then = "") {
  return "    %p = load %v\n    %q = mul %p, %x\n    %r = add %q, %x\n    %s = mul %r, %q\n    store %v, %s\n" + then;
}

}  // namespace

TEST_CASE("choose: a chain of float arithmetic gets two registers of lanes where one has 512 bits") {
  const auto native = resolve_target("native");
  REQUIRE(native);
  CHECK(width_for_loop("native", chain()) == (native->vector_bits >= 512 ? 32 : 16));
  CHECK(width_for_loop("x86-64-v3", chain()) == 16);
}

TEST_CASE("choose: a loop that waits for more than its chain gets one register of lanes") {
  CHECK(width_for_loop("native", chain("    %m = read %out[0]\n")) == 16);
  CHECK(width_for_loop("native", chain("    %m = sin %s\n")) == 16);
  CHECK(width_for_loop("native", chain("    %t = clock\n")) == 16);
  CHECK(width_for_loop("native", chain(), "    fence\n") == 16);  // the kernel's last op, and without operands
  CHECK(width_for_loop("native", "    %p = load %v\n    %q = mul %p, %x\n    store %v, %q\n") == 16);
}

TEST_CASE("choose: blocks of 8 x 8 that do little but read and write get one row of lanes") {
  const auto width_for = [](const std::string& block, const std::string& body) {
    const auto module =
        parsed("weft 1\nkernel @k(%in: buffer<f32>, %out: buffer<f32>) block(" + block + ") {\n" + body + "}\n");
    const auto target = resolve_target("x86-64-v3");
    REQUIRE(target);
    const auto choice = choose(*module, *module->find_kernel(), *target, {});
    REQUIRE(choice);
    return choice->width;
  };
  const std::string copy = "  %a = read %in[dispatch_id.x]\n  write %out[dispatch_id.x], %a\n";
  std::string work = "  %a = read %in[dispatch_id.x]\n  %b0 = add %a, 1\n";
  for (int i = 0; i < 30; ++i) {
    work += fmt::format("  %b{} = mul %b{}, %a\n", i + 1, i);
  }
  work += "  write %out[dispatch_id.x], %b30\n";
  CHECK(width_for("8, 8", copy) == 8);
  CHECK(width_for("8, 8", work) == 16);
  CHECK(width_for("16, 4", copy) == 16);
}
