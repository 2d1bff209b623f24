// Faults end to end: place, block and lane, and a good dispatch afterwards.
#include "runtime/frame_arena.h"
#include "tests/unit/backend/devices.h"

#include <weft/weft.h>

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

void check_good_dispatch(const Device& device, Stream& stream) {
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << sum.fill(0) << device.compile_text(kCount)(sum).dispatch(1000);
  CHECK(download(stream, sum.view())[0] == 1000);
}

}  // namespace

TEST_CASE("fault: an assertion says what, where, which block and which lane") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  constexpr int kLine = __LINE__ + 3;
  const Kernel2D kernel{"guarded", block_size(8, 4), [](BufferVar<float> out, UInt limit) {
                          UInt index = dispatch_id().x + dispatch_id().y * 100u;
                          $if(index == 337u) { $assert(index < limit); };
                          out.write(index, 1.f);
                        }};
  auto out = device.create_buffer<float>(1000);
  Shader shader = device.compile(kernel);
  stream << shader(out, 10u).dispatch(100, 10);
  const KernelFault fault = fault_of(stream);
  CHECK(fault.what() == fmt::format("kernel 'guarded' asserted: index < limit\n"
                                    "  at {}:{}, block (4, 0, 0), lane (5, 3, 0)\n"
                                    "  dispatch of 1,000 lanes stopped; the device is still usable",
                                    __FILE__, kLine));
  CHECK(fault.details().kind == KernelFault::Kind::assertion);
  CHECK(fault.details().block == std::array<std::uint32_t, 3>{4, 0, 0});
  CHECK(fault.details().lane == std::array<std::uint32_t, 3>{5, 3, 0});
  CHECK(fault.details().dispatch_lanes == 1000);
  stream << shader(out, 1000u).dispatch(100, 10) << synchronize();
  check_good_dispatch(device, stream);
}

TEST_CASE("fault: unreachable code that is reached") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader shader = device.compile_text(R"(weft 1
kernel @switches(%out: buffer<u32>, %bad: u32) block(32) {
  %is_bad = eq dispatch_id.x, %bad
  if %is_bad {
    unreachable "no such kind"
  }
  write %out[dispatch_id.x], 1
}
)",
                                                   {}, {}, "kinds.weft");
  auto out = device.create_buffer<std::uint32_t>(256);
  stream << shader(out, 70U).dispatch(256);
  const KernelFault fault = fault_of(stream);
  CHECK_THAT(fault.what(), StartsWith("kernel 'switches' reached unreachable code: no such kind\n"
                                      "  at kinds.weft:5, block (2, 0, 0), lane (6, 0, 0)\n"));
  CHECK(fault.details().kind == KernelFault::Kind::unreachable);
  check_good_dispatch(device, stream);
}

TEST_CASE("fault: out of arena memory, and the next dispatch succeeds") {
  const Device device("cpu");
  Stream stream = device.create_stream();
  const int line = __LINE__ + 2;
  const Kernel1D kernel{"hungry", block_size(128), [](BufferVar<uint> out) {
                          Var<std::array<uint, 18432>> data;
                          $for(i, 18432u) { data[i] = i + dispatch_id().x; };
                          sync_block();
                          UInt sum = 0u;
                          $for(i, 18432u) { sum += data[i]; };
                          sync_block();
                          out.write(dispatch_id().x, sum + data[thread_id().x]);
                        }};
  const Shader shader = device.compile(kernel);
  auto out = device.create_buffer<std::uint32_t>(128);
  device.trim();
  runtime::set_arena_limit_bytes(0);
  stream << shader(out).dispatch(128);
  const KernelFault fault = fault_of(stream);
  runtime::set_arena_limit_bytes(runtime::kNoArenaLimit);
  CHECK(fault.details().kind == KernelFault::Kind::out_of_memory);
  CHECK_THAT(fault.what(), StartsWith("kernel 'hungry' ran out of memory: ") && Contains("block (0, 0, 0), lane ("));
  CHECK_THAT(fault.what(), Contains("faults.cpp:" + std::to_string(line)));
  stream << shader(out).dispatch(128);
  const std::vector<std::uint32_t> found = download(stream, out.view());
  bool is_right = true;
  for (std::uint32_t lane = 0; lane < 128; ++lane) {
    is_right &= found[lane] == 18432U * 18431 / 2 + 18432 * lane + lane + lane;
  }
  CHECK(is_right);
  check_good_dispatch(device, stream);
}

TEST_CASE("fault: it is told once, and commands behind it have run") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const Kernel1D kernel{"fails", block_size(4), [](BufferVar<uint> out) { $assert(out.read(0u) > 0u); }};
  auto out = device.create_buffer<std::uint32_t>(1);
  auto mark = device.create_buffer<int>(1);
  stream << out.fill(0) << device.compile(kernel)(out).dispatch(1) << mark.fill(8);
  CHECK_THROWS_AS(stream.synchronize(), KernelFault);
  CHECK_NOTHROW(stream.synchronize());
  CHECK(download(stream, mark.view()) == std::vector<int>{8});
}

TEST_CASE("fault: a barrier that lanes miss is told by the interpreter") {
  const Device device("interp");
  Stream stream = device.create_stream();
  const Kernel1D kernel{"misses", block_size(4), [](BufferVar<uint> out) {
                          $if(thread_id().x < 2u) { sync_block(); };
                          out.write(dispatch_id().x, 1u);
                        }};
  auto out = device.create_buffer<std::uint32_t>(4);
  stream << device.compile(kernel)(out).dispatch(4);
  const KernelFault fault = fault_of(stream);
  CHECK(fault.details().kind == KernelFault::Kind::broken_barrier);
  CHECK_THAT(fault.what(), StartsWith("kernel 'misses' broke the rule of barriers: ") && Contains("faults.cpp:"));
}
