#include "runtime/cooperative_dispatch.h"

#include "runtime/block_runner.h"
#include "runtime/command_queue.h"
#include "runtime/endless_wait.h"
#include "runtime/spin.h"
#include "runtime/wakers.h"

#include <algorithm>

namespace weft::runtime {
namespace {

using std::chrono::microseconds;

// How long a thread rests between two looks: short at first, as what wakes blocks may be about to.
std::chrono::nanoseconds rest_time(unsigned rests) { return microseconds(50) * (1 << std::min(rests, 5U)); }

double nanoseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

// Runs blocks on the calling thread; while it exists the thread is in the kernels' floating-point state.
class CooperativeDispatch::Runner {
 public:
  explicit Runner(CooperativeDispatch& dispatch)
      : dispatch_(dispatch),
        blocks_(*dispatch.blocks_),
        runner_(dispatch.kernel(), dispatch.state(), dispatch.arguments()) {
    runner_.take_arena_peak();
  }
  ~Runner() { dispatch_.note_peak(runner_.take_arena_peak()); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void start(std::uint64_t block) {
    blocks_.start(block);
    run(block, abi::PackState::ended);
  }
  void resume(const LiveBlocks::Claim& claim) { run(claim.block, claim.resume_point); }
  void at_block_boundary() { runner_.at_block_boundary(); }

 private:
  void run(std::uint64_t block, abi::PackState resume_point) {
    const ResidentNeed& need = dispatch_.need_;
    std::byte* const memory = dispatch_.memory_of(block);
    abi::BlockContext& context = runner_.context();
    context.shared = memory;
    context.resident = memory + need.frame_offset;
    context.resume_point = static_cast<std::uint64_t>(resume_point);
    const abi::BlockStatus status = runner_.run_one(block);
    if (status == abi::BlockStatus::waiting) {
      blocks_.suspend(block, static_cast<abi::PackState>(context.resume_point), context.wait);
      return;
    }
    blocks_.end(block);
    dispatch_.add_done(1);
  }

  CooperativeDispatch& dispatch_;
  LiveBlocks& blocks_;
  BlockRunner runner_;
};

std::shared_ptr<CooperativeDispatch> CooperativeDispatch::create(std::shared_ptr<const Kernel> kernel, const Grid& grid,
                                                                 std::span<const std::byte> arguments,
                                                                 const CooperativeOptions& options,
                                                                 ProgressOptions progress) {
  WEFT_CHECK((kernel->info->flags & abi::kKernelCooperative) != 0);
  check(*kernel, arguments);
  return std::shared_ptr<CooperativeDispatch>(
      new CooperativeDispatch(std::move(kernel), grid, arguments, options, std::move(progress)));
}

CooperativeDispatch::CooperativeDispatch(std::shared_ptr<const Kernel> kernel, const Grid& grid,
                                         std::span<const std::byte> arguments, const CooperativeOptions& options,
                                         ProgressOptions progress)
    : Dispatch(std::move(kernel), grid, arguments, std::move(progress)),
      options_(options),
      need_(resident_need(*this->kernel().info, grid.block_count)) {}

bool CooperativeDispatch::prepare() {
  std::optional<std::string> problem = refusal(need_, options_.memory_limit_bytes);
  if (!problem && !memory_.allocate(*need_.total_bytes)) {
    problem = "the operating system refuses the memory of all blocks, " + std::to_string(*need_.total_bytes) + " bytes";
  }
  if (problem) {
    state().report(out_of_memory_fault(*kernel().info, std::move(*problem), {}, 0));
    return false;
  }
  blocks_ = std::make_unique<LiveBlocks>(state().grid().block_count);
  is_live_.store(true, std::memory_order_release);
  return true;
}

bool CooperativeDispatch::is_exhausted() const {
  return state().stop_requested() || (is_live_.load(std::memory_order_acquire) && blocks_->live() == 0);
}

void CooperativeDispatch::release() {
  for (std::uint64_t block = 0; kernel().abandon != nullptr && block < blocks_->count(); ++block) {
    if (blocks_->is_suspended(block)) kernel().abandon(memory_of(block) + need_.frame_offset);
  }
  memory_.reset();
}

void CooperativeDispatch::cancel() {
  Dispatch::cancel();
  Wakers::instance().pulse();
}

std::optional<std::uint64_t> CooperativeDispatch::stuck_since() const {
  if (!is_live_.load(std::memory_order_acquire) || options_.host_wakes || is_exhausted()) return std::nullopt;
  return blocks_->stuck_since();
}

void CooperativeDispatch::take_part(Caller caller) {
  const unsigned place = joined_.fetch_add(1, std::memory_order_relaxed);
  const unsigned threads = std::max(queue().executor().concurrency(), 1U);
  LiveBlocks::Sweep sweep(blocks_->group_count() * (place % threads) / threads);
  while (true) {
    {
      Runner runner(*this);
      if (!start_blocks(runner, caller) || !resume_blocks(runner, sweep, caller)) return;
    }
    if (is_exhausted() || !rest(caller)) return;
  }
}

// Says whether to go on to those that were started.
bool CooperativeDispatch::start_blocks(Runner& runner, Caller caller) {
  ChunkHistory history;
  for (Chunk chunk = take_chunk(history); chunk.begin != chunk.end; chunk = take_chunk(history)) {
    const Clock::time_point begin = Clock::now();
    for (std::uint64_t block = chunk.begin; block < chunk.end; ++block) {
      if (state().stop_requested()) return false;
      runner.start(block);
    }
    const Clock::time_point now = Clock::now();
    history = {chunk.end - chunk.begin, std::chrono::duration<double, std::nano>(now - begin).count()};
    note_time(history.nanoseconds);
    report_progress(now);
    runner.at_block_boundary();
    invite_if_long(now);
    if (gives_way(caller)) return false;
  }
  return true;
}

// Runs blocks until none may go on; says whether to rest, and look again, then.
bool CooperativeDispatch::resume_blocks(Runner& runner, LiveBlocks::Sweep& sweep, Caller caller) {
  const Clock::time_point begin = Clock::now();
  Clock::time_point last_turn = begin;
  sweep.restart();
  bool has_run = false;
  while (!is_exhausted() && !sweep.is_fruitless(*blocks_)) {
    bool runs = false;
    blocks_->sweep(sweep, [&](const LiveBlocks::Claim& claim) {
      runner.resume(claim);
      runs = true;
      return !state().stop_requested();
    });
    if (!runs) continue;
    has_run = true;
    const Clock::time_point now = Clock::now();
    if (now - last_turn < microseconds(50)) continue;
    last_turn = now;
    report_progress(now);
    runner.at_block_boundary();
    invite_helpers(blocks_->live() - 1);
    if (gives_way(caller)) return false;
  }
  if (has_run) {
    rests_.store(0, std::memory_order_relaxed);
    note_time(nanoseconds_since(begin));
  }
  return !is_exhausted();
}

// No block may go on. Says whether the thread is to look again.
bool CooperativeDispatch::rest(Caller caller) {
  // What another thread runs most often wakes others soon.
  const std::uint64_t seen = blocks_->turns();
  const bool others_run = blocks_->is_running();
  if (others_run && spin_until([&] { return blocks_->turns() != seen || state().stop_requested(); })) return true;
  Wakers::Rest resting;
  if (!others_run && !stuck_since() && !options_.host_wakes) return true;
  if (find_endless_wait() || gives_way(caller)) return false;
  if (caller == Caller::waiting) {
    resting.wait(rest_time(rests_.fetch_add(1, std::memory_order_relaxed)));
    if (!is_watched_.load(std::memory_order_relaxed)) queue().executor().invite(shared_from_this(), 1);
    return false;
  }
  if (is_watched_.exchange(true, std::memory_order_relaxed)) return false;
  expect_helpers_again();
  resting.wait(rest_time(rests_.fetch_add(1, std::memory_order_relaxed)));
  is_watched_.store(false, std::memory_order_relaxed);
  return true;
}

// Ends the dispatch if all blocks wait and nothing can wake one.
bool CooperativeDispatch::find_endless_wait() {
  if (options_.host_wakes || !stuck_since() || !Wakers::instance().none_left()) return false;
  state().report(endless_wait_fault(*kernel().info, state().grid(), arguments(), *blocks_));
  Wakers::instance().pulse();
  return true;
}

}  // namespace weft::runtime
