#include "runtime/command_queue.h"

#include "runtime/spin.h"
#include "runtime/support/check.h"

#include <utility>

namespace weft::runtime {
namespace {

thread_local const QueueScope* innermost_scope = nullptr;

}  // namespace

QueueScope::QueueScope(const CommandQueue& queue) : queue_(queue), outer_(std::exchange(innermost_scope, this)) {}

QueueScope::~QueueScope() { innermost_scope = outer_; }

bool QueueScope::is_inside(const CommandQueue& queue) {
  for (const QueueScope* scope = innermost_scope; scope != nullptr; scope = scope->outer_) {
    if (&scope->queue_ == &queue) return true;
  }
  return false;
}

Command::Step HostCommand::start(const std::shared_ptr<CommandQueue>& queue, Caller) {
  const QueueScope scope(*queue);
  try {
    function_();
  } catch (...) {
    outcome_.exception = std::current_exception();
  }
  function_ = nullptr;
  return Step::finished;
}

std::shared_ptr<CommandQueue> CommandQueue::create(std::shared_ptr<Executor> executor) {
  WEFT_CHECK(executor != nullptr);
  return std::shared_ptr<CommandQueue>(new CommandQueue(std::move(executor)));
}

std::uint64_t CommandQueue::submit(std::shared_ptr<Command> command) {
  fork_guard_.check();
  const std::lock_guard lock(mutex_);
  commands_.push_back(std::move(command));
  return ++submitted_;
}

void CommandQueue::flush() {
  fork_guard_.check();
  {
    const std::lock_guard lock(mutex_);
    if (driver_ != Driver::idle || commands_.empty()) return;
    driver_ = Driver::scheduled;
  }
  executor_->invite(shared_from_this(), 1);
}

Outcome CommandQueue::synchronize() {
  fork_guard_.check();
  std::unique_lock lock(mutex_);
  const std::uint64_t number = submitted_;
  lock.unlock();
  return synchronize(number);
}

Outcome CommandQueue::synchronize(std::uint64_t number) {
  fork_guard_.check();
  if (QueueScope::is_inside(*this)) throw SelfWaitError();
  while (true) {
    const std::uint32_t seen = version();  // first: whatever changes after the questions below ends the wait
    if (completed() >= number) break;
    if (try_take()) {
      drive(number, Command::Caller::waiting);
      continue;
    }
    const std::shared_ptr<Command> front = front_if_running();
    const Command::Step step = front == nullptr ? Command::Step::idle : front->help();
    if (step == Command::Step::finished) finish_front_and_drive(number, Command::Caller::waiting);
    if (step == Command::Step::idle) wait_for_change(seen);
  }
  const std::lock_guard lock(mutex_);
  return std::exchange(outcome_, {});
}

void CommandQueue::cancel() {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<Command>& command : commands_) command->cancel();
}

void CommandQueue::run() noexcept {
  if (try_take()) drive(kNoLast, Command::Caller::invited);
}

bool CommandQueue::try_take() {
  const std::lock_guard lock(mutex_);
  if (driver_ == Driver::running || commands_.empty()) return false;
  driver_ = Driver::running;
  return true;
}

// Runs commands until number `last` is finished, the queue is empty, a command is left to other threads, or other work
// waits for an invited thread, which runs one command at least: two queues must not give way to each other for ever.
// The caller is the driver; it is not when this returns.
void CommandQueue::drive(std::uint64_t last, Command::Caller caller) {
  bool gives_way = false;
  while (const std::shared_ptr<Command> command = next_or_stop(last, gives_way)) {
    if (command->start(shared_from_this(), caller) != Command::Step::finished) return;
    finish_front();
    gives_way = caller == Command::Caller::invited && executor_->has_other_work(*this);
  }
}

std::shared_ptr<Command> CommandQueue::next_or_stop(std::uint64_t last, bool gives_way) {
  std::unique_lock lock(mutex_);
  const bool has_more = !commands_.empty();
  if (has_more && !gives_way && completed_.load(std::memory_order_relaxed) < last) return commands_.front();
  driver_ = Driver::idle;
  note_change(lock);  // a thread that waits for more may drive now
  if (has_more) flush();
  return nullptr;
}

void CommandQueue::finish_front_and_drive(std::uint64_t last, Command::Caller caller) {
  finish_front();
  drive(last, caller);
}

void CommandQueue::finish_front() {
  std::shared_ptr<Command> command;  // dies outside the lock, as it may own what the host gave
  std::unique_lock lock(mutex_);
  command = std::move(commands_.front());
  commands_.pop_front();
  outcome_.merge(command->take_outcome());
  completed_.fetch_add(1, std::memory_order_release);
  note_change(lock);
}

std::shared_ptr<Command> CommandQueue::front_if_running() {
  const std::lock_guard lock(mutex_);
  return driver_ == Driver::running && !commands_.empty() ? commands_.front() : nullptr;
}

void CommandQueue::announce_help() {
  std::unique_lock lock(mutex_);
  note_change(lock);
}

// Unlocks.
void CommandQueue::note_change(std::unique_lock<std::mutex>& lock) {
  version_.fetch_add(1, std::memory_order_release);
  const bool wake = waiting_ > 0;
  lock.unlock();
  if (wake) changed_.notify_all();
}

void CommandQueue::wait_for_change(std::uint32_t seen) {
  const auto has_changed = [&] { return version() != seen; };
  if (spin_until(has_changed)) return;
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.wait(lock, has_changed);
  --waiting_;
}

}  // namespace weft::runtime
