// A dispatch: a kernel run over a grid of blocks by as many threads as come. Threads join and leave as they like; each
// takes chunks of neighbouring blocks through one counter, so blocks start in ascending order. The last thread to leave
// finishes the dispatch and goes on with the queue. Nobody is waited for that has not joined.
//
// A dispatch that is known to be short runs on the thread that starts it and wakes nobody.
//
// Kernels that wait for other blocks need all of them to live at once: see cooperative_dispatch.h.
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

class Dispatch : public Command, public Work, public std::enable_shared_from_this<Dispatch> {
 public:
  // For a kernel that does not wait for other blocks. `arguments` has KernelInfo::argument_bytes bytes and is copied;
  // what it points to must live until the end.
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

 protected:
  using Clock = std::chrono::steady_clock;

  Dispatch(std::shared_ptr<const Kernel> kernel, const Grid& grid, std::span<const std::byte> arguments,
           ProgressOptions progress);

  static void check(const Kernel& kernel, std::span<const std::byte> arguments);

  // --- what kinds of dispatches do differently
  // Gets what the dispatch needs; false once it has reported why it cannot be had.
  virtual bool prepare() { return true; }
  // Runs blocks on the calling thread until there is nothing to do for it.
  virtual void take_part(Caller caller);
  // Nobody need take part any more.
  virtual bool is_exhausted() const { return state_.stop_requested() || !has_unstarted(); }
  // The last thread has left.
  virtual void release() {}

  // --- for them
  struct Chunk {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  // begin: there is none left
  };
  bool has_unstarted() const { return next_block_.load(std::memory_order_relaxed) < state_.grid().block_count; }
  // The next blocks that were never started.
  Chunk take_chunk(const ChunkHistory& history);
  void invite_helpers(std::uint64_t useful);
  void invite_if_long(Clock::time_point now);
  // Helpers may be invited once more.
  void expect_helpers_again() { has_invited_.store(false, std::memory_order_relaxed); }
  bool gives_way(Caller caller);
  void report_progress(Clock::time_point now);
  void note_time(double nanoseconds) {
    thread_nanoseconds_.fetch_add(static_cast<std::uint64_t>(nanoseconds), std::memory_order_relaxed);
  }
  void note_peak(const FrameArena::Peak& peak);

  const Kernel& kernel() const { return *kernel_; }
  const std::byte* arguments() const { return arguments_.data(); }
  DispatchState& state() { return state_; }
  const DispatchState& state() const { return state_; }
  CommandQueue& queue() const { return *ticket_.queue; }
  void add_done(std::uint64_t blocks) { done_.fetch_add(blocks, std::memory_order_relaxed); }

 private:
  bool join();
  bool leave();
  Step participate(Caller caller);
  bool run_chunk(BlockRunner& runner, ChunkHistory& history, Clock::time_point& now);
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
