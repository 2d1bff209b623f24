#include "runtime/wakers.h"

#include "runtime/command_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace weft::runtime {
namespace {

thread_local WaitingHost* running_function = nullptr;

}  // namespace

Wakers& Wakers::instance() {
  static Wakers* const wakers = new Wakers;  // never destroyed: a queue may outlive static destruction
  return *wakers;
}

void Wakers::add(CommandQueue& queue) {
  const std::lock_guard lock(queues_mutex_);
  queues_.push_back(&queue);
}

void Wakers::remove(const CommandQueue& queue) {
  const std::lock_guard lock(queues_mutex_);
  std::erase(queues_, &queue);
}

// The queues are asked twice. Where both answers are the same, nothing of a queue has ended, begun or gone on between
// them; so at the moment between the two rounds nothing was going on in any.
bool Wakers::none_left() {
  if (waiting_hosts_.load(std::memory_order_acquire) == 0) return false;
  std::vector<std::shared_ptr<CommandQueue>> unknown;  // dies outside the lock, as may the queues
  bool can_go_on = false;
  {
    const std::lock_guard lock(queues_mutex_);
    std::vector<CommandQueue::Activity> seen;
    for (CommandQueue* queue : queues_) {
      seen.push_back(queue->activity());
      can_go_on |= seen.back().can_go_on;
      if (!seen.back().has_ready) continue;
      if (std::shared_ptr<CommandQueue> held = queue->weak_from_this().lock()) unknown.push_back(std::move(held));
    }
    for (std::size_t i = 0; i < queues_.size() && !can_go_on; ++i) can_go_on |= queues_[i]->activity() != seen[i];
  }
  for (const std::shared_ptr<CommandQueue>& queue : unknown) queue->flush();
  return !can_go_on && waiting_hosts_.load(std::memory_order_acquire) > 0;
}

// The lock keeps a thread that is about to rest from missing it.
void Wakers::wake() {
  {
    const std::lock_guard lock(rest_mutex_);
    pulses_.fetch_add(1, std::memory_order_release);
  }
  pulsed_.notify_all();
}

Wakers::Rest::Rest() {
  instance().resting_.fetch_add(1, std::memory_order_seq_cst);
  seen_ = instance().pulses_.load(std::memory_order_acquire);
}

Wakers::Rest::~Rest() { instance().resting_.fetch_sub(1, std::memory_order_relaxed); }

void Wakers::Rest::wait(std::chrono::nanoseconds longest) {
  Wakers& wakers = instance();
  std::unique_lock lock(wakers.rest_mutex_);
  wakers.pulsed_.wait_for(lock, longest, [&] { return wakers.pulses_.load(std::memory_order_relaxed) != seen_; });
}

WaitingHost::Scope::Scope(WaitingHost& host) : outer_(std::exchange(running_function, &host)) {}
WaitingHost::Scope::~Scope() { running_function = outer_; }

HostWait::HostWait() : function_(running_function) {
  if (function_ != nullptr) {
    function_->changes_.fetch_add(1, std::memory_order_acq_rel);
  } else {
    Wakers::instance().waiting_hosts_.fetch_add(1, std::memory_order_acq_rel);
  }
  Wakers::instance().pulse();  // the host is none any more
}

HostWait::~HostWait() {
  if (function_ != nullptr) {
    function_->changes_.fetch_add(1, std::memory_order_acq_rel);
  } else {
    Wakers::instance().waiting_hosts_.fetch_sub(1, std::memory_order_acq_rel);
  }
}

}  // namespace weft::runtime
