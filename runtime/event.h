// Events: a 64-bit value that only rises, which the host and any queues signal and wait for. A wait for a value ends
// when the event has reached it, in whatever order waits and signals are submitted.
//
// A queue that waits holds no thread: its task stays started until a signal finishes it.
#pragma once

#include "runtime/command.h"

#include <weft/error.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace weft::runtime {

class WaitCommand;

// Held by shared pointer. Any thread may call any function; those that throw say so.
class Event {
 public:
  std::uint64_t value() const;

  // Raises the value to `value`; a lower one changes nothing.
  void signal(std::uint64_t value);

  // Waits until the value is reached, or `timeout` has passed; says whether it is. Throws UsageError when no signal can
  // come any more.
  bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout = {});

  // No signal will come any more: whoever waits gets an error, and so does whoever comes to wait for more than the
  // value.
  void close();

 private:
  friend class WaitCommand;

  // Registers a wait; false if it is over already, with or without an error.
  bool add(std::shared_ptr<WaitCommand> wait);
  // Takes a wait out; false if it is not there.
  bool remove(const WaitCommand& wait);
  std::exception_ptr closed_error(std::uint64_t value) const;

  mutable std::mutex mutex_;  // guards what follows, and WaitCommand's state
  std::condition_variable changed_;
  std::uint64_t value_ = 0;
  bool is_closed_ = false;
  std::multimap<std::uint64_t, std::shared_ptr<WaitCommand>> waits_;  // by the value that they wait for
};

// Raises an event's value in the order of a queue. It runs even if the queue is cancelled.
class SignalCommand final : public Command {
 public:
  SignalCommand(std::shared_ptr<Event> event, std::uint64_t value) : event_(std::move(event)), value_(value) {}
  Step start(const Ticket& /*ticket*/, Caller /*caller*/) override {
    event_->signal(value_);
    return Step::finished;
  }
  Outcome take_outcome() override { return {}; }

 private:
  const std::shared_ptr<Event> event_;
  const std::uint64_t value_;
};

// Waits for an event's value in the order of a queue. Cancelling ends the wait.
class WaitCommand final : public Command, public std::enable_shared_from_this<WaitCommand> {
 public:
  WaitCommand(std::shared_ptr<Event> event, std::uint64_t value) : event_(std::move(event)), value_(value) {}
  Step start(const Ticket& ticket, Caller caller) override;
  void cancel() override;
  Outcome take_outcome() override { return std::move(outcome_); }
  std::optional<std::uint64_t> stuck_since() const override;

 private:
  friend class Event;

  // With the event's mutex held.
  Ticket give_up_wait();

  const std::shared_ptr<Event> event_;
  const std::uint64_t value_;
  // Guarded by the event's mutex until the wait is over.
  Ticket ticket_;
  Outcome outcome_;
  bool is_waiting_ = false;  // the event knows of it
  bool is_cancelled_ = false;
};

}  // namespace weft::runtime
