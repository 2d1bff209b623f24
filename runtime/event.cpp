#include "runtime/event.h"

#include "runtime/command_queue.h"
#include "runtime/wakers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace weft::runtime {

std::uint64_t Event::value() const {
  const std::lock_guard lock(mutex_);
  return value_;
}

void Event::signal(std::uint64_t value) {
  std::vector<Ticket> reached;
  {
    const std::lock_guard lock(mutex_);
    if (value <= value_) return;
    value_ = value;
    const auto end = waits_.upper_bound(value);
    for (auto wait = waits_.begin(); wait != end; ++wait) reached.push_back(wait->second->give_up_wait());
    waits_.erase(waits_.begin(), end);
  }
  changed_.notify_all();
  for (const Ticket& ticket : reached) ticket.queue->finish_and_invite(ticket.task);
}

bool Event::wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout) {
  const auto is_over = [&] { return value_ >= value || is_closed_; };
  std::unique_lock lock(mutex_);
  if (timeout) {
    changed_.wait_for(lock, *timeout, is_over);
  } else {
    const HostWait waiting;
    changed_.wait(lock, is_over);
  }
  if (value_ < value && is_closed_) std::rethrow_exception(closed_error(value));
  return value_ >= value;
}

void Event::close() {
  std::vector<Ticket> given_up;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    for (const auto& [value, wait] : waits_) {
      wait->outcome_.exception = closed_error(value);
      given_up.push_back(wait->give_up_wait());
    }
    waits_.clear();
  }
  changed_.notify_all();
  for (const Ticket& ticket : given_up) ticket.queue->finish_and_invite(ticket.task);
}

bool Event::add(std::shared_ptr<WaitCommand> wait) {
  if (wait->value_ <= value_) return false;
  if (is_closed_) {
    wait->outcome_.exception = closed_error(wait->value_);
    return false;
  }
  const std::uint64_t value = wait->value_;
  wait->is_waiting_ = true;
  waits_.emplace(value, std::move(wait));
  return true;
}

bool Event::remove(const WaitCommand& wait) {
  const auto [begin, end] = waits_.equal_range(wait.value_);
  const auto found = std::find_if(begin, end, [&](const auto& entry) { return entry.second.get() == &wait; });
  if (found == end) return false;
  waits_.erase(found);
  return true;
}

std::exception_ptr Event::closed_error(std::uint64_t value) const {
  return std::make_exception_ptr(UsageError(fmt::format(
      "a wait for value {} of an event that was destroyed at value {}: nothing can signal it", value, value_)));
}

Command::Step WaitCommand::start(const Ticket& ticket, Caller /*caller*/) {
  const std::lock_guard lock(event_->mutex_);
  if (is_cancelled_) {
    outcome_.cancelled = true;
    return Step::finished;
  }
  ticket_ = ticket;
  return event_->add(shared_from_this()) ? Step::shared : Step::finished;
}

std::optional<std::uint64_t> WaitCommand::stuck_since() const {
  const std::lock_guard lock(event_->mutex_);
  return is_waiting_ ? std::optional<std::uint64_t>(0) : std::nullopt;
}

Ticket WaitCommand::give_up_wait() {
  is_waiting_ = false;
  return std::move(ticket_);
}

void WaitCommand::cancel() {
  Ticket ticket;
  {
    const std::lock_guard lock(event_->mutex_);
    is_cancelled_ = true;
    if (!event_->remove(*this)) return;
    outcome_.cancelled = true;
    ticket = give_up_wait();
  }
  ticket.queue->finish_and_invite(ticket.task);
}

}  // namespace weft::runtime
