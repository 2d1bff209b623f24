// What the helpers that generated code calls need to know of the dispatch they run for: BlockContext::dispatch points
// to it. The launcher makes one per dispatch; so may whoever drives a block function by hand:
//
//   DispatchState state(info, grid);
//   BlockContext context = state.make_context(arguments);
//   context.arena = arena.cursor();
#pragma once

#include "runtime/abi/abi.h"
#include "runtime/fault.h"
#include "runtime/grid.h"

#include <atomic>
#include <optional>

namespace weft::runtime {

class DispatchState {
 public:
  // `info` must outlive this.
  DispatchState(const abi::KernelInfo& info, const Grid& grid) : info_(info), grid_(grid) {}
  DispatchState(const DispatchState&) = delete;
  DispatchState& operator=(const DispatchState&) = delete;

  static DispatchState& of(const abi::BlockContext& context) { return *static_cast<DispatchState*>(context.dispatch); }

  const abi::KernelInfo& info() const { return info_; }
  const Grid& grid() const { return grid_; }

  // A context whose block id, shared memory and arena are still to be set.
  abi::BlockContext make_context(const std::byte* arguments);

  // Asks blocks and workers to stop; also what a fault does. Any thread.
  void request_stop() { stop_.store(1, std::memory_order_relaxed); }
  // Orders nothing: a worker that sees it late runs some blocks more.
  bool stop_requested() const { return stop_.load(std::memory_order_relaxed) != 0; }

  // Keeps the first fault of the dispatch and stops it. Any thread.
  void report(KernelFault fault);
  // A fault was reported, though it may not be readable yet.
  bool has_fault() const { return claimed_.load(std::memory_order_relaxed); }
  // For after the dispatch: the caller must have synchronised with the threads that ran it.
  const std::optional<KernelFault>& fault() const { return fault_; }

 private:
  const abi::KernelInfo& info_;
  const Grid grid_;
  std::atomic<std::uint32_t> stop_{0};
  std::atomic<bool> claimed_{false};  // picks the one thread that writes fault_: orders nothing
  std::optional<KernelFault> fault_;
};

inline abi::BlockContext DispatchState::make_context(const std::byte* arguments) {
  static_assert(sizeof stop_ == sizeof(std::uint32_t) && std::atomic<std::uint32_t>::is_always_lock_free);
  abi::BlockContext context{};
  context.arguments = arguments;
  context.cancel = reinterpret_cast<const std::uint32_t*>(&stop_);
  context.dispatch = this;
  for (int i = 0; i < 3; ++i) {
    context.grid_size[i] = grid_.blocks[i];
    context.dispatch_size[i] = grid_.lanes[i];
  }
  return context;
}

inline void DispatchState::report(KernelFault fault) {
  if (!claimed_.exchange(true, std::memory_order_relaxed)) {
    fault.dispatch_lanes = grid_.lane_count();
    fault_ = std::move(fault);
  }
  request_stop();
}

}  // namespace weft::runtime
