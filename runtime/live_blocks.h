// The blocks of a grid that live at once: what each is doing, what it waits for, and which may go on.
//
// A block is started, by whoever counts the starts, and from then on is either run by a thread, or suspended, or has
// ended. A suspended block waits for a counter in memory, or at the barrier of the grid. Nobody tells when a counter
// rises: threads look. Each thread that has nothing to run sweeps over the blocks up and down again, so that chains of
// blocks that wait for their neighbours, in whichever order, come to their end in one sweep; blocks that have ended are
// skipped in groups. A block that may go on is claimed by one thread.
//
// The barrier of the grid is over when every block is at it or has ended; the thread that comes last or ends last
// begins the next generation, and blocks of earlier ones may go on. No block runs at that moment.
#pragma once

#include "runtime/abi/abi.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace weft::runtime {

class LiveBlocks {
 public:
  explicit LiveBlocks(std::uint64_t count);

  std::uint64_t count() const { return count_; }
  // Blocks that have not ended, those that were never started among them.
  std::uint64_t live() const { return live_.load(std::memory_order_relaxed); }

  // --- of a block that the calling thread runs
  // It has begun: nobody else has it.
  void start(std::uint64_t block);
  void end(std::uint64_t block);
  // It returned `waiting`.
  void suspend(std::uint64_t block, abi::PackState how, const abi::Wait& wait);

  // --- finding one that may go on
  class Sweep {
   public:
    explicit Sweep(std::uint64_t first_group) : group_(first_group) {}
    // Every block has been looked at since the last one was claimed.
    bool is_fruitless(const LiveBlocks& blocks) const { return fruitless_ >= 2 * blocks.group_count_; }
    void restart() { fruitless_ = 0; }

   private:
    friend class LiveBlocks;
    std::uint64_t group_;
    bool is_rising_ = true;
    std::uint64_t fruitless_ = 0;  // groups looked at in vain
  };

  struct Claim {
    std::uint64_t block = 0;
    abi::PackState resume_point{};  // how it was suspended
  };

  // Calls run(claim) for each block of the sweep's next group that may go on, which the caller then runs, until it
  // returns false.
  template <typename Run>
  void sweep(Sweep& sweep, Run run);

  std::uint64_t group_count() const { return group_count_; }

  // A thread runs a block.
  bool is_running() const { return stops_.load(std::memory_order_acquire) != runs_.load(std::memory_order_acquire); }
  // Changes with each block that begins or stops to run.
  std::uint64_t turns() const { return stops_.load(std::memory_order_acquire) + runs_.load(std::memory_order_acquire); }

  // --- for who asks whether the waiting can end
  // None may go on by itself: all that live are suspended, no thread runs one, and none can be claimed. The number
  // changes whenever a block was run: if it is the same later, none has been meanwhile. None: some may go on.
  std::optional<std::uint64_t> stuck_since() const;
  // To be asked when they are stuck, or none is run any more.
  bool is_suspended(std::uint64_t block) const;
  abi::PackState suspended_how(std::uint64_t block) const;
  abi::Wait wait_of(std::uint64_t block) const;

 private:
  static constexpr std::uint64_t kGroup = 64;

  // abi::PackState, and two more.
  using State = std::uint32_t;
  static constexpr State kRunning = 8;
  static constexpr State kUnstarted = 9;

  // A record is read by sweeping threads while its block's thread writes it: what they see in vain or too early is
  // looked at again once the block is claimed.
  struct Record {
    std::atomic<State> state{kUnstarted};  // release: publishes the rest, and the block's memory, to who claims it
    std::atomic<std::uint32_t> generation{0};
    std::atomic<const std::byte*> counter{nullptr};
    std::atomic<std::uint64_t> value{0};
    std::atomic<abi::CounterType> type{};
    std::atomic<std::uint32_t> lane{0};
    std::atomic<std::uint32_t> site{0};
  };

  std::uint64_t group_end(std::uint64_t group) const {
    return (group + 1) * kGroup < count_ ? (group + 1) * kGroup : count_;
  }
  bool may_go_on(const Record& record, State state) const;
  bool claim(std::uint64_t block, Claim& out);
  void arrive();
  void advance(Sweep& sweep) const;

  const std::uint64_t count_;
  const std::uint64_t group_count_;
  const std::unique_ptr<Record[]> records_;
  const std::unique_ptr<std::atomic<std::uint32_t>[]> live_in_group_;

  std::atomic<std::uint64_t> live_;
  alignas(64) std::atomic<std::uint64_t> pending_;        // blocks that are neither at the grid's barrier nor ended
  alignas(64) std::atomic<std::uint32_t> generation_{0};  // release: publishes what blocks did before the barrier
  alignas(64) std::atomic<std::uint64_t> runs_{0};        // times that a block began to run
  std::atomic<std::uint64_t> stops_{0};                   // times that one stopped running
};

// The value of a counter, extended from its type; 0 for none. Acquire: pairs with whoever raised it.
std::uint64_t read_counter(const std::byte* counter, abi::CounterType type);
// Whether it has reached a value.
inline bool has_reached(const std::byte* counter, abi::CounterType type, std::uint64_t value) {
  const std::uint64_t now = read_counter(counter, type);
  const bool is_signed = type == abi::CounterType::i32 || type == abi::CounterType::i64;
  return is_signed ? static_cast<std::int64_t>(now) >= static_cast<std::int64_t>(value) : now >= value;
}

inline std::uint64_t read_counter(const std::byte* counter, abi::CounterType type) {
  if (counter == nullptr) return 0;
  if (type == abi::CounterType::u64 || type == abi::CounterType::i64) {
    return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(counter), __ATOMIC_ACQUIRE);
  }
  const std::uint32_t word = __atomic_load_n(reinterpret_cast<const std::uint32_t*>(counter), __ATOMIC_ACQUIRE);
  return type == abi::CounterType::u32 ? word : static_cast<std::uint64_t>(static_cast<std::int32_t>(word));
}

inline bool LiveBlocks::may_go_on(const Record& record, State state) const {
  if (state == static_cast<State>(abi::PackState::waits)) {
    return has_reached(record.counter.load(std::memory_order_relaxed), record.type.load(std::memory_order_relaxed),
                       record.value.load(std::memory_order_relaxed));
  }
  return state == static_cast<State>(abi::PackState::at_grid_barrier) &&
         record.generation.load(std::memory_order_relaxed) != generation_.load(std::memory_order_acquire);
}

// What was read before the claim may be from two suspensions of the block: looked at again, it is of the last.
inline bool LiveBlocks::claim(std::uint64_t block, Claim& out) {
  Record& record = records_[block];
  State state = record.state.load(std::memory_order_acquire);
  if (!may_go_on(record, state)) return false;
  if (!record.state.compare_exchange_strong(state, kRunning, std::memory_order_acquire, std::memory_order_relaxed)) {
    return false;
  }
  if (!may_go_on(record, state)) {
    record.state.store(state, std::memory_order_release);
    return false;
  }
  runs_.fetch_add(1, std::memory_order_acq_rel);
  out = {block, static_cast<abi::PackState>(state)};
  return true;
}

inline void LiveBlocks::advance(Sweep& sweep) const {
  ++sweep.fruitless_;
  const bool is_last = sweep.is_rising_ ? sweep.group_ + 1 == group_count_ : sweep.group_ == 0;
  if (is_last) {
    sweep.is_rising_ = !sweep.is_rising_;
  } else {
    sweep.group_ += sweep.is_rising_ ? 1 : -1;
  }
}

template <typename Run>
void LiveBlocks::sweep(Sweep& sweep, Run run) {
  const std::uint64_t group = sweep.group_;
  const bool is_rising = sweep.is_rising_;
  advance(sweep);
  if (live_in_group_[group].load(std::memory_order_relaxed) == 0) return;
  const std::uint64_t begin = group * kGroup;
  const std::uint64_t size = group_end(group) - begin;
  for (std::uint64_t i = 0; i < size; ++i) {
    Claim claimed;
    if (!claim(begin + (is_rising ? i : size - 1 - i), claimed)) continue;
    sweep.fruitless_ = 0;
    if (!run(claimed)) return;
  }
}

}  // namespace weft::runtime
