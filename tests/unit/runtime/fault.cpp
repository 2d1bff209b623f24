// Kernels that misbehave: the first fault is kept and told, the dispatch stops, the next one is good.
#include "runtime/helpers.h"
#include "tests/unit/runtime/launch.h"

#include <atomic>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

abi::BlockStatus fault_in_block_12(abi::BlockContext* context) {
  if (context->block_id[0] == 12) {
    weft_report_fault(context, &DispatchState::of(*context).info(), 0, 37);
    return abi::BlockStatus::fault;
  }
  seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1);
  return abi::BlockStatus::done;
}

abi::BlockStatus fault_everywhere(abi::BlockContext* context) {
  weft_report_fault(context, &DispatchState::of(*context).info(), 2, context->block_id[0] % 32);
  return abi::BlockStatus::fault;
}

abi::BlockStatus use_frames(abi::BlockContext* context) {
  const abi::KernelInfo& info = DispatchState::of(*context).info();
  const auto* runs = weft_arena_frames(context, info.frame_bytes, info.frame_align, 64);
  if (runs == nullptr) return abi::BlockStatus::fault;
  seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1);
  return abi::BlockStatus::done;
}

struct LimitScope {
  explicit LimitScope(std::uint64_t limit) { set_arena_limit_bytes(limit); }
  ~LimitScope() { set_arena_limit_bytes(kNoArenaLimit); }
};

}  // namespace

TEST_CASE("fault: it says kernel, what, where, block, lane, and that the device goes on") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<std::uint64_t> blocks{0};
  const Outcome outcome = launcher.run(make_kernel(fault_in_block_12, {64, 1, 1}), {1'000'000, 1, 1}, blocks);
  REQUIRE(outcome.fault);
  CHECK_FALSE(outcome.cancelled);
  CHECK(to_string(*outcome.fault) ==
        "kernel 'kinetic' asserted: index < particles.size()\n"
        "  at renderer/particles.cpp:41, block (12, 0, 0), lane (37, 0, 0)\n"
        "  dispatch of 1,000,000 lanes stopped; the device is still usable");
}

TEST_CASE("fault: the rest of the dispatch stops soon, and the next one runs") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  std::atomic<std::uint64_t> blocks{0};
  const auto bad = make_kernel(fault_in_block_12);
  REQUIRE(launcher.run(bad, {32 * 10'000'000, 1, 1}, blocks).fault);
  CHECK(blocks < 1'000'000);
  blocks = 0;
  CHECK(launcher.run(bad, {32 * 12, 1, 1}, blocks).ok());
  CHECK(blocks == 12);
}

TEST_CASE("fault: of many at once one is told") {
  Launcher launcher(8);
  std::atomic<std::uint64_t> blocks{0};
  for (int i = 0; i < 100; ++i) {
    const Outcome outcome = launcher.run(make_kernel(fault_everywhere), {32 * 1000, 1, 1}, blocks);
    REQUIRE(outcome.fault);
    CHECK(outcome.fault->kind == abi::SiteKind::unreachable);
    CHECK(outcome.fault->lane == Size3{outcome.fault->block[0] % 32, 0, 0});
  }
}

TEST_CASE("fault: text leaves out what is not known") {
  const auto kernel = make_kernel(nullptr, {4, 4, 2});
  CHECK(to_string(fault_at(*kernel->info, kSites[2], {1, 2, 3}, 23)) ==
        "kernel 'kinetic' reached unreachable code: no such material\n"
        "  at block (1, 2, 3), lane (3, 1, 1)\n"
        "  dispatch of 0 lanes stopped; the device is still usable");
  const std::string text = to_string(out_of_memory_fault(*kernel->info, "frame 3", {1, 0, 0}, 5));
  CHECK(
      text.starts_with("kernel 'kinetic' ran out of memory: frame 3\n  at renderer/particles.cpp:12, block (1, 0, 0), "
                       "lane (1, 1, 0)\n"));
}

TEST_CASE("fault: out of arena memory, then a good dispatch") {
  Launcher launcher(GENERATE(1u, 4u));
  const auto kernel = make_kernel(use_frames, {64 * 16, 1, 1});
  kernel->description.frame_bytes = 73'728;
  std::atomic<std::uint64_t> blocks{0};
  {
    const LimitScope limit(0);
    const Outcome outcome = launcher.run(kernel, {1024 * 20, 1, 1}, blocks);
    REQUIRE(outcome.fault);
    CHECK(outcome.fault->kind == abi::SiteKind::out_of_memory);
    CHECK(outcome.fault->message == "frame 57 of 64, 73728 bytes each: the limit of arena memory is reached");
    CHECK(outcome.fault->line == 12);
    CHECK(outcome.fault->lane == Size3{56 * 16, 0, 0});
    CHECK(blocks == 0);
  }
  CHECK(launcher.run(kernel, {1024 * 20, 1, 1}, blocks).ok());
  CHECK(blocks == 20);
}

TEST_CASE("fault: a huge frame, then a good dispatch") {
  Launcher launcher(2);
  const auto kernel = make_kernel(use_frames);
  kernel->description.frame_bytes = std::uint64_t{1} << 30;
  std::atomic<std::uint64_t> blocks{0};
  {
    const LimitScope limit(std::uint64_t{3} << 30);
    CHECK(launcher.run(kernel, {32 * 5, 1, 1}, blocks).fault);
  }
  CHECK(arena_bytes() <= 3 * FrameArena::kBufferBytes);  // what could not help is given back
  kernel->description.frame_bytes = 1024;
  CHECK(launcher.run(kernel, {32 * 5, 1, 1}, blocks).ok());
  CHECK(blocks == 5);
}

TEST_CASE("fault: no memory for local variables or shared memory, then a good dispatch") {
  Launcher launcher(2);
  std::atomic<std::uint64_t> blocks{0};
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    const std::uint64_t bytes = DispatchState::of(*context).info().scratch_bytes;
    if (weft_arena_allocate(context, bytes, 64) == nullptr) return abi::BlockStatus::fault;
    seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1);
    return abi::BlockStatus::done;
  });
  std::uint64_t* too_large =
      GENERATE(true, false) ? &kernel->description.scratch_bytes : &kernel->description.shared_bytes;
  *too_large = std::uint64_t{1} << 62;
  const Outcome outcome = launcher.run(kernel, {32 * 5, 1, 1}, blocks);
  REQUIRE(outcome.fault);
  CHECK(outcome.fault->kind == abi::SiteKind::out_of_memory);
  CHECK(outcome.fault->lane == Size3{0, 0, 0});
  CHECK(outcome.fault->message.find(std::to_string(std::uint64_t{1} << 62)) == 0);
  *too_large = 100;
  CHECK(launcher.run(kernel, {32 * 5, 1, 1}, blocks).ok());
  CHECK(blocks == 5);
}
