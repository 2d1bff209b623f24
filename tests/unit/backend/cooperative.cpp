// Kernels whose blocks wait for each other: barriers of the grid, counters, what wakes them and what cannot.
#include "tests/unit/backend/devices.h"

#include <weft/weft.h>

#include <fmt/format.h>

#include <numeric>
#include <thread>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;

namespace {

// Waits for count[0] to reach `least`, then counts its lanes in count[1].
const auto& waiter() {
  static const Kernel1D kernel{"waiter", block_size(8), [](BufferVar<uint> count, UInt least) {
                                 wait_until(count, 0u, least);
                                 count.atomic(1u).fetch_add(1u);
                               }};
  return kernel;
}

const auto& raiser() {
  static const Kernel1D kernel{"raiser", block_size(8), [](BufferVar<uint> count) { count.atomic(0u).fetch_add(1u); }};
  return kernel;
}

void check_good_dispatch(const Device& device, Stream& stream) {
  auto count = device.create_buffer<uint>(2);
  stream << count.fill(0) << device.compile(waiter())(count, 0u).cooperative().dispatch(100);
  CHECK(download(stream, count.view()) == std::vector<uint>{0, 100});
}

}  // namespace

TEST_CASE("cooperative: blocks see what others wrote before a barrier of the grid") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  constexpr uint kLanes = 1000;  // a partial block
  const Kernel1D kernel{"reverse", block_size(16), [](BufferVar<uint> tmp, BufferVar<uint> out) {
                          UInt i = dispatch_id().x;
                          tmp.write(i, i * 3u);
                          grid_sync();
                          out.write(i, tmp.read(kLanes - 1u - i));
                        }};
  auto tmp = device.create_buffer<uint>(kLanes);
  auto out = device.create_buffer<uint>(kLanes);
  stream << device.compile(kernel)(tmp, out).cooperative().dispatch(kLanes);
  const std::vector<uint> result = download(stream, out.view());
  std::vector<uint> expected(kLanes);
  for (uint i = 0; i < kLanes; ++i) expected[i] = (kLanes - 1 - i) * 3;
  CHECK(result == expected);
}

TEST_CASE("cooperative: a chain of blocks in the worst order comes to its end with one worker") {
  Device device(WEFT_EACH_DEVICE, {.threads = 1});
  Stream stream = device.create_stream();
  const Kernel1D kernel{"chain", block_size(8), [](BufferVar<int64_t> done, BufferVar<uint> order) {
                          UInt next = block_id().x + 1u;
                          $if(next < grid_size().x) { wait_until(done[next], std::int64_t{1}); };
                          sync_block();
                          $if(thread_id().x == 0u) {
                            order.write(block_id().x, order.read(next) + 1u);
                            done.atomic(block_id().x).store(std::int64_t{1});
                          };
                        }};
  constexpr uint kBlocks = 500;
  auto done = device.create_buffer<std::int64_t>(kBlocks + 1);
  auto order = device.create_buffer<uint>(kBlocks + 1);
  stream << done.fill(0) << order.fill(0) << device.compile(kernel)(done, order).cooperative().dispatch_blocks(kBlocks);
  CHECK(download(stream, order.view())[0] == kBlocks);
}

TEST_CASE("cooperative: a kernel that waits is refused where it is dispatched otherwise") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  Shader shader = device.compile(waiter());
  auto count = device.create_buffer<uint>(2);
  stream << count.fill(0);
  CHECK(shader.info().is_cooperative);
  CHECK(message_of<UsageError>([&] { stream << shader(count, 0u).dispatch(8); }) ==
        "dispatch of kernel 'waiter': its blocks wait for each other (grid_sync, wait_until), which needs all of them "
        "to live at once; dispatch it by shader(...).cooperative().dispatch(...)");
  CHECK(download(stream, count.view()) == std::vector<uint>{0, 0});
  check_good_dispatch(device, stream);
}

TEST_CASE("cooperative: any kernel may be dispatched so") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto count = device.create_buffer<uint>(1);
  stream << count.fill(0) << device.compile(raiser())(count).cooperative().dispatch(100);
  CHECK(download(stream, count.view())[0] == 100);
}

TEST_CASE("cooperative: more memory than there is allowed is refused with the numbers, and nothing runs") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  Shader shader = device.compile(waiter());
  auto count = device.create_buffer<uint>(2);
  stream << count.fill(0);
  const std::string message = message_of<OutOfMemoryError>(
      [&] { stream << shader(count, 0u).cooperative({.memory_limit_bytes = 1000}).dispatch_blocks(10'000); });
  CHECK_THAT(message, Contains("dispatch of kernel 'waiter': 10,000 blocks that live at once need "));
  CHECK_THAT(message, Contains("of shared memory), and the limit of the launch is 1,000"));
  CHECK(download(stream, count.view()) == std::vector<uint>{0, 0});
  check_good_dispatch(device, stream);
}

TEST_CASE("cooperative: waiting that nothing can end is a fault that names counters and blocks") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  Shader shader = device.compile(waiter());
  auto count = device.create_buffer<uint>(2);
  stream << count.fill(0) << shader(count, 5u).cooperative().dispatch_blocks(20);
  const KernelFault fault = fault_of(stream);
  CHECK(fault.details().kind == KernelFault::Kind::endless_wait);
  CHECK_THAT(fault.what(), Contains("kernel 'waiter' waits without end: 20 of 20 blocks are left, and nothing can wake "
                                    "them\n  blocks (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0) and 16 more wait at "));
  CHECK_THAT(fault.what(), Contains(" for param_0[0] to reach 5; it is 0\n"));
  check_good_dispatch(device, stream);
}

TEST_CASE("cooperative: commands of another stream wake blocks, whatever the number of workers") {
  const unsigned threads = GENERATE(1U, 2U);
  Device device(WEFT_EACH_DEVICE, {.threads = threads});
  Stream waiting = device.create_stream();
  Stream other = device.create_stream();
  Shader wait = device.compile(waiter());
  Shader raise = device.compile(raiser());
  auto count = device.create_buffer<uint>(2);
  waiting << count.fill(0) << synchronize();
  waiting << wait(count, 40u).cooperative().dispatch_blocks(50);
  for (int i = 0; i < 5; ++i) other << raise(count).dispatch(8);
  waiting.synchronize();
  CHECK(download(waiting, count.view()) == std::vector<uint>{40, 400});
}

TEST_CASE("cooperative: 31,500 blocks that wait for 62 fronts submitted behind them leave one worker free") {
  const Device device("cpu", {.threads = 1});
  Stream waiting = device.create_stream();
  Stream other = device.create_stream();
  static constexpr uint kBlocks = 31'500, kFronts = 62, kFrontBlocks = 64;
  const Kernel1D dependent{"dependent", block_size(64), [](BufferVar<uint> fronts, BufferVar<uint> tree) {
                             UInt block = block_id().x;
                             wait_until(fronts, block % kFronts, kFrontBlocks);
                             $if(block > 0u) { wait_until(tree, (block - 1u) / 2u, 1u); };  // its parent
                             sync_block();
                             $if(thread_id().x == 0u) { tree.atomic(block).store(1u); };
                           }};
  const Kernel1D front{"front", block_size(64), [](BufferVar<uint> fronts, UInt number) {
                         $if(thread_id().x == 0u) { fronts.atomic(number).fetch_add(1u); };
                       }};
  Shader wait = device.compile(dependent);
  Shader advance = device.compile(front);
  auto fronts = device.create_buffer<uint>(kFronts);
  auto tree = device.create_buffer<uint>(kBlocks);
  waiting << fronts.fill(0) << tree.fill(0) << synchronize();
  waiting << wait(fronts, tree).cooperative().dispatch_blocks(kBlocks);
  for (uint i = 0; i < kFronts; ++i) other << advance(fronts, i).dispatch_blocks(kFrontBlocks);
  waiting.synchronize();
  CHECK(download(waiting, tree.view()) == std::vector<uint>(kBlocks, 1));
}

TEST_CASE("cooperative: a node of a graph is dispatched as one of a stream") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  Shader wait = device.compile(waiter());
  Shader raise = device.compile(raiser());
  GraphBuilder recording = device.create_graph();
  BufferView<uint> count = recording.input<uint>(2, "count");
  recording.add(raise(count).dispatch(8));
  recording.add(wait(count, 8u).cooperative().dispatch_blocks(3));
  SECTION("it waits for what is there") {
    const Graph graph = recording.instantiate();
    auto memory = device.create_buffer<uint>(2);
    stream << memory.fill(0) << graph.launch({{count, memory}});
    CHECK(download(stream, memory.view()) == std::vector<uint>{8, 24});
  }
  SECTION("without cooperative() it is refused") {
    CHECK_THAT(message_of<UsageError>([&] { recording.add(wait(count, 8u).dispatch(8)); }),
               Contains("kernel 'waiter': its blocks wait for each other"));
  }
}

TEST_CASE("cooperative: a dispatch whose host waits for something else goes on when the host wakes it") {
  const Device device(WEFT_EACH_DEVICE);
  Stream waiting = device.create_stream();
  Stream other = device.create_stream();
  Shader wait = device.compile(waiter());
  auto count = device.create_buffer<uint>(2);
  waiting << count.fill(0) << synchronize();
  waiting << wait(count, 1u).cooperative().dispatch_blocks(3);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // nobody waits: no fault
  other << device.compile(raiser())(count).dispatch(8) << synchronize();
  waiting.synchronize();
  CHECK(download(waiting, count.view()) == std::vector<uint>{8, 24});
}

TEST_CASE("cooperative: another thread of the host wakes blocks where the launch says so") {
  const Device device(WEFT_EACH_DEVICE);
  Stream waiting = device.create_stream();
  Shader wait = device.compile(waiter());
  Shader raise = device.compile(raiser());
  auto count = device.create_buffer<uint>(2);
  waiting << count.fill(0) << synchronize();
  waiting << wait(count, 8u).cooperative({.host_wakes = true}).dispatch_blocks(3);
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Stream other = device.create_stream();
    other << raise(count).dispatch(8) << synchronize();
  });
  waiting.synchronize();
  waker.join();
  CHECK(download(waiting, count.view()) == std::vector<uint>{8, 24});
}

TEST_CASE("cooperative: a cancelled dispatch ends soon, and so does one of whose blocks one faults") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto count = device.create_buffer<uint>(2);
  stream << count.fill(0) << synchronize();
  SECTION("cancelled") {
    stream << device.compile(waiter())(count, 1u).cooperative().dispatch_blocks(100);
    stream.cancel();
    CHECK_THROWS_AS(stream.synchronize(), DispatchCancelled);
  }
  SECTION("a fault") {
    const Kernel1D kernel{"picky", block_size(8), [](BufferVar<uint> count) {
                            $assert(block_id().x != 70u);
                            wait_until(count, 0u, 1u);
                          }};
    stream << device.compile(kernel)(count).cooperative().dispatch_blocks(100);
    const KernelFault fault = fault_of(stream);
    CHECK(fault.details().kind == KernelFault::Kind::assertion);
    CHECK(fault.details().block == std::array<std::uint32_t, 3>{70, 0, 0});
  }
  check_good_dispatch(device, stream);
}
