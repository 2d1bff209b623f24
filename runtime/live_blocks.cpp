#include "runtime/live_blocks.h"

#include <algorithm>

namespace weft::runtime {

LiveBlocks::LiveBlocks(std::uint64_t count)
    : count_(count),
      group_count_((count + kGroup - 1) / kGroup),
      records_(new Record[count]),
      live_in_group_(new std::atomic<std::uint32_t>[group_count_]),
      live_(count),
      pending_(count) {
  for (std::uint64_t group = 0; group < group_count_; ++group) {
    live_in_group_[group].store(static_cast<std::uint32_t>(group_end(group) - group * kGroup),
                                std::memory_order_relaxed);
  }
}

void LiveBlocks::start(std::uint64_t block) {
  records_[block].state.store(kRunning, std::memory_order_relaxed);
  runs_.fetch_add(1, std::memory_order_acq_rel);
}

void LiveBlocks::end(std::uint64_t block) {
  records_[block].state.store(static_cast<State>(abi::PackState::ended), std::memory_order_relaxed);
  live_in_group_[block / kGroup].fetch_sub(1, std::memory_order_relaxed);
  live_.fetch_sub(1, std::memory_order_relaxed);
  arrive();
  stops_.fetch_add(1, std::memory_order_acq_rel);
}

void LiveBlocks::suspend(std::uint64_t block, abi::PackState how, const abi::Wait& wait) {
  Record& record = records_[block];
  const bool at_barrier = how == abi::PackState::at_grid_barrier;
  record.lane.store(at_barrier ? 0 : wait.lane, std::memory_order_relaxed);
  record.site.store(at_barrier ? wait.grid_site : wait.site, std::memory_order_relaxed);
  if (at_barrier) {
    record.generation.store(generation_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  } else {
    record.counter.store(wait.counter, std::memory_order_relaxed);
    record.value.store(wait.value, std::memory_order_relaxed);
    record.type.store(wait.type, std::memory_order_relaxed);
  }
  record.state.store(static_cast<State>(how), std::memory_order_release);
  if (at_barrier) arrive();
  stops_.fetch_add(1, std::memory_order_acq_rel);
}

// The last one sees what all did before, and no block is run until it has begun the next generation.
void LiveBlocks::arrive() {
  if (pending_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  pending_.store(live_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
}

std::optional<std::uint64_t> LiveBlocks::stuck_since() const {
  const std::uint64_t stops = stops_.load(std::memory_order_acquire);
  const std::uint64_t runs = runs_.load(std::memory_order_acquire);
  if (runs != stops) return std::nullopt;  // a thread runs a block
  for (std::uint64_t block = 0; block < count_; ++block) {
    const Record& record = records_[block];
    const State state = record.state.load(std::memory_order_acquire);
    if (state == kRunning || state == kUnstarted || may_go_on(record, state)) return std::nullopt;
  }
  return runs_.load(std::memory_order_acquire) == runs ? std::optional(runs) : std::nullopt;
}

bool LiveBlocks::is_suspended(std::uint64_t block) const {
  const State state = records_[block].state.load(std::memory_order_acquire);
  return state == static_cast<State>(abi::PackState::waits) ||
         state == static_cast<State>(abi::PackState::at_grid_barrier);
}

abi::PackState LiveBlocks::suspended_how(std::uint64_t block) const {
  return static_cast<abi::PackState>(records_[block].state.load(std::memory_order_acquire));
}

abi::Wait LiveBlocks::wait_of(std::uint64_t block) const {
  const Record& record = records_[block];
  abi::Wait wait{};
  wait.lane = record.lane.load(std::memory_order_relaxed);
  wait.site = record.site.load(std::memory_order_relaxed);
  if (suspended_how(block) == abi::PackState::waits) {
    wait.counter = record.counter.load(std::memory_order_relaxed);
    wait.value = record.value.load(std::memory_order_relaxed);
    wait.type = record.type.load(std::memory_order_relaxed);
  }
  return wait;
}

}  // namespace weft::runtime
