// An in-order queue of commands: what a stream is made of. Commands run one after the other, each on as many threads as
// it can use; queues run side by side.
//
// One thread at a time drives a queue: it starts the front command, takes part in it, and goes on with the next. If it
// runs out of work before others do, driving passes to the last thread that works on the command: no thread waits for
// another between two commands. A thread that synchronises drives or helps; it waits only for what other threads have
// begun, and only in this queue. That is why a dispatch made anywhere, in a host's function or a host's own parallel
// loop, can neither deadlock nor recurse into unrelated work.
#pragma once

#include "runtime/command.h"
#include "runtime/executor.h"
#include "runtime/fork_guard.h"

#include <weft/error.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace weft::runtime {

// synchronize() was called from a function that the queue itself runs: it would wait for itself.
class SelfWaitError : public UsageError {
 public:
  SelfWaitError() : UsageError("a host function of a stream waits for its own stream, which waits for the function") {}
};

// Held by shared pointer: threads that are to drive it keep it alive. All functions may be called by any thread; those
// that throw say so.
class CommandQueue final : public Work, public std::enable_shared_from_this<CommandQueue> {
 public:
  static std::shared_ptr<CommandQueue> create(std::shared_ptr<Executor> executor);

  // Commands that were never started are dropped: synchronise first.
  ~CommandQueue() override = default;

  Executor& executor() const { return *executor_; }

  // Appends a command. It does not start until flush() or synchronize(). Returns its number, counted from 1.
  // Throws ForkedProcessError.
  std::uint64_t submit(std::shared_ptr<Command> command);

  // Lets the executor's threads run what was submitted. Throws ForkedProcessError.
  void flush();

  // Runs, together with the executor's threads, all that was submitted before the call (or up to command `number`), and
  // returns what went wrong since the last call. Throws ForkedProcessError and SelfWaitError.
  Outcome synchronize();
  Outcome synchronize(std::uint64_t number);

  // Cancels the dispatches that were submitted and are not finished. Host functions still run.
  void cancel();

  // How many commands are finished; what they wrote is visible to the caller.
  std::uint64_t completed() const { return completed_.load(std::memory_order_acquire); }

  // For commands: threads that wait for the running command may help with it.
  void announce_help();
  // For an invited thread that finished the front command: goes on with the next ones.
  void advance() { finish_front_and_drive(kNoLast, Command::Caller::invited); }

  // Drives the queue if nobody does; what an invited thread calls.
  void run() noexcept override;

 private:
  explicit CommandQueue(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}

  static constexpr std::uint64_t kNoLast = UINT64_MAX;

  // Who drives. `scheduled` differs from `idle` in that the executor was asked for a thread.
  enum class Driver { idle, scheduled, running };

  bool try_take();
  void drive(std::uint64_t last, Command::Caller caller);
  std::shared_ptr<Command> next_or_stop(std::uint64_t last, bool gives_way);
  void finish_front_and_drive(std::uint64_t last, Command::Caller caller);
  void finish_front();
  std::shared_ptr<Command> front_if_running();
  std::uint32_t version() const { return version_.load(std::memory_order_acquire); }
  void wait_for_change(std::uint32_t seen);
  void note_change(std::unique_lock<std::mutex>& lock);

  const ForkGuard fork_guard_;
  const std::shared_ptr<Executor> executor_;

  mutable std::mutex mutex_;  // guards what follows, and every change of the two atomics
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Command>> commands_;  // the front one is running if driver_ is `running`
  Driver driver_ = Driver::idle;
  std::uint64_t submitted_ = 0;
  Outcome outcome_;
  unsigned waiting_ = 0;  // threads parked in wait_for_change()

  std::atomic<std::uint64_t> completed_{0};  // release: publishes what the commands wrote
  std::atomic<std::uint32_t> version_{0};    // moves when a waiting thread may find something to do
};

// The running thread is inside a function that `queue` runs, until the end of the scope.
class QueueScope {
 public:
  explicit QueueScope(const CommandQueue& queue);
  ~QueueScope();
  QueueScope(const QueueScope&) = delete;
  QueueScope& operator=(const QueueScope&) = delete;

  // The thread is inside a function of this queue, however deeply.
  static bool is_inside(const CommandQueue& queue);

 private:
  const CommandQueue& queue_;
  const QueueScope* outer_;
};

}  // namespace weft::runtime
