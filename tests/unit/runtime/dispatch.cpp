// Dispatches: every block runs exactly once, whatever the grid, the workers and the block's cost.
#include "runtime/block_runner.h"
#include "runtime/floating_point.h"
#include "runtime/helpers.h"
#include "tests/unit/runtime/launch.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

struct Visits {
  explicit Visits(std::uint64_t blocks) : count(blocks) {}
  std::vector<std::atomic<unsigned>> count;
  bool all_once() const {
    return std::ranges::all_of(count, [](const auto& n) { return n.load() == 1; });
  }
};

abi::BlockStatus visit(abi::BlockContext* context) {
  seen_by<Visits>(context).count[block_number(context)].fetch_add(1);
  return abi::BlockStatus::done;
}

abi::BlockStatus count_blocks(abi::BlockContext* context) {
  seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1, std::memory_order_relaxed);
  return abi::BlockStatus::done;
}

void busy_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {}
}

}  // namespace

TEST_CASE("dispatch: every block runs exactly once") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  const auto kernel = make_kernel(visit, {4, 2, 1});
  for (const Size3 lanes :
       {Size3{1, 1, 1}, {4, 2, 1}, {5, 7, 3}, {400, 1, 1}, {1, 1, 1000}, {123, 45, 6}, {100'000, 3, 2}}) {
    Visits visits(grid_of_lanes(lanes, {4, 2, 1}).value().block_count);
    CHECK(launcher.run(kernel, lanes, visits).ok());
    CHECK(visits.all_once());
  }
}

TEST_CASE("dispatch: a size of zero in any dimension does nothing") {
  Launcher launcher(2);
  std::atomic<std::uint64_t> blocks{0};
  const auto kernel = make_kernel(count_blocks);
  for (const Size3 lanes : {Size3{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0, 0, 0}}) {
    CHECK(launcher.run(kernel, lanes, blocks).ok());
  }
  CHECK(blocks == 0);
}

TEST_CASE("dispatch: the context says sizes and place of each block") {
  Launcher launcher(2);
  struct Seen {
    std::mutex mutex;
    std::set<Size3> places;
    bool sizes_ok = true;
  } seen;
  const auto kernel = make_kernel(
      [](abi::BlockContext* context) {
        auto& seen = seen_by<Seen>(context);
        const std::lock_guard lock(seen.mutex);
        seen.places.insert(std::to_array(context->block_id));
        seen.sizes_ok &= std::to_array(context->grid_size) == Size3{2, 3, 2};
        seen.sizes_ok &= std::to_array(context->dispatch_size) == Size3{9, 15, 2};
        seen.sizes_ok &= context->kernel_id == 0 && context->resume_point == 0 && *context->cancel == 0;
        return abi::BlockStatus::done;
      },
      {8, 5, 1});
  CHECK(launcher.run(kernel, {9, 15, 2}, seen).ok());
  CHECK(seen.sizes_ok);
  CHECK(seen.places.size() == 12);
  CHECK(*seen.places.rbegin() == Size3{1, 2, 1});
}

TEST_CASE("dispatch: grids beyond 2^32 lanes and blocks are numbered in 64 bits") {
  Launcher launcher(2);
  SECTION("lanes") {
    std::atomic<std::uint64_t> blocks{0};
    CHECK(launcher.run(make_kernel(count_blocks, {1024, 1, 1}), {1u << 31, 3, 1}, blocks).ok());
    CHECK(blocks == 3u << 21);
  }
  SECTION("block numbers") {
    const Grid grid = grid_of_lanes({UINT32_MAX, 70'000, 2}, {1, 1, 1}).value();
    CHECK(grid.block_count == 140'000 * std::uint64_t{UINT32_MAX});
    CHECK(grid.block_at(grid.block_count - 1) == Size3{UINT32_MAX - 1, 69'999, 1});
    CHECK(grid.block_at(std::uint64_t{UINT32_MAX} * 70'000 + 5) == Size3{5, 0, 1});
  }
}

TEST_CASE("dispatch: sizes that cannot be are refused") {
  CHECK_FALSE(grid_of_lanes({UINT32_MAX, UINT32_MAX, 1}, {32, 1, 1}).has_value());
  CHECK_FALSE(grid_of_lanes({UINT32_MAX, UINT32_MAX, UINT32_MAX}, {1, 1, 1}).has_value());
  CHECK(grid_of_lanes({UINT32_MAX, 1u << 30, 1}, {1024, 1, 1}).has_value());
  const Result<Grid> wide = grid_of_blocks({1u << 27, 1, 1}, {32, 1, 1});
  REQUIRE_FALSE(wide.has_value());
  CHECK(wide.diagnostics().items()[0].message.find("dimension x") != std::string::npos);
  CHECK(grid_of_blocks({3, 4, 5}, {8, 8, 1}).value().lanes == Size3{24, 32, 5});
}

TEST_CASE("dispatch: blocks start in ascending order") {
  Launcher launcher(GENERATE(1u, 8u));
  // Decoupled look-back: each block waits for its predecessor, which must have started.
  struct Chain {
    std::array<std::atomic<bool>, 3000> done{};
  };
  const auto chain = std::make_unique<Chain>();
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    auto& done = seen_by<Chain>(context).done;
    const std::uint64_t block = block_number(context);
    while (block > 0 && !done[block - 1].load(std::memory_order_acquire)) std::this_thread::yield();
    done[block].store(true, std::memory_order_release);
    return abi::BlockStatus::done;
  });
  CHECK(launcher.run(kernel, {32 * 3000, 1, 1}, *chain).ok());
  CHECK(chain->done.back().load());
}

TEST_CASE("dispatch: several workers take part in one with long blocks") {
  Launcher launcher(4);
  struct Seen {
    std::mutex mutex;
    std::set<std::thread::id> threads;
  } seen;
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    auto& seen = seen_by<Seen>(context);
    busy_for(std::chrono::microseconds(2000));
    const std::lock_guard lock(seen.mutex);
    seen.threads.insert(std::this_thread::get_id());
    return abi::BlockStatus::done;
  });
  for (int i = 0; i < 20 && seen.threads.size() < 2; ++i) CHECK(launcher.run(kernel, {32 * 40, 1, 1}, seen).ok());
  CHECK(seen.threads.size() >= 2);
  CHECK(launcher.pool()->thread_count() >= 1);
  CHECK(launcher.pool()->thread_count() <= 4);
}

TEST_CASE("dispatch: no more threads than the executor allows run blocks at a time") {
  Launcher launcher(2);
  struct Seen {
    std::atomic<int> running{0};
    std::atomic<int> most{0};
  } seen;
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    auto& seen = seen_by<Seen>(context);
    const int running = ++seen.running;
    if (running > seen.most) seen.most = running;
    busy_for(std::chrono::microseconds(100));
    --seen.running;
    return abi::BlockStatus::done;
  });
  launcher.queue().submit(make_dispatch(kernel, {32 * 200, 1, 1}, seen));
  launcher.queue().flush();
  CHECK(launcher.queue().synchronize().ok());
  CHECK(seen.most <= 2);
}

TEST_CASE("dispatch: one worker means one thread, the caller's") {
  Launcher launcher(1);
  std::atomic<std::uint64_t> blocks{0};
  CHECK(launcher.run(make_kernel(count_blocks), {1u << 20, 1, 1}, blocks).ok());
  CHECK(launcher.pool()->thread_count() == 0);
}

TEST_CASE("dispatch: one that is known to be short wakes nobody") {
  Launcher launcher(8);
  const auto kernel = make_kernel(count_blocks);
  kernel->block_cost.set_nanoseconds(5);
  std::atomic<std::uint64_t> blocks{0};
  CHECK(launcher.run(kernel, {32 * 10, 1, 1}, blocks).ok());
  CHECK(launcher.pool()->thread_count() == 0);
}

TEST_CASE("dispatch: blocks run in one floating-point state, and a host's thread keeps its own") {
  Launcher launcher(4);
  std::atomic<unsigned> wrong{0};
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    constexpr FloatingPointState kExceptionFlags = 0x3f;
    if ((floating_point_state() & ~kExceptionFlags) != kKernelFloatingPoint) ++seen_by<std::atomic<unsigned>>(context);
    busy_for(std::chrono::microseconds(20));
    return abi::BlockStatus::done;
  });
  const FloatingPointState before = floating_point_state();
  const FloatingPointState odd = before | 0x8040 | 0x6000;  // flush to zero, denormals are zero, round towards zero
  set_floating_point_state(odd);
  const bool ok = launcher.run(kernel, {32 * 500, 1, 1}, wrong).ok();
  const FloatingPointState after = floating_point_state();
  set_floating_point_state(before);
  CHECK(ok);
  CHECK(wrong == 0);
  CHECK(after == odd);
}

TEST_CASE("dispatch: shared memory is as large as asked, aligned, and a block's own") {
  Launcher launcher(GENERATE(1u, 4u));
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    const std::size_t bytes = DispatchState::of(*context).info().shared_bytes;
    auto& wrong = seen_by<std::atomic<unsigned>>(context);
    if (reinterpret_cast<std::uintptr_t>(context->shared) % 64 != 0) ++wrong;
    const auto mine = static_cast<unsigned char>(block_number(context));
    std::memset(context->shared, mine, bytes);
    busy_for(std::chrono::microseconds(10));
    for (std::size_t i = 0; i < bytes; i += 61) wrong += std::to_integer<unsigned char>(context->shared[i]) != mine;
    return abi::BlockStatus::done;
  });
  for (const std::uint64_t bytes : {64, 48 << 10, 3 << 20, 128}) {
    kernel->description.shared_bytes = bytes;
    std::atomic<unsigned> wrong{0};
    CHECK(launcher.run(kernel, {32 * 100, 1, 1}, wrong).ok());
    CHECK(wrong == 0);
  }
}

TEST_CASE("dispatch: each block's frames are its own, whatever the worker") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    const abi::KernelInfo& info = DispatchState::of(*context).info();
    const abi::FrameRun* run = weft_arena_frames(context, info.frame_bytes, info.frame_align, 64);
    if (run == nullptr) return abi::BlockStatus::fault;
    const auto mine = static_cast<unsigned char>(block_number(context) * 7 + 1);
    unsigned packs = 0;
    for (const abi::FrameRun* r = run; r->pack_count != 0; ++r) {
      packs += r->pack_count;
      std::memset(r->base, mine, r->pack_count * info.frame_bytes);
    }
    bool intact = packs == 64;
    for (const abi::FrameRun* r = run; r->pack_count != 0; ++r) {
      for (std::size_t i = 0; i < r->pack_count * info.frame_bytes; i += 4091) {
        intact &= std::to_integer<unsigned char>(r->base[i]) == mine;
      }
    }
    if (!intact) ++seen_by<std::atomic<unsigned>>(context);
    return abi::BlockStatus::done;
  });
  kernel->description.frame_bytes = 73'728;
  std::atomic<unsigned> wrong{0};
  for (int i = 0; i < 3; ++i) {
    const auto dispatch = make_dispatch(kernel, {32 * 50, 1, 1}, wrong);
    launcher.queue().submit(dispatch);
    CHECK(launcher.queue().synchronize().ok());
    CHECK(dispatch->statistics().block_frames.frames == 64);
    CHECK(dispatch->statistics().block_frames.bytes == 64 * kernel->description.frame_bytes);
    CHECK(dispatch->statistics().threads >= 1);
  }
  CHECK(wrong == 0);
}

TEST_CASE("dispatch: a stop is seen by the next block") {
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    if (context->block_id[0] == 3) DispatchState::of(*context).request_stop();
    return abi::BlockStatus::done;
  });
  DispatchState state(kernel->description, grid_of_blocks({100, 1, 1}, {32, 1, 1}).value());
  BlockRunner runner(*kernel, state, nullptr);
  CHECK(runner.run(0, 100) == 4);
  CHECK(runner.run(4, 100) == 0);
}

TEST_CASE("dispatch: chunks grow with cheap blocks and shrink towards the end") {
  CHECK(chunk_size(1000, 4, {}) == 1);
  CHECK(chunk_size(1'000'000, 4, {1, 5.0}) == kChunkGrowth);
  CHECK(chunk_size(1'000'000, 4, {64, 320.0}) == 512);
  CHECK(chunk_size(100'000'000, 4, {1'000'000, 5e6}) == 10'000);  // 50 us of blocks that take 5 ns
  CHECK(chunk_size(1000, 4, {512, 1.0}) == 125);
  CHECK(chunk_size(3, 4, {512, 1.0}) == 1);
  CHECK(chunk_size(1000, 1, {512, 1.0}) == 1000);
  CHECK(chunk_size(1000, 4, {1, 1e9}) == 1);
}
