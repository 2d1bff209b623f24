// Events: a 64-bit value that starts at 0 and only rises. Streams and the host signal values and wait for them:
//
//   first  << produce(buffer).dispatch(n) << event.signal(1);
//   second << event.wait(1) << consume(buffer).dispatch(n);
//   event.host_wait(1);
//
// A wait for a value ends when the event has reached it, in whatever order waits and signals are submitted. A stream
// that waits holds no thread.
#pragma once

#include <weft/export.h>
#include <weft/stream.h>

#include <chrono>
#include <cstdint>
#include <memory>

namespace weft {

namespace detail {
struct EventState;
}  // namespace detail

// Made by Device::create_event(); copies name the same event. When the last copy and the last submitted signal are
// gone, waits for more than the value end with a UsageError, as nothing could end them any more. Any thread may use any
// function.
class WEFT_API Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<detail::EventState> state) : state_(std::move(state)) {}

  // Commands, for streams of the event's device. A signal comes after everything that was submitted to its stream
  // before, whether it failed or not; a wait comes before everything that is submitted to its stream afterwards.
  Command signal(std::uint64_t value) const;
  Command wait(std::uint64_t value) const;

  // From the host. A value below the event's changes nothing.
  void host_signal(std::uint64_t value) const;
  void host_wait(std::uint64_t value) const;
  // Says whether the value was reached within the time.
  bool host_wait(std::uint64_t value, std::chrono::nanoseconds timeout) const;
  std::uint64_t value() const;

 private:
  detail::EventState& state() const;
  bool wait_at_most(std::uint64_t value, std::uint64_t timeout_ns) const;

  std::shared_ptr<detail::EventState> state_;
};

}  // namespace weft
