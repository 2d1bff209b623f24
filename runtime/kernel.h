// A kernel as the launcher sees it: a block function, what the compiler says about it, and what its blocks have been
// seen to cost. Held by shared pointer, so that code stays loaded while a dispatch of it is queued.
#pragma once

#include "runtime/abi/abi.h"

#include <atomic>

namespace weft::runtime {

// What one block took in the latest dispatch. A hint that may be torn between dispatches: orders nothing.
class BlockCost {
 public:
  bool is_known() const { return nanoseconds_.load(std::memory_order_relaxed) > 0; }
  double nanoseconds() const { return nanoseconds_.load(std::memory_order_relaxed); }
  void set_nanoseconds(double nanoseconds) { nanoseconds_.store(nanoseconds, std::memory_order_relaxed); }

 private:
  std::atomic<double> nanoseconds_{0};
};

struct Kernel {
  const abi::KernelInfo* info = nullptr;  // lives as long as the kernel
  abi::BlockFunction function = nullptr;
  // Of a cooperative kernel: called with BlockContext::resident of each block that waits when the dispatch has stopped.
  // Null: there is nothing to do.
  void (*abandon)(std::byte* resident) = nullptr;
  mutable BlockCost block_cost{};

  bool uses_arena() const { return info->frame_bytes > 0 || info->scratch_bytes > 0 || info->suspend_points > 0; }
};

}  // namespace weft::runtime
