// A dispatch: a kernel run over a grid of blocks by as many threads as come. Threads join and leave as they like; each
// takes chunks of neighbouring blocks through one counter, so blocks start in ascending order. The last thread to leave
// finishes the dispatch and goes on with the queue. Nobody is waited for that has not joined.
//
// A dispatch that is known to be short runs on the thread that starts it and wakes nobody.
#pragma once

#include "runtime/argument_block.h"
#include "runtime/chunk_size.h"
#include "runtime/command.h"
#include "runtime/dispatch_state.h"
#include "runtime/executor.h"
#include "runtime/frame_arena.h"
#include "runtime/kernel.h"
#include "runtime/progress.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>

namespace weft::runtime {

class BlockRunner;

class Dispatch final : public Command, public Work, public std::enable_shared_from_this<Dispatch> {
 public:
  // `arguments` has KernelInfo::argument_bytes bytes and is copied; what it points to must live until the end.
  static std::shared_ptr<Dispatch> create(std::shared_ptr<const Kernel> kernel, const Grid& grid,
                                          std::span<const std::byte> arguments, ProgressOptions progress = {});

  struct Statistics {
    unsigned threads = 0;           // that took part
    double wall_nanoseconds = 0;    // from start to end
    double thread_nanoseconds = 0;  // that the threads spent in blocks, in sum
    FrameArena::Peak block_frames;  // the most that one block had
  };

  // Valid when the command is finished.
  const Statistics& statistics() const { return statistics_; }

  // Blocks completed so far. Any thread.
  std::uint64_t blocks_done() const { return done_.load(std::memory_order_relaxed); }

  Step start(const Ticket& ticket, Caller caller) override;
  Step help() override;
  void cancel() override;
  Outcome take_outcome() override;
  unsigned thread_count() const override { return threads_joined_.load(std::memory_order_relaxed); }

  // Takes part; what an invited thread calls.
  void run() noexcept override;

 private:
  using Clock = std::chrono::steady_clock;

  Dispatch(std::shared_ptr<const Kernel> kernel, const Grid& grid, std::span<const std::byte> arguments,
           ProgressOptions progress);

  bool join();
  bool leave();
  Step participate(Caller caller);
  void run_chunks(BlockRunner& runner, Caller caller);
  bool run_chunk(BlockRunner& runner, ChunkHistory& history, Clock::time_point& now);
  void invite_helpers();
  bool gives_way(Caller caller);
  bool is_exhausted() const;
  void report_progress(Clock::time_point now);
  void finish();
  void report_progress_end();

  const std::shared_ptr<const Kernel> kernel_;
  const ArgumentBlock arguments_;
  DispatchState state_;
  Progress progress_;
  std::mutex exception_mutex_;
  std::exception_ptr exception_;  // thrown by the progress function
  Statistics statistics_;

  // Set by start(), before anybody can join.
  Ticket ticket_;
  unsigned max_threads_ = 1;
  Clock::time_point started_at_;

  // kClosed before the start and after the end: nobody may join. Leaving releases what the blocks wrote to whoever
  // closes.
  static constexpr std::uint32_t kClosed = UINT32_MAX;
  std::atomic<std::uint32_t> participants_{kClosed};

  // Counters and flags that order nothing.
  std::atomic<bool> has_invited_{false};
  std::atomic<std::uint64_t> thread_nanoseconds_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
  std::atomic<std::uint64_t> peak_frames_{0};
  std::atomic<unsigned> threads_joined_{0};
  alignas(64) std::atomic<std::uint64_t> next_block_{0};
  alignas(64) std::atomic<std::uint64_t> done_{0};
};

}  // namespace weft::runtime
