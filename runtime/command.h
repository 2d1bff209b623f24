// One entry of a command queue: a dispatch, or something for the host to do.
#pragma once

#include "runtime/fault.h"

#include <exception>
#include <functional>
#include <memory>
#include <optional>

namespace weft::runtime {

class CommandQueue;

// How commands ended; of several, what went wrong first.
struct Outcome {
  std::optional<KernelFault> fault;
  std::exception_ptr exception;  // thrown by a host's function
  bool cancelled = false;        // a dispatch did not run all its blocks because it was cancelled

  bool ok() const { return !fault && !exception && !cancelled; }
  void merge(Outcome later) {
    const bool failed = fault || exception;
    if (!failed) {
      fault = std::move(later.fault);
      exception = std::move(later.exception);
    }
    cancelled |= later.cancelled;
  }
};

class Command {
 public:
  virtual ~Command() = default;

  // What a call has led to.
  enum class Step {
    idle,      // there was nothing to do for this thread
    shared,    // this thread is done; the last of the others finishes the command
    finished,  // the command is finished, by this thread, which goes on with the queue's next
  };

  // What the calling thread is there for.
  enum class Caller {
    waiting,  // it waits for the command, and may as well work on it
    invited,  // it is an executor's, and gives way to other work
  };

  // Runs the command, called once, when all commands before it are finished. Does not throw.
  virtual Step start(const std::shared_ptr<CommandQueue>& queue, Caller caller) = 0;

  // Takes part in a command that was started.
  virtual Step help() { return Step::idle; }

  // Makes the command end early, or not begin. Any thread, at any time.
  virtual void cancel() {}

  // Called once, when it is finished.
  virtual Outcome take_outcome() = 0;
};

// A function of the host: a callback, a copy. It runs on whichever thread gets to it, with that thread's own
// floating-point state. What it throws surfaces at the next synchronise.
class HostCommand final : public Command {
 public:
  explicit HostCommand(std::function<void()> function) : function_(std::move(function)) {}
  Step start(const std::shared_ptr<CommandQueue>& queue, Caller caller) override;
  Outcome take_outcome() override { return std::move(outcome_); }

 private:
  std::function<void()> function_;
  Outcome outcome_;
};

}  // namespace weft::runtime
