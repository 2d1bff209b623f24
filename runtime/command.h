// What a task of a command queue does: a dispatch, or something for the host.
#pragma once

#include "runtime/fault.h"
#include "runtime/wakers.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weft::runtime {

class CommandQueue;

// How commands ended; of several, what went wrong first.
struct Outcome {
  std::optional<KernelFault> fault;
  std::exception_ptr exception;   // thrown by a host's function
  bool cancelled = false;         // a command did not run to its end because it was cancelled
  std::string cancelled_command;  // label of the first one

  bool ok() const { return !fault && !exception && !cancelled; }
  void merge(Outcome later) {
    const bool failed = fault || exception;
    if (!failed) {
      fault = std::move(later.fault);
      exception = std::move(later.exception);
    }
    if (!cancelled) cancelled_command = std::move(later.cancelled_command);
    cancelled |= later.cancelled;
  }
};

// What a command took.
struct CommandTimes {
  using Clock = std::chrono::steady_clock;
  Clock::time_point submitted;
  Clock::time_point started;
  Clock::time_point ended;
  unsigned threads = 1;  // that took part
  bool skipped = false;  // it depended on a command that had failed, and was not started
};

// Names a task that is running, so that it can be finished from anywhere.
struct Ticket {
  std::shared_ptr<CommandQueue> queue;
  std::uint64_t task = 0;
};

class Command {
 public:
  virtual ~Command() = default;

  // What a call has led to.
  enum class Step {
    idle,      // there was nothing to do for this thread
    shared,    // this thread is done; somebody else finishes the command
    finished,  // the command is finished, by this thread, which goes on with other tasks of the queue
  };

  // What the calling thread is there for.
  enum class Caller {
    waiting,  // it waits for the command, and may as well work on it
    invited,  // it is an executor's, and gives way to other work
  };

  // Runs the command, called once, when all that it depends on is finished. Does not throw. A command that is `shared`
  // finishes by CommandQueue::advance or ::finish_and_invite with its ticket.
  virtual Step start(const Ticket& ticket, Caller caller) = 0;

  // Takes part in a command that was started.
  virtual Step help() { return Step::idle; }

  // Makes the command end early, or not begin. Any thread, at any time, no lock held.
  virtual void cancel() {}

  // Called once, when it is finished.
  virtual Outcome take_outcome() = 0;

  // A started command that can only go on if another one, or the host, does something: a number that changes whenever
  // it goes on. None: it goes on by itself. Any thread, at any time.
  virtual std::optional<std::uint64_t> stuck_since() const { return std::nullopt; }

  // How many threads took part. Valid when it is finished.
  virtual unsigned thread_count() const { return 1; }

  // --- set before the command is submitted
  // What must live as long as the command.
  void set_owner(std::shared_ptr<void> owner) { owner_ = std::move(owner); }

  // For people: "dispatch of kernel 'kinetic'". It lives as long as the owner.
  void set_label(const char* label) { label_ = label; }
  const char* label() const { return label_; }

  // Called on the thread that finished the command, before anybody is told that it is. Does not throw.
  using Observer = std::function<void(const CommandTimes&)>;
  void set_observer(Observer observer) { observer_ = std::move(observer); }
  const Observer& observer() const { return observer_; }

 private:
  std::shared_ptr<void> owner_;  // first, as the others and derived classes' members may lead to it
  const char* label_ = "command";
  Observer observer_;
};

// Nothing: where edges between commands meet.
class Junction final : public Command {
 public:
  Step start(const Ticket& /*ticket*/, Caller /*caller*/) override { return Step::finished; }
  Outcome take_outcome() override { return {}; }
};

// A function of the host. It runs on whichever thread gets to it, with that thread's own floating-point state. What it
// throws surfaces at the next synchronise. Cancelling does not keep it from running.
class HostCommand : public Command {
 public:
  explicit HostCommand(std::function<void()> function) : function_(std::move(function)) {}
  Step start(const Ticket& ticket, Caller caller) override;
  Outcome take_outcome() override { return std::move(outcome_); }
  std::optional<std::uint64_t> stuck_since() const override { return waiting_.stuck_since(); }

 protected:
  void drop() {
    function_ = nullptr;
    outcome_.cancelled = true;
  }

 private:
  std::function<void()> function_;
  Outcome outcome_;
  WaitingHost waiting_;
};

// A copy or a fill: a function of the host that does not run any more once it is cancelled.
class TransferCommand final : public HostCommand {
 public:
  using HostCommand::HostCommand;
  Step start(const Ticket& ticket, Caller caller) override;
  void cancel() override { is_cancelled_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> is_cancelled_{false};  // orders nothing
};

}  // namespace weft::runtime
