// Worker threads: how many there are, and executors that a host brings.
#include "runtime/cpu_count.h"
#include "runtime/floating_point.h"
#include "tests/unit/runtime/launch.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

namespace fs = std::filesystem;

// A made-up /sys/fs/cgroup.
class CgroupFolder {
 public:
  CgroupFolder() : root_(fs::temp_directory_path() / ("weft-cgroup-" + std::to_string(getpid()))) {}
  ~CgroupFolder() { fs::remove_all(root_); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::optional<double> quota(const std::string& membership) const { return cgroup_cpu_quota(root_, membership); }

 private:
  fs::path root_;
};

abi::BlockStatus count_blocks(abi::BlockContext* context) {
  seen_by<std::atomic<std::uint64_t>>(context).fetch_add(1, std::memory_order_relaxed);
  return abi::BlockStatus::done;
}

// A host's threads, as many as are invited; or none that ever come.
class HostExecutor final : public Executor {
 public:
  explicit HostExecutor(bool comes) : comes_(comes) {}
  void join() {
    for (std::thread& thread : threads_) thread.join();
  }
  unsigned concurrency() const override { return 3; }
  void invite(std::shared_ptr<Work> work, unsigned threads) override {
    invited += threads;
    const std::lock_guard lock(mutex_);
    for (unsigned i = 0; comes_ && i < threads; ++i) threads_.emplace_back([work] { work->run(); });
  }

  std::atomic<unsigned> invited{0};

 private:
  const bool comes_;
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("workers: a cgroup's quota counts, version 2, the least of it and its parents") {
  const CgroupFolder folder;
  folder.write("cpu.max", "800000 100000\n");
  folder.write("free/cpu.max", "max 100000\n");
  folder.write("a/cpu.max", "150000 100000\n");
  folder.write("a/b/cpu.max", "400000 100000\n");
  CHECK(folder.quota("0::/a/b\n") == 1.5);
  CHECK(folder.quota("0::/a\n") == 1.5);
  CHECK(folder.quota("0::/\n") == 8);
  CHECK(folder.quota("0::/free\n") == 8);
  folder.write("cpu.max", "max 100000\n");
  CHECK_FALSE(folder.quota("0::/free\n"));
  CHECK_FALSE(folder.quota("0::/elsewhere\n"));
}

TEST_CASE("workers: a cgroup's quota counts, version 1") {
  const CgroupFolder folder;
  folder.write("cpu,cpuacct/x/cpu.cfs_quota_us", "250000\n");
  folder.write("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  folder.write("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  folder.write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  CHECK(folder.quota("5:memory:/x\n4:cpu,cpuacct:/x\n") == 2.5);
  CHECK_FALSE(folder.quota("4:cpu,cpuacct:/\n"));
  CHECK_FALSE(folder.quota("5:cpuset:/x\n"));
  CHECK_FALSE(folder.quota("no colon\n"));
}

TEST_CASE("workers: their number is what the machine allows, or what WEFT_THREADS says") {
  CHECK(usable_cpus() >= 1);
  CHECK(usable_cpus() <= std::max(1u, std::thread::hardware_concurrency()));
  unsetenv("WEFT_THREADS");
  CHECK(default_worker_count() == usable_cpus());
  setenv("WEFT_THREADS", "3", 1);
  CHECK(default_worker_count() == 3);
  CHECK(WorkerPool().concurrency() == 3);
  setenv("WEFT_THREADS", "999999999999", 1);
  CHECK(default_worker_count() == kMaxWorkers);
  unsetenv("WEFT_THREADS");
}

TEST_CASE("workers: devices share one pool, which goes with the last of them") {
  std::weak_ptr<Executor> pool;
  {
    const auto one = default_executor();
    CHECK(default_executor() == one);
    pool = one;
  }
  CHECK(pool.expired());
}

TEST_CASE("workers: invited work is called once for each thread asked, and no thread is made before") {
  struct Count : Work {
    void run() noexcept override {
      count.fetch_add(1);
      count.notify_all();
    }
    std::atomic<int> count{0};
  };
  WorkerPool pool(3);
  CHECK(pool.thread_count() == 0);
  const auto work = std::make_shared<Count>();
  pool.invite(work, 0);
  CHECK(pool.thread_count() == 0);
  pool.invite(work, 5);
  for (int seen = 0; seen < 5; seen = work->count) work->count.wait(seen);
  CHECK(work->count == 5);
  CHECK(pool.thread_count() == 3);
}

TEST_CASE("workers: a pool may end on one of its own threads") {
  struct Last : Work {
    void run() noexcept override {
      while (pool.use_count() > 1) std::this_thread::yield();
      pool.reset();
      ended = true;
      ended.notify_all();
    }
    std::shared_ptr<WorkerPool> pool = std::make_shared<WorkerPool>(2);
    std::atomic<bool> ended{false};
  };
  const auto last = std::make_shared<Last>();
  std::shared_ptr<WorkerPool> pool = last->pool;
  pool->invite(last, 1);
  pool.reset();
  last->ended.wait(false);
}

TEST_CASE("workers: a host may bring its own threads, even ones that never come") {
  const bool comes = GENERATE(true, false);
  const auto executor = std::make_shared<HostExecutor>(comes);
  const auto queue = CommandQueue::create(executor);
  std::atomic<std::uint64_t> blocks{0};
  for (int i = 0; i < 10; ++i) {
    queue->submit(make_dispatch(make_kernel(count_blocks), {32 * 10'000, 1, 1}, blocks));
    queue->flush();
  }
  CHECK(queue->synchronize().ok());
  CHECK(blocks == 100'000);
  CHECK(executor->invited > 0);
  executor->join();
}

TEST_CASE("workers: threads that wait for different commands of one queue hand it on without an executor's help") {
  const auto queue = CommandQueue::create(std::make_shared<HostExecutor>(false));
  for (int round = 0; round < 200; ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> ran{0};
    for (int command = 0; command < 3; ++command) {
      const std::uint64_t number = queue->submit(std::make_shared<HostCommand>([&] {
        std::this_thread::yield();
        ++ran;
      }));
      threads.emplace_back([&queue, number] { queue->synchronize(number); });
    }
    for (std::thread& thread : threads) thread.join();
    REQUIRE(ran == 3);
  }
}

TEST_CASE("workers: dispatches made in a host's own parallel loop cannot hang") {
  Launcher launcher(2);
  std::atomic<std::uint64_t> blocks{0};
  const auto kernel = make_kernel(count_blocks);
  std::vector<std::thread> loop;
  for (int t = 0; t < 8; ++t) {
    loop.emplace_back([&] {
      const auto queue = CommandQueue::create(launcher.pool());
      for (int i = 0; i < 25; ++i) {
        queue->submit(make_dispatch(kernel, {32 * 500, 1, 1}, blocks));
        if (!queue->synchronize().ok()) blocks = 0;
      }
    });
  }
  for (std::thread& thread : loop) thread.join();
  CHECK(blocks == 100'000);
}
