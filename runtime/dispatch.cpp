#include "runtime/dispatch.h"

#include "runtime/block_runner.h"
#include "runtime/command_queue.h"
#include "runtime/support/log.h"
#include "runtime/trace.h"

#include <algorithm>
#include <utility>

namespace weft::runtime {
namespace {

// A dispatch shorter than this is over before a woken thread would be of use.
constexpr double kWorthWakingNanoseconds = 20'000;

double nanoseconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double, std::nano>(end - begin).count();
}

void raise_to(std::atomic<std::uint64_t>& maximum, std::uint64_t value) {
  std::uint64_t seen = maximum.load(std::memory_order_relaxed);
  while (seen < value && !maximum.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {}
}

}  // namespace

std::shared_ptr<Dispatch> Dispatch::create(std::shared_ptr<const Kernel> kernel, const Grid& grid,
                                           std::span<const std::byte> arguments, ProgressOptions progress) {
  WEFT_CHECK((kernel->info->flags & abi::kKernelCooperative) == 0);
  check(*kernel, arguments);
  return std::shared_ptr<Dispatch>(new Dispatch(std::move(kernel), grid, arguments, std::move(progress)));
}

void Dispatch::check(const Kernel& kernel, std::span<const std::byte> arguments) {
  WEFT_CHECK_EQ(kernel.info->abi_version, abi::kAbiVersion);
  WEFT_CHECK_EQ(arguments.size(), kernel.info->argument_bytes, "of kernel '{}'", kernel.info->name);
}

Dispatch::Dispatch(std::shared_ptr<const Kernel> kernel, const Grid& grid, std::span<const std::byte> arguments,
                   ProgressOptions progress)
    : kernel_(std::move(kernel)),
      arguments_(arguments),
      state_(*kernel_->info, grid),
      progress_(std::move(progress), grid.block_count) {}

Command::Step Dispatch::start(const Ticket& ticket, Caller caller) {
  if (is_exhausted()) return Step::finished;
  ticket_ = ticket;
  max_threads_ = ticket.queue->executor().concurrency();
  started_at_ = Clock::now();
  if (!prepare()) {
    ticket_.queue = nullptr;
    return Step::finished;
  }
  participants_.store(1, std::memory_order_release);  // this thread; publishes what is set above
  const BlockCost& cost = kernel_->block_cost;
  const bool is_short =
      cost.is_known() && cost.nanoseconds() * static_cast<double>(state_.grid().block_count) < kWorthWakingNanoseconds;
  if (!is_short) invite_helpers(state_.grid().block_count - 1);
  return participate(caller);
}

// There is nothing to do for this thread if all blocks are taken, except to close what everybody has left.
Command::Step Dispatch::help() {
  if (is_exhausted() && participants_.load(std::memory_order_relaxed) != 0) return Step::idle;
  return join() ? participate(Caller::waiting) : Step::idle;
}

void Dispatch::run() noexcept {
  if (!join()) return;
  const Ticket ticket = ticket_;
  if (participate(Caller::invited) == Step::finished) ticket.queue->advance(ticket.task);
}

void Dispatch::cancel() { state_.request_stop(); }

Outcome Dispatch::take_outcome() {
  Outcome outcome;
  outcome.fault = state_.fault();
  outcome.exception = exception_;
  outcome.cancelled = !outcome.fault && !outcome.exception && blocks_done() < state_.grid().block_count;
  return outcome;
}

// The acquiring loads see what start() set before it opened the dispatch.
bool Dispatch::join() {
  std::uint32_t count = participants_.load(std::memory_order_acquire);
  do {
    if (count == kClosed || count >= max_threads_) return false;
  } while (!participants_.compare_exchange_weak(count, count + 1, std::memory_order_acquire));
  return true;
}

// Says whether this thread has closed the dispatch. Somebody may join between the two steps, find nothing to do, and
// close it in this thread's stead: exactly one does.
bool Dispatch::leave() {
  if (participants_.fetch_sub(1, std::memory_order_acq_rel) != 1 || !is_exhausted()) return false;
  std::uint32_t none = 0;
  return participants_.compare_exchange_strong(none, kClosed, std::memory_order_acq_rel, std::memory_order_relaxed);
}

Command::Step Dispatch::participate(Caller caller) {
  const std::shared_ptr<Dispatch> self = shared_from_this();  // once this thread has left, others may finish and let go
  if (!is_exhausted()) {
    threads_joined_.fetch_add(1, std::memory_order_relaxed);
    const TraceScope trace(label());
    take_part(caller);
  }
  if (!leave()) return Step::shared;
  finish();
  return Step::finished;
}

void Dispatch::note_peak(const FrameArena::Peak& peak) {
  raise_to(peak_bytes_, peak.bytes);
  raise_to(peak_frames_, peak.frames);
}

void Dispatch::take_part(Caller caller) {
  BlockRunner runner(*kernel_, state_, arguments_.data());
  runner.take_arena_peak();
  ChunkHistory history;
  Clock::time_point now = Clock::now();
  while (run_chunk(runner, history, now)) {
    report_progress(now);
    runner.at_block_boundary();
    invite_if_long(now);
    if (gives_way(caller)) break;
  }
  note_peak(runner.take_arena_peak());
}

// Takes and runs one chunk; says whether there was one. `now` is when the chunk before ended, then when this one did.
bool Dispatch::run_chunk(BlockRunner& runner, ChunkHistory& history, Clock::time_point& now) {
  const Chunk chunk = take_chunk(history);
  if (chunk.begin == chunk.end) return false;
  add_done(runner.run(chunk.begin, chunk.end));
  const Clock::time_point started = std::exchange(now, Clock::now());
  history = {chunk.end - chunk.begin, nanoseconds_between(started, now)};
  note_time(history.nanoseconds);
  return true;
}

Dispatch::Chunk Dispatch::take_chunk(const ChunkHistory& history) {
  const std::uint64_t total = state_.grid().block_count;
  const std::uint64_t taken = next_block_.load(std::memory_order_relaxed);
  if (taken >= total || state_.stop_requested()) return {};
  const unsigned threads = has_invited_.load(std::memory_order_relaxed) ? max_threads_ : 1;
  const std::uint64_t size = chunk_size(total - taken, threads, history);
  const std::uint64_t begin = next_block_.fetch_add(size, std::memory_order_relaxed);
  if (begin >= total) return {};
  return {begin, std::min(begin + size, total)};
}

void Dispatch::invite_if_long(Clock::time_point now) {
  if (has_invited_.load(std::memory_order_relaxed) ||
      nanoseconds_between(started_at_, now) <= kWorthWakingNanoseconds) {
    return;
  }
  const std::uint64_t taken = next_block_.load(std::memory_order_relaxed);
  const std::uint64_t total = state_.grid().block_count;
  // The calling thread takes one of the blocks that are left.
  invite_helpers(taken + 1 < total ? total - taken - 1 : 0);
}

// At most as many as there are blocks for them. The first call counts.
void Dispatch::invite_helpers(std::uint64_t useful) {
  if (has_invited_.exchange(true, std::memory_order_relaxed)) return;
  const auto helpers = static_cast<unsigned>(std::min<std::uint64_t>(useful, max_threads_ - 1));
  if (helpers == 0) return;
  ticket_.queue->executor().invite(shared_from_this(), helpers);
  ticket_.queue->announce_help();
}

// Lets the executor's thread serve other work first; it, or another one, comes back to this dispatch.
bool Dispatch::gives_way(Caller caller) {
  if (caller != Caller::invited || is_exhausted()) return false;
  Executor& executor = ticket_.queue->executor();
  if (!executor.has_other_work(*this)) return false;
  executor.invite(shared_from_this(), 1);
  ticket_.queue->announce_help();
  return true;
}

void Dispatch::report_progress(Clock::time_point now) {
  if (!progress_.is_wanted()) return;
  const QueueScope scope(*ticket_.queue);
  try {
    progress_.report(blocks_done(), now);
  } catch (...) {
    const std::lock_guard lock(exception_mutex_);
    if (!exception_) exception_ = std::current_exception();
    state_.request_stop();
  }
}

void Dispatch::report_progress_end() {
  if (!progress_.is_wanted() || blocks_done() < state_.grid().block_count) return;
  const QueueScope scope(*ticket_.queue);
  try {
    progress_.report_end();
  } catch (...) {
    exception_ = std::current_exception();
  }
}

// On the thread that closed the dispatch, which sees what all others did.
void Dispatch::finish() {
  const std::uint64_t done = blocks_done();
  statistics_.threads = threads_joined_.load(std::memory_order_relaxed);
  statistics_.wall_nanoseconds = nanoseconds_between(started_at_, Clock::now());
  statistics_.thread_nanoseconds = static_cast<double>(thread_nanoseconds_.load(std::memory_order_relaxed));
  statistics_.block_frames = {peak_bytes_.load(std::memory_order_relaxed),
                              peak_frames_.load(std::memory_order_relaxed)};
  if (done > 0) kernel_->block_cost.set_nanoseconds(statistics_.thread_nanoseconds / static_cast<double>(done));
  log_debug(
      "kernel '{}': {} of {} blocks in {:.3f} ms on {} threads; arena high-water mark of a block {} bytes, {} frames",
      kernel_->info->name, done, state_.grid().block_count, statistics_.wall_nanoseconds / 1e6, statistics_.threads,
      statistics_.block_frames.bytes, statistics_.block_frames.frames);
  report_progress_end();
  release();
  ticket_.queue = nullptr;  // which holds this dispatch
}

}  // namespace weft::runtime
