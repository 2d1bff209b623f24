// What kernels print, and the table of helpers by which they reach the runtime.
#include "runtime/print.h"

#include "runtime/helpers.h"
#include "tests/unit/runtime/launch.h"

#include <bit>
#include <mutex>
#include <string>
#include <vector>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

constexpr std::array<std::uint64_t, 12> kValues = {
    0xffffff01,                           // bool: the low byte counts
    0xff,                                 // i8 -1
    0xff,                                 // u8 255
    0x8000,                               // i16 -32768
    0xffff,                               // u16
    0xfffffffe,                           // i32 -2
    0xfffffffe,                           // u32
    0xfffffffffffffffd,                   // i64 -3
    0xfffffffffffffffd,                   // u64
    0x3555,                               // f16 0.33325195
    std::bit_cast<std::uint32_t>(-0.5f),  // f32
    std::bit_cast<std::uint64_t>(1e300),  // f64
};

struct SinkScope {
  explicit SinkScope(PrintSink sink) { set_print_sink(std::move(sink)); }
  ~SinkScope() { set_print_sink(nullptr); }
};

}  // namespace

TEST_CASE("print: every type is read from its slot") {
  const abi::SiteInfo site{"{} {} {} {} {} {} {} {} {} {} {} {}", "bcCsSiIlLhfd", "", 0, 0, abi::SiteKind::print, 12};
  CHECK(format_print(site, kValues.data()) ==
        "true -1 255 -32768 65535 -2 4294967294 -3 18446744073709551613 0.33325195 -0.5 1e+300");
}

TEST_CASE("print: lines of many lanes arrive whole, through the host's sink") {
  Launcher launcher(4);
  std::vector<std::string> lines;
  const SinkScope scope([&](std::string_view line) { lines.emplace_back(line); });
  static constexpr abi::SiteInfo kSite{"block {} of {}", "II", "", 0, 0, abi::SiteKind::print, 2};
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const std::array<std::uint64_t, 2> values = {context->block_id[0], context->grid_size[0]};
      weft_print(context, &DispatchState::of(*context).info(), 0, lane, values.data());
    }
    return abi::BlockStatus::done;
  });
  kernel->description.sites = &kSite;
  kernel->description.site_count = 1;
  int nothing = 0;
  CHECK(launcher.run(kernel, {32 * 500, 1, 1}, nothing).ok());
  CHECK(lines.size() == 2000);
  std::ranges::sort(lines);
  CHECK(lines.front() == "block 0 of 500");
  CHECK(lines.back() == "block 99 of 500");
}

TEST_CASE("helpers: the table names each function that kernels may call") {
  CHECK(helpers().size() == 5);
  const auto clock =
      std::ranges::find_if(helpers(), [](const Helper& h) { return std::string("weft_clock") == h.symbol; });
  REQUIRE(clock != helpers().end());
  CHECK(clock->address == reinterpret_cast<void*>(&weft_clock));
  const std::uint64_t before = weft_clock();
  CHECK(weft_clock() >= before);
}
