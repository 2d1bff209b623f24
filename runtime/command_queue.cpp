#include "runtime/command_queue.h"

#include "runtime/spin.h"
#include "runtime/support/check.h"
#include "runtime/trace.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace weft::runtime {
namespace {

thread_local const QueueScope* innermost_scope = nullptr;

std::uint64_t next_queue_number() {
  static std::atomic<std::uint64_t> number{0};  // orders nothing
  return number.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

QueueScope::QueueScope(const CommandQueue& queue) : queue_(queue), outer_(std::exchange(innermost_scope, this)) {}

QueueScope::~QueueScope() { innermost_scope = outer_; }

bool QueueScope::is_inside(const CommandQueue& queue) {
  for (const QueueScope* scope = innermost_scope; scope != nullptr; scope = scope->outer_) {
    if (&scope->queue_ == &queue) return true;
  }
  return false;
}

Command::Step HostCommand::start(const Ticket& ticket, Caller) {
  const QueueScope scope(*ticket.queue);
  const TraceScope trace(label());
  const WaitingHost::Scope host(waiting_);
  try {
    function_();
  } catch (...) {
    outcome_.exception = std::current_exception();
  }
  function_ = nullptr;
  return Step::finished;
}

Command::Step TransferCommand::start(const Ticket& ticket, Caller caller) {
  if (!is_cancelled_.load(std::memory_order_relaxed)) return HostCommand::start(ticket, caller);
  drop();
  return Step::finished;
}

CommandQueue::CommandQueue(std::shared_ptr<Executor> executor)
    : executor_(std::move(executor)), number_(next_queue_number()) {}

CommandQueue::~CommandQueue() { Wakers::instance().remove(*this); }

std::shared_ptr<CommandQueue> CommandQueue::create(std::shared_ptr<Executor> executor) {
  WEFT_CHECK(executor != nullptr);
  std::shared_ptr<CommandQueue> queue(new CommandQueue(std::move(executor)));
  Wakers::instance().add(*queue);
  return queue;
}

// --- adding tasks

std::uint64_t CommandQueue::submit(std::shared_ptr<Command> command) {
  fork_guard_.check();
  const std::lock_guard lock(mutex_);
  return append_fence(std::move(command));
}

std::uint64_t CommandQueue::submit(std::shared_ptr<Command> command, std::span<const Use> uses) {
  fork_guard_.check();
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = append(std::move(command));
  depend(number, uses);
  make_ready_if_free(number);
  return number;
}

std::uint64_t CommandQueue::submit_graph(std::span<const GraphNode> nodes, std::span<const Use> uses) {
  fork_guard_.check();
  const std::lock_guard lock(mutex_);
  const std::uint64_t entry = append_fence(std::make_shared<Junction>(), uses);
  for (const GraphNode& node : nodes) append_node(node, entry);
  // The end fails with any node: it, and not the entry, is what has written the graph's memory from now on.
  const std::uint64_t exit = append(std::make_shared<Junction>());
  for (std::uint64_t node = entry + 1; node < exit; ++node) depend(exit, {node, true});
  depend(exit, uses);
  fence_ = exit;
  make_ready_if_free(exit);
  return exit;
}

// Nodes that share no other's failure share the entry's; the rest wait for it, and share its failure, through others.
std::uint64_t CommandQueue::append_node(const GraphNode& node, std::uint64_t entry) {
  const std::uint64_t number = add(node.command);
  if (std::ranges::none_of(node.dependencies, &Dependency::carries_failure)) depend(number, {entry, true});
  for (const Dependency& dependency : node.dependencies) {
    WEFT_CHECK(entry + 1 + dependency.task < number, "a node depends on itself or on a later one");
    depend(number, {entry + 1 + dependency.task, dependency.carries_failure});
  }
  make_ready_if_free(number);
  return number;
}

std::uint64_t CommandQueue::add(std::shared_ptr<Command> command) {
  Task& added = tasks_.emplace_back();
  added.command = std::move(command);
  added.submitted = CommandTimes::Clock::now();
  return submitted();
}

std::uint64_t CommandQueue::append(std::shared_ptr<Command> command) {
  const std::uint64_t number = add(std::move(command));
  depend(number, {fence_, false});
  return number;
}

std::uint64_t CommandQueue::append_fence(std::shared_ptr<Command> command, std::span<const Use> uses) {
  const std::uint64_t first = std::max(fence_, completed_.load(std::memory_order_relaxed)) + 1;
  const std::uint64_t number = append(std::move(command));
  for (std::uint64_t earlier = first; earlier < number; ++earlier) depend(number, {earlier, false});
  depend(number, uses);
  fence_ = number;
  make_ready_if_free(number);
  return number;
}

void CommandQueue::depend(std::uint64_t number, const Dependency& on) {
  const bool has_ended = on.task <= completed_.load(std::memory_order_relaxed) || task(on.task).command == nullptr;
  if (has_ended) {
    task(number).skipped |= on.carries_failure && failed_.contains(on.task);
    return;
  }
  task(on.task).successors.push_back({number, on.carries_failure});
  ++task(number).missing;
}

void CommandQueue::depend(std::uint64_t number, std::span<const Use> uses) {
  if (uses.empty()) return;
  const std::uint64_t ended = completed_.load(std::memory_order_relaxed);
  if (hazards_.size() >= forget_at_ && failed_.empty()) {
    hazards_.forget(ended);
    forget_at_ = std::max(kForgetAt, 2 * hazards_.size());
  }
  found_.clear();
  hazards_.add(number, uses, ended, found_);
  for (const Dependency& dependency : found_) depend(number, dependency);
}

void CommandQueue::make_ready_if_free(std::uint64_t number) {
  if (task(number).missing == 0) ready_.push_back(number);
}

// --- running them

void CommandQueue::flush() {
  fork_guard_.check();
  std::unique_lock lock(mutex_);
  const unsigned threads = threads_to_invite(0);
  lock.unlock();
  invite(threads);
  Wakers::instance().pulse();
}

CommandQueue::Activity CommandQueue::activity() const {
  const std::lock_guard lock(mutex_);
  Activity activity{version(), submitted(), 0, !ready_.empty()};
  activity.can_go_on = activity.has_ready;
  for (const std::uint64_t number : running_) {
    const std::optional<std::uint64_t> stuck = task(number).command->stuck_since();
    activity.can_go_on |= !stuck.has_value();
    activity.stuck_since += stuck.value_or(0);
  }
  return activity;
}

void CommandQueue::run() noexcept {
  {
    const std::lock_guard lock(mutex_);
    --invited_;
  }
  drive(kNoLast, Command::Caller::invited);
}

// Runs ready tasks up to number `last` until there are none, or other work waits for an invited thread, which runs one
// task at least: two queues must not give way to each other for ever. Says whether there were any.
bool CommandQueue::drive(std::uint64_t last, Command::Caller caller) {
  bool has_run = false;
  while (true) {
    const Taken taken = take(last);
    if (taken.command == nullptr) return has_run;
    has_run = true;
    const Ticket ticket{shared_from_this(), taken.number};
    const bool is_finished = taken.skipped || taken.command->start(ticket, caller) == Command::Step::finished;
    const bool gives_way = caller == Command::Caller::invited && executor_->has_other_work(*this);
    if (is_finished) finish(taken.number, gives_way ? 0 : 1);
    if (!gives_way) continue;
    if (!is_finished) flush();
    return true;
  }
}

CommandQueue::Taken CommandQueue::take(std::uint64_t last) {
  const std::lock_guard lock(mutex_);
  const auto next = std::ranges::find_if(ready_, [&](std::uint64_t number) { return number <= last; });
  if (next == ready_.end()) return {};
  const std::uint64_t number = *next;
  ready_.erase(next);
  running_.push_back(number);
  Task& taken = task(number);
  taken.started = CommandTimes::Clock::now();
  return {taken.command, number, taken.skipped};
}

// Takes part in tasks up to number `last` that were started. Says whether there was something to do.
bool CommandQueue::help(std::uint64_t last) {
  bool has_helped = false;
  std::uint64_t number = 0;
  for (std::size_t i = 0; const std::shared_ptr<Command> command = running(i, last, number); ++i) {
    const Command::Step step = command->help();
    if (step == Command::Step::finished) finish(number, 1);
    has_helped |= step != Command::Step::idle;
  }
  return has_helped;
}

// The running task from place `index` on whose number is at most `last`; null if there is none.
std::shared_ptr<Command> CommandQueue::running(std::size_t index, std::uint64_t last, std::uint64_t& number) {
  const std::lock_guard lock(mutex_);
  for (; index < running_.size(); ++index) {
    number = running_[index];
    if (number <= last) return task(number).command;
  }
  return nullptr;
}

void CommandQueue::advance(std::uint64_t task) {
  finish(task, 1);
  drive(kNoLast, Command::Caller::invited);
}

void CommandQueue::finish_and_invite(std::uint64_t task) { finish(task, 0); }

// The caller itself takes `kept_by_caller` of the tasks that become ready.
void CommandQueue::finish(std::uint64_t number, std::size_t kept_by_caller) {
  std::unique_lock lock(mutex_);
  const Task& ending = task(number);
  std::shared_ptr<Command> command = ending.command;  // dies outside the lock, as it may own what the host gave
  const CommandTimes times{ending.submitted, ending.started, {}, command->thread_count(), ending.skipped};
  if (command->observer() || is_tracing()) {
    lock.unlock();
    observe(*command, times);
    lock.lock();
  }
  Outcome outcome = times.skipped ? Outcome{} : command->take_outcome();
  const bool failed = times.skipped || !outcome.ok();
  if (outcome.cancelled) outcome.cancelled_command = command->label();
  outcome_.merge(std::move(outcome));
  if (failed) failed_.insert(number);
  Task& ended = task(number);  // tasks may have been added meanwhile
  ended.command = nullptr;
  std::erase(running_, number);
  release_successors(ended, failed);
  pop_ended();
  const unsigned threads = threads_to_invite(kept_by_caller);
  note_change(lock);
  command = nullptr;
  invite(threads);
}

void CommandQueue::observe(const Command& command, CommandTimes times) const {
  times.ended = CommandTimes::Clock::now();
  if (is_tracing()) trace_command(number_, command.label(), times);
  if (command.observer()) command.observer()(times);
}

void CommandQueue::release_successors(Task& ended, bool failed) {
  const std::vector<Dependency> successors = std::move(ended.successors);
  for (const Dependency& successor : successors) {
    Task& freed = task(successor.task);
    freed.skipped |= failed && successor.carries_failure;
    if (--freed.missing == 0) ready_.push_back(successor.task);
  }
}

void CommandQueue::pop_ended() {
  while (!tasks_.empty() && tasks_.front().command == nullptr) {
    tasks_.pop_front();
    completed_.fetch_add(1, std::memory_order_release);
  }
  forget_if_idle();
}

void CommandQueue::forget_if_idle() {
  if (tasks_.empty() && failed_.empty()) hazards_.clear();
}

unsigned CommandQueue::threads_to_invite(std::size_t kept_by_caller) {
  const std::size_t covered = kept_by_caller + invited_;
  if (ready_.size() <= covered) return 0;
  const std::size_t room = executor_->concurrency() - std::min(invited_, executor_->concurrency());
  const auto threads = static_cast<unsigned>(std::min(ready_.size() - covered, room));
  invited_ += threads;
  return threads;
}

void CommandQueue::invite(unsigned threads) {
  if (threads > 0) executor_->invite(shared_from_this(), threads);
}

// --- waiting for them

Outcome CommandQueue::synchronize() {
  fork_guard_.check();
  std::unique_lock lock(mutex_);
  const std::uint64_t number = submitted();
  lock.unlock();
  return synchronize(number);
}

Outcome CommandQueue::synchronize(std::uint64_t number) {
  fork_guard_.check();
  if (QueueScope::is_inside(*this)) throw SelfWaitError();
  const HostWait waiting;
  while (true) {
    const std::uint32_t seen = version();  // first: whatever changes after the questions below ends the wait
    if (completed() >= number) break;
    if (drive(number, Command::Caller::waiting) || help(number)) continue;
    wait_for_change(seen);
  }
  const std::lock_guard lock(mutex_);
  failed_.clear();
  forget_if_idle();
  return std::exchange(outcome_, {});
}

void CommandQueue::cancel() {
  std::vector<std::shared_ptr<Command>> commands;
  std::unique_lock lock(mutex_);
  for (const Task& task : tasks_) {
    if (task.command != nullptr) commands.push_back(task.command);
  }
  lock.unlock();
  // The latest first: ending one may start those that wait for it.
  for (const std::shared_ptr<Command>& command : std::views::reverse(commands)) command->cancel();
  announce_help();
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
  Wakers::instance().pulse();
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
