// What launching costs, without any kernel's own work: round trips of small dispatches, and a block that does nothing.
// Prints one line per figure: the median of many repetitions, and the best.
#include "runtime/command_queue.h"
#include "runtime/dispatch.h"
#include "runtime/helpers.h"
#include "runtime/workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

using namespace weft;
using namespace weft::runtime;

namespace {

abi::BlockStatus do_nothing(abi::BlockContext*) { return abi::BlockStatus::done; }

abi::BlockStatus ask_frames(abi::BlockContext* context) {
  return weft_arena_frames(context, 256, 64, 16) == nullptr ? abi::BlockStatus::fault : abi::BlockStatus::done;
}

class Launch {
 public:
  Launch(unsigned threads, abi::BlockFunction function, std::uint64_t frame_bytes = 0)
      : queue_(CommandQueue::create(std::make_shared<WorkerPool>(threads))) {
    info_.abi_version = abi::kAbiVersion;
    info_.name = "nothing";
    info_.pack_width = 16;
    info_.frame_bytes = frame_bytes;
    std::ranges::copy(Size3{32, 1, 1}, info_.block_size);
    kernel_->info = &info_;
    kernel_->function = function;
  }

  // Median and best time of `runs` round trips, in nanoseconds. Without `cost`, every dispatch wakes workers.
  std::pair<double, double> time(std::uint32_t blocks, int runs, bool knows_cost = true) {
    const Grid grid = grid_of_blocks({blocks, 1, 1}, {32, 1, 1}).value();
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
      if (!knows_cost) kernel_->block_cost.set_nanoseconds(0);
      const auto begin = std::chrono::steady_clock::now();
      queue_->submit(Dispatch::create(kernel_, grid, {}));
      const Outcome outcome = queue_->synchronize();
      const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
      WEFT_CHECK(outcome.ok());
      times.push_back(elapsed.count());
    }
    std::ranges::sort(times);
    return {times[times.size() / 2], times.front()};
  }

  // Median and best time of `runs` round trips of a graph of `nodes` nodes, each after the one before.
  std::pair<double, double> time_graph(std::size_t nodes, int runs, bool chained) {
    const Grid grid = grid_of_blocks({1, 1, 1}, {32, 1, 1}).value();
    std::vector<double> times;
    std::vector<Dependency> dependencies;
    for (std::size_t i = 0; i < nodes; ++i) dependencies.push_back({i, true});
    for (int run = 0; run < runs; ++run) {
      const auto begin = std::chrono::steady_clock::now();
      std::vector<GraphNode> graph;
      for (std::size_t i = 0; i < nodes; ++i) {
        graph.push_back({Dispatch::create(kernel_, grid, {}), {}});
        if (chained && i > 0) graph.back().dependencies = std::span(dependencies).subspan(i - 1, 1);
      }
      queue_->submit_graph(graph);
      const Outcome outcome = queue_->synchronize();
      const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
      WEFT_CHECK(outcome.ok());
      times.push_back(elapsed.count());
    }
    std::ranges::sort(times);
    return {times[times.size() / 2], times.front()};
  }

 private:
  abi::KernelInfo info_{};
  std::shared_ptr<Kernel> kernel_ = std::make_shared<Kernel>();
  std::shared_ptr<CommandQueue> queue_;
};

void show(const char* what, std::pair<double, double> time, double per = 1) {
  fmt::print("{:<58} {:>10.2f} ns  best {:>10.2f} ns\n", what, time.first / per, time.second / per);
}

}  // namespace

int main() {
  const unsigned all = default_worker_count();
  constexpr std::uint32_t kManyBlocks = 10'000'000;
  constexpr std::uint32_t kSomeBlocks = 1'000'000;
  show("round trip, one block, one thread", Launch(1, do_nothing).time(1, 20'000));
  show("round trip, one block, all threads", Launch(all, do_nothing).time(1, 20'000));
  show("round trip, 64 blocks of known cost, all threads", Launch(all, do_nothing).time(64, 20'000));
  show("round trip, 64 blocks of unknown cost, all threads", Launch(all, do_nothing).time(64, 5'000, false));
  for (const unsigned threads : {1U, all}) {
    show("graph of 10,000 in a chain", Launch(threads, do_nothing).time_graph(10'000, 50, true), 10'000);
    show("graph of 10,000 side by side", Launch(threads, do_nothing).time_graph(10'000, 50, false), 10'000);
  }
  show("one block of 32 lanes, one thread", Launch(1, do_nothing).time(kManyBlocks, 15), kManyBlocks);
  show("one block of 32 lanes, all threads", Launch(all, do_nothing).time(kManyBlocks, 15), kManyBlocks);
  show("one block with 16 frames, one thread", Launch(1, ask_frames, 256).time(kSomeBlocks, 15), kSomeBlocks);
}
