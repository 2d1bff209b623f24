// Queues: order, cancelling, progress, host functions, and that no way of nesting them hangs.
#include "tests/unit/death.h"
#include "tests/unit/runtime/launch.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

abi::BlockStatus count_blocks(abi::BlockContext* context) {
  seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1, std::memory_order_relaxed);
  return abi::BlockStatus::done;
}

// Runs until it is told to stop.
abi::BlockStatus spin_until_cancelled(abi::BlockContext* context) {
  seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1);
  while (__atomic_load_n(context->cancel, __ATOMIC_RELAXED) == 0) std::this_thread::yield();
  return abi::BlockStatus::done;
}

}  // namespace

TEST_CASE("queue: commands run in order") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  const bool flushes = GENERATE(true, false);
  CommandQueue& queue = launcher.queue();
  const auto kernel = make_kernel(count_blocks);
  std::atomic<std::uint64_t> blocks{0};
  std::vector<std::uint64_t> counts;  // only ever touched by the queue's driver: no lock
  for (int i = 0; i < 200; ++i) {
    queue.submit(make_dispatch(kernel, {32u * (1 + static_cast<unsigned>(i % 7) * 300), 1, 1}, blocks));
    queue.submit(host([&] { counts.push_back(blocks); }));
    if (flushes) queue.flush();
  }
  CHECK(queue.synchronize().ok());
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    expected += 1 + i % 7 * 300;
    REQUIRE(counts[i] == expected);
  }
}

TEST_CASE("queue: what is flushed runs without anybody waiting for it") {
  Launcher launcher(2);
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> blocks{0};
  launcher.queue().submit(make_dispatch(make_kernel(count_blocks), {32 * 1000, 1, 1}, blocks));
  launcher.queue().submit(host([&] {
    done = true;
    done.notify_all();
  }));
  launcher.queue().flush();
  done.wait(false);
  CHECK(blocks == 1000);
}

TEST_CASE("queue: waiting for a number leaves later commands to others") {
  Launcher launcher(2);
  std::atomic<bool> open{false};
  std::atomic<int> ran{0};
  const std::uint64_t first = launcher.queue().submit(host([&] { ++ran; }));
  launcher.queue().submit(host([&] {
    open.wait(false);
    ++ran;
  }));
  CHECK(launcher.queue().synchronize(first).ok());
  CHECK(ran == 1);
  open = true;
  open.notify_all();
  CHECK(launcher.queue().synchronize().ok());
  CHECK(ran == 2);
}

TEST_CASE("queue: queues run side by side") {
  Launcher launcher(GENERATE(1u, 3u));
  const auto other = CommandQueue::create(launcher.pool());
  std::atomic<std::uint64_t> started{0};
  std::atomic<std::uint64_t> blocks{0};
  const auto endless = make_dispatch(make_kernel(spin_until_cancelled), {32 * 100, 1, 1}, started);
  launcher.queue().submit(endless);
  launcher.queue().flush();
  while (started == 0) std::this_thread::yield();
  other->submit(make_dispatch(make_kernel(count_blocks), {32 * 1000, 1, 1}, blocks));
  CHECK(other->synchronize().ok());
  CHECK(blocks == 1000);
  endless->cancel();
  CHECK(launcher.queue().synchronize().cancelled);
}

TEST_CASE("queue: an executor's thread gives way to another queue's work") {
  Launcher launcher(1);
  const auto other = CommandQueue::create(launcher.pool());
  // Blocks that never end by themselves would hold the only worker; chunks of short ones must not.
  std::atomic<std::uint64_t> blocks{0};
  std::atomic<bool> served{false};
  const auto endless = make_dispatch(make_kernel(count_blocks), {UINT32_MAX, 1 << 20, 1}, blocks);
  launcher.queue().submit(endless);
  launcher.queue().flush();
  while (blocks == 0) std::this_thread::yield();
  other->submit(host([&] {
    served = true;
    served.notify_all();
  }));
  other->flush();
  served.wait(false);
  endless->cancel();
  CHECK(launcher.queue().synchronize().cancelled);
}

TEST_CASE("queue: cancelling ends a dispatch between blocks and keeps those queued behind from starting") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<std::uint64_t> started{0};
  std::atomic<std::uint64_t> never{0};
  bool host_ran = false;
  CommandQueue& queue = launcher.queue();
  queue.submit(make_dispatch(make_kernel(spin_until_cancelled), {32 * 1'000'000, 1, 1}, started));
  queue.submit(make_dispatch(make_kernel(count_blocks), {32, 1, 1}, never));
  queue.submit(host([&] { host_ran = true; }));
  std::thread canceller([&] {
    while (started == 0) std::this_thread::yield();
    queue.cancel();
  });
  const Outcome outcome = queue.synchronize();
  canceller.join();
  CHECK(outcome.cancelled);
  CHECK_FALSE(outcome.fault);
  CHECK(started <= 4);
  CHECK(never == 0);
  CHECK(host_ran);
  CHECK(launcher.run(make_kernel(count_blocks), {32, 1, 1}, never).ok());
  CHECK(never == 1);
}

TEST_CASE("queue: progress never goes back and ends with all blocks") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<std::uint64_t> blocks{0};
  std::vector<std::uint64_t> reports;
  ProgressOptions progress;
  progress.interval = std::chrono::nanoseconds(0);
  progress.function = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 100'000);
    reports.push_back(done);
  };
  launcher.queue().submit(make_dispatch(make_kernel(count_blocks), {32 * 100'000, 1, 1}, blocks, progress));
  CHECK(launcher.queue().synchronize().ok());
  CHECK(reports.size() >= 2);
  CHECK(std::ranges::is_sorted(reports));
  CHECK(std::ranges::adjacent_find(reports) == reports.end());
  CHECK(reports.back() == 100'000);
}

TEST_CASE("queue: a progress function may cancel, use another queue, or throw") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<std::uint64_t> blocks{0};
  std::atomic<std::uint64_t> nested{0};
  const auto other = CommandQueue::create(launcher.pool());
  ProgressOptions progress;
  progress.interval = std::chrono::nanoseconds(0);
  SECTION("cancel and dispatch") {
    progress.function = [&](std::uint64_t, std::uint64_t) {
      other->submit(make_dispatch(make_kernel(count_blocks), {32 * 10, 1, 1}, nested));
      CHECK(other->synchronize().ok());
      launcher.queue().cancel();
    };
    launcher.queue().submit(make_dispatch(make_kernel(count_blocks), {UINT32_MAX, 1 << 20, 1}, blocks, progress));
    CHECK(launcher.queue().synchronize().cancelled);
    CHECK(nested >= 10);
  }
  SECTION("throw") {
    progress.function = [](std::uint64_t, std::uint64_t) { throw std::runtime_error("enough"); };
    launcher.queue().submit(make_dispatch(make_kernel(count_blocks), {UINT32_MAX, 1 << 20, 1}, blocks, progress));
    const Outcome outcome = launcher.queue().synchronize();
    REQUIRE(outcome.exception);
    CHECK_THROWS_WITH(std::rethrow_exception(outcome.exception), "enough");
  }
  CHECK(launcher.queue().synchronize().ok());
}

TEST_CASE("queue: what a host function throws surfaces, and later commands run") {
  Launcher launcher(2);
  int later = 0;
  launcher.queue().submit(host([] { throw std::runtime_error("no such file"); }));
  launcher.queue().submit(host([&] { ++later; }));
  const Outcome outcome = launcher.queue().synchronize();
  REQUIRE(outcome.exception);
  CHECK_THROWS_WITH(std::rethrow_exception(outcome.exception), "no such file");
  CHECK(later == 1);
}

TEST_CASE("queue: a dispatch made and waited for inside a host function cannot hang") {
  Launcher launcher(GENERATE(1u, 2u));
  const bool flushes = GENERATE(true, false);
  const auto kernel = make_kernel(count_blocks);
  std::atomic<std::uint64_t> blocks{0};
  for (int i = 0; i < 20; ++i) {
    launcher.queue().submit(host([&] {
      const auto inner = CommandQueue::create(launcher.pool());
      inner->submit(make_dispatch(kernel, {32 * 5000, 1, 1}, blocks));
      inner->submit(host([&, inner] {
        const auto innermost = CommandQueue::create(launcher.pool());
        innermost->submit(make_dispatch(kernel, {32 * 5000, 1, 1}, blocks));
        if (!innermost->synchronize().ok()) blocks = 0;
      }));
      if (!inner->synchronize().ok()) blocks = 0;
    }));
    if (flushes) launcher.queue().flush();
  }
  CHECK(launcher.queue().synchronize().ok());
  CHECK(blocks == 200'000);
}

TEST_CASE("queue: waiting for oneself is an error, not a hang") {
  Launcher launcher(2);
  const auto other = CommandQueue::create(launcher.pool());
  launcher.queue().submit(host([&] {
    other->submit(host([&] { launcher.queue().synchronize(); }));
    const Outcome outcome = other->synchronize();
    if (outcome.exception) std::rethrow_exception(outcome.exception);
  }));
  const Outcome outcome = launcher.queue().synchronize();
  REQUIRE(outcome.exception);
  CHECK_THROWS_AS(std::rethrow_exception(outcome.exception), SelfWaitError);
}

TEST_CASE("queue: many host threads may submit to and wait for one queue") {
  Launcher launcher(2);
  const auto kernel = make_kernel(count_blocks);
  std::atomic<std::uint64_t> blocks{0};
  std::atomic<int> bad{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const std::uint64_t number = launcher.queue().submit(make_dispatch(kernel, {32 * 300, 1, 1}, blocks));
        if (!launcher.queue().synchronize(number).ok()) ++bad;
        if (launcher.queue().completed() < number) ++bad;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(bad == 0);
  CHECK(blocks == 90'000);
}

TEST_CASE("queue: a block may lead to another dispatch on its own thread") {
  Launcher launcher(GENERATE(1u, 4u));
  struct Seen {
    std::shared_ptr<CommandQueue> inner;
    std::shared_ptr<HandKernel> inner_kernel = make_kernel(count_blocks);
    std::atomic<std::uint64_t> inner_blocks{0};
    std::atomic<unsigned> wrong{0};
  } seen;
  seen.inner = CommandQueue::create(launcher.pool());
  seen.inner_kernel->description.shared_bytes = 1000;
  seen.inner_kernel->description.scratch_bytes = 64;
  const auto kernel = make_kernel([](abi::BlockContext* context) {
    auto& seen = seen_by<Seen>(context);
    std::fill_n(context->shared, 1000, std::byte{1});
    const auto frames = thread_arena().frames(1024, 64, 10);
    std::fill_n(frames.runs->base, 10'240, std::byte{2});
    seen.inner->submit(make_dispatch(seen.inner_kernel, {32 * 10, 1, 1}, seen.inner_blocks));
    if (!seen.inner->synchronize().ok()) ++seen.wrong;
    if (std::count(context->shared, context->shared + 1000, std::byte{1}) != 1000) ++seen.wrong;
    if (std::count(frames.runs->base, frames.runs->base + 10'240, std::byte{2}) != 10'240) ++seen.wrong;
    return abi::BlockStatus::done;
  });
  kernel->description.shared_bytes = 1000;
  kernel->description.scratch_bytes = 64;
  CHECK(launcher.run(kernel, {32 * 40, 1, 1}, seen).ok());
  CHECK(seen.wrong == 0);
  CHECK(seen.inner_blocks == 400);
  seen.inner.reset();
}

TEST_CASE("queue: a forked child gets an error, and works with a pool of its own") {
  Launcher launcher(2);
  std::atomic<std::uint64_t> blocks{0};
  const auto kernel = make_kernel(count_blocks);
  REQUIRE(launcher.run(kernel, {32 * 100'000, 1, 1}, blocks).ok());
#if __has_feature(thread_sanitizer)
  constexpr unsigned kChildThreads = 1;  // it lets no forked child make threads
#else
  constexpr unsigned kChildThreads = 2;
#endif
  const auto death = weft::test::death_of([&] {
    try {
      launcher.run(kernel, {32, 1, 1}, blocks);
    } catch (const ForkedProcessError& error) {
      std::fputs(error.what(), stderr);
    }
    std::atomic<std::uint64_t> own_blocks{0};
    const auto own = CommandQueue::create(std::make_shared<WorkerPool>(kChildThreads));
    own->submit(make_dispatch(kernel, {32 * 100'000, 1, 1}, own_blocks));
    const bool ok = own->synchronize().ok();
    std::fprintf(stderr, "; %s %lu", ok ? "then" : "bad", own_blocks.load());
  });
  CHECK_FALSE(death.aborted);
  CHECK(death.text.find("this process was forked after the device was created") == 0);
  CHECK(death.text.find("then 100000") != std::string::npos);
}
