// Events. Who can signal one holds its state; who waits for one holds only the backend's event, so that an event that
// nobody can signal any more is noticed.
#include "backend/command_state.h"
#include "backend/errors.h"
#include "backend/event_state.h"

#include <weft/error.h>
#include <weft/event.h>

#include <fmt/format.h>

#include <limits>

namespace weft {
namespace detail {

using backend::ErrorSink;

EventHandle::EventHandle(std::shared_ptr<DeviceState> owner) : device(std::move(owner)) {
  const ErrorSink errors;
  handle = device->backend.create_event(device->handle, errors.interface());
  if (handle == nullptr) errors.raise("creating an event");
}

struct EventState {
  explicit EventState(std::shared_ptr<DeviceState> device) : event(std::make_shared<EventHandle>(std::move(device))) {}
  ~EventState() { backend().close_event(event->handle); }
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;

  const WeftBackend& backend() const { return event->device->backend; }

  const std::shared_ptr<EventHandle> event;
};

std::shared_ptr<EventState> make_event(std::shared_ptr<DeviceState> device) {
  return std::make_shared<EventState>(std::move(device));
}

namespace {

std::unique_ptr<CommandState> make_command(WeftCommandKind kind, std::string what, const EventHandle& event,
                                           std::uint64_t value, std::shared_ptr<const void> owner) {
  auto state = std::make_unique<CommandState>();
  state->what = std::move(what);
  state->device = event.device;
  state->command.kind = kind;
  state->command.point = {event.handle, value};
  state->owner = std::move(owner);
  return state;
}

}  // namespace
}  // namespace detail

detail::EventState& Event::state() const {
  if (state_ == nullptr) throw UsageError("an event is used that was never created, or was moved from");
  return *state_;
}

Command Event::signal(std::uint64_t value) const {
  return Command(detail::make_command(WEFT_COMMAND_SIGNAL, fmt::format("signal of value {}", value), *state().event,
                                      value, state_));
}

Command Event::wait(std::uint64_t value) const {
  const auto& event = state().event;
  return Command(
      detail::make_command(WEFT_COMMAND_WAIT, fmt::format("wait for value {}", value), *event, value, event));
}

void Event::host_signal(std::uint64_t value) const { state().backend().signal_event(state_->event->handle, value); }

void Event::host_wait(std::uint64_t value) const { wait_at_most(value, std::numeric_limits<std::uint64_t>::max()); }

bool Event::host_wait(std::uint64_t value, std::chrono::nanoseconds timeout) const {
  return wait_at_most(value, timeout.count() > 0 ? static_cast<std::uint64_t>(timeout.count()) : 0);
}

bool Event::wait_at_most(std::uint64_t value, std::uint64_t timeout_ns) const {
  const backend::ErrorSink errors;
  int reached = 0;
  const WeftResult result =
      state().backend().wait_event(state_->event->handle, value, timeout_ns, &reached, errors.interface());
  if (result != WEFT_OK) errors.raise(result, "waiting for an event");
  return reached != 0;
}

std::uint64_t Event::value() const { return state().event->value(); }

}  // namespace weft
