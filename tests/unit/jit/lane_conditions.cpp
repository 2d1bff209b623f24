// Branches on conditions that scalars decide for a whole pack: comparisons of an affine integer, and what is made of
// them, where they hold in all lanes, in some, in none, and where the integer wraps between lanes.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/jit/differential.h"

using namespace weft;
using namespace weft::jit::testing;

namespace {

constexpr std::uint32_t kColumns = 90;
constexpr std::uint32_t kRows = 6;

// Lanes that take the condition write what they read, and that there are such, the others their number.
std::string kernel(const std::string& condition, const char* block) {
  return fmt::format(R"(weft 1
kernel @k(%in: buffer<u32>, %out: buffer<u32>, %any: buffer<u32>, %n: u32, %m: u32) block({}) {{
  %x = add dispatch_id.x, 0
  %y = add dispatch_id.y, 0
  %row = mul %y, {}
  %l = add %row, %x
  %sx = cast i32 %x
  %sn = cast i32 %n
  %below = sub %x, %n
  %sbelow = sub %sx, %sn
{}
  if %c {{
    %v = read %in[%l]
    write %out[%l], %v
    write %any[0], 1
  }} else {{
    %w = add %l, 1000000
    write %out[%l], %w
  }}
}}
)",
                     block, kColumns, condition);
}

const std::vector<std::string>& conditions() {
  static const std::vector<std::string> all = {
      "  %c = lt dispatch_id.x, %n",
      "  %c = gt dispatch_id.x, %n",
      "  %c = le %n, dispatch_id.x",
      "  %c = lt %x, %n",
      "  %c = lt %below, %m",  // wraps where x is less than n
      "  %c = ge %below, %m",
      "  %c = lt %sbelow, 3",  // does not
      "  %c = le 0, %sbelow",
      "  %a = gt dispatch_id.x, 0\n  %b = lt dispatch_id.x, %n\n  %c = and %a, %b",
      "  %a = lt dispatch_id.x, %n\n  %b = gt dispatch_id.x, %m\n  %c = or %a, %b",
      "  %a = lt %x, %n\n  %c = not %a",
      "  %a = lt %y, 3\n  %b = gt dispatch_id.x, %m\n  %c = and %a, %b",
      "  %a = lt %m, %n\n  %b = gt dispatch_id.x, %m\n  %c = or %a, %b",
      "  %a = lt dispatch_id.x, %n\n  %b = gt dispatch_id.x, %m\n  %c = and %a, %b",
      "  %a = lt dispatch_id.x, %n\n  %d = and %a, %a\n  %e = lt %y, 4\n  %f = not %e\n  %c = or %d, %f",
  };
  return all;
}

}  // namespace

TEST_CASE("lane conditions: each lane takes its way, whatever the pack's other lanes do") {
  std::vector<std::uint32_t> in(kColumns * kRows);
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    in[i] = i * 2654435761U;
  }
  const auto number = [](std::uint32_t x) { return bytes_of(std::vector{x}); };
  for (const std::string& condition : conditions()) {
    for (const char* block : {"32", "8, 4"}) {
      for (const auto& [n, m] : {std::pair{33U, 7U}, {64U, 31U}, {20U, 25U}, {5U, 0xfffffff0U}}) {
        INFO(condition << " block " << block << " n " << n << " m " << m);
        check_same(kernel(condition, block), {kColumns, kRows, 1},
                   {bytes_of(in), Bytes(in.size() * 4), Bytes(4), number(n), number(m)},
                   {{16, "native"}, {8, "x86-64-v3"}});
      }
    }
  }
}
