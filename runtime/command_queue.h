// Tasks with dependency counters, and the threads that run them: what a stream is made of, and what a graph is launched
// into.
//
// A task is a command and the number of earlier tasks that it still waits for. When the last of them ends, the task is
// ready, and any thread of the queue starts it, whatever its place in the order of submission. There are three ways to
// say what a task waits for, and they mix freely in one queue:
//
//   submit(command)         a fence: after everything before it, before everything after it
//   submit(command, uses)   after those that it has a hazard with (hazards.h) and the latest fence; beside all others
//   submit_graph(nodes)     each after the nodes that it names; the graph as a whole is like one command and a fence
//
// Any number of threads drive a queue side by side: each takes a ready task, starts it, takes part in it, releases what
// waited for it and goes on with what became ready, with no hop to another thread between two tasks of a chain. Where
// several tasks become ready at once, the executor is asked for more threads. A thread that synchronises drives or
// helps too; it waits only for what other threads have begun, and only in this queue. That is why a dispatch made
// anywhere, in a host's function or a host's own parallel loop, can neither deadlock nor recurse into unrelated work.
//
// A command that fails (fault, exception, cancelled) fails the tasks that depend on what it should have written: they
// are not started, nor are those that depend on them. All others run. What failed first surfaces at synchronise.
//
// Where the tasks live: in tasks_, from submission until all tasks up to them have ended; numbers count from 1.
#pragma once

#include "runtime/command.h"
#include "runtime/executor.h"
#include "runtime/fork_guard.h"
#include "runtime/hazards.h"

#include <weft/error.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

namespace weft::runtime {

// synchronize() was called from a function that the queue itself runs: it would wait for itself.
class SelfWaitError : public UsageError {
 public:
  SelfWaitError() : UsageError("a host function of a stream waits for its own stream, which waits for the function") {}
};

// One task of a graph. Dependencies name earlier nodes by their place, counted from 0.
struct GraphNode {
  std::shared_ptr<Command> command;
  std::span<const Dependency> dependencies;
};

// Held by shared pointer: threads that are to drive it keep it alive. All functions may be called by any thread; those
// that throw say so.
class CommandQueue final : public Work, public std::enable_shared_from_this<CommandQueue> {
 public:
  static std::shared_ptr<CommandQueue> create(std::shared_ptr<Executor> executor);

  // Commands that were never started are dropped: synchronise first.
  ~CommandQueue() override;

  Executor& executor() const { return *executor_; }

  // Adds tasks. They do not start until flush() or synchronize(). Each returns the number of the (last) task. Throw
  // ForkedProcessError.
  std::uint64_t submit(std::shared_ptr<Command> command);
  std::uint64_t submit(std::shared_ptr<Command> command, std::span<const Use> uses);
  // `uses` are what failures come from, and lead to, outside of the graph: if a command failed that should have written
  // what the graph uses, no node runs; if any node fails, the graph has.
  std::uint64_t submit_graph(std::span<const GraphNode> nodes, std::span<const Use> uses = {});

  // Lets the executor's threads run what was submitted. Throws ForkedProcessError.
  void flush();

  // Runs, together with the executor's threads, all that was submitted before the call (or up to task `number`), and
  // returns what went wrong since the last call. Throws ForkedProcessError and SelfWaitError.
  Outcome synchronize();
  Outcome synchronize(std::uint64_t number);

  // Cancels what was submitted and is not finished. Host functions still run.
  void cancel();

  // All tasks up to this number are finished; what they wrote is visible to the caller.
  std::uint64_t completed() const { return completed_.load(std::memory_order_acquire); }

  // Whether something of the queue goes on by itself, and numbers that change when it did.
  struct Activity {
    std::uint32_t version = 0;
    std::uint64_t submitted = 0;
    std::uint64_t stuck_since = 0;  // of the running commands, in sum
    bool has_ready = false;
    bool can_go_on = false;
    friend bool operator==(const Activity&, const Activity&) = default;
  };
  Activity activity() const;

  // --- for commands
  // Threads that wait for a running command may help with it.
  void announce_help();
  // The calling, invited thread has finished the task: it goes on with what is ready.
  void advance(std::uint64_t task);
  // The same from a thread that has other things to do.
  void finish_and_invite(std::uint64_t task);

  // Drives the queue while there is something to do; what an invited thread calls.
  void run() noexcept override;

 private:
  explicit CommandQueue(std::shared_ptr<Executor> executor);

  static constexpr std::uint64_t kNoLast = UINT64_MAX;
  static constexpr std::size_t kForgetAt = 256;

  struct Task {
    std::shared_ptr<Command> command;    // null once it has ended
    std::vector<Dependency> successors;  // that wait for it
    std::uint32_t missing = 0;           // tasks that it waits for
    bool skipped = false;                // depends on what failed
    CommandTimes::Clock::time_point submitted{};
    CommandTimes::Clock::time_point started{};
  };
  struct Taken {
    std::shared_ptr<Command> command;  // null: there is none
    std::uint64_t number = 0;
    bool skipped = false;
  };

  // With mutex_ held.
  std::uint64_t submitted() const { return completed_.load(std::memory_order_relaxed) + tasks_.size(); }
  Task& task(std::uint64_t number) { return tasks_[number - completed_.load(std::memory_order_relaxed) - 1]; }
  const Task& task(std::uint64_t number) const {
    return tasks_[number - completed_.load(std::memory_order_relaxed) - 1];
  }
  std::uint64_t add(std::shared_ptr<Command> command);
  std::uint64_t append(std::shared_ptr<Command> command);
  std::uint64_t append_fence(std::shared_ptr<Command> command, std::span<const Use> uses = {});
  std::uint64_t append_node(const GraphNode& node, std::uint64_t entry);
  void depend(std::uint64_t number, const Dependency& on);
  void depend(std::uint64_t number, std::span<const Use> uses);
  void make_ready_if_free(std::uint64_t number);
  void release_successors(Task& ended, bool failed);
  void pop_ended();
  unsigned threads_to_invite(std::size_t kept_by_caller);
  void forget_if_idle();

  Taken take(std::uint64_t last);
  bool drive(std::uint64_t last, Command::Caller caller);
  bool help(std::uint64_t last);
  std::shared_ptr<Command> running(std::size_t index, std::uint64_t last, std::uint64_t& number);
  void finish(std::uint64_t number, std::size_t kept_by_caller);
  void observe(const Command& command, CommandTimes times) const;
  void invite(unsigned threads);
  std::uint32_t version() const { return version_.load(std::memory_order_acquire); }
  void wait_for_change(std::uint32_t seen);
  void note_change(std::unique_lock<std::mutex>& lock);

  const ForkGuard fork_guard_;
  const std::shared_ptr<Executor> executor_;
  const std::uint64_t number_;  // among the process's queues, for traces

  mutable std::mutex mutex_;  // guards what follows, and every change of the two atomics
  std::condition_variable changed_;
  std::deque<Task> tasks_;              // the first one is number completed_ + 1
  std::deque<std::uint64_t> ready_;     // may start, first come first served
  std::vector<std::uint64_t> running_;  // were started
  HazardTracker hazards_;
  std::size_t forget_at_ = kForgetAt;  // size from which on the tracker is asked to forget what has ended
  std::vector<Dependency> found_;      // by the tracker; kept for its memory
  std::uint64_t fence_ = 0;            // the latest one; 0: none
  std::set<std::uint64_t> failed_;     // tasks that ended in failure since the last synchronise
  unsigned invited_ = 0;               // threads that were asked for and have not come yet
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
