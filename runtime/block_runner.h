// Runs blocks of one dispatch on the calling thread: the innermost loop of the launcher. While a runner exists the
// thread is in the kernels' floating-point state and in a BlockScope.
#pragma once

#include "runtime/dispatch_state.h"
#include "runtime/floating_point.h"
#include "runtime/kernel.h"
#include "runtime/thread_resources.h"

#include <cstdint>

namespace weft::runtime {

class BlockRunner {
 public:
  // All must outlive the runner. `arguments` is the argument block, aligned as its largest argument asks.
  BlockRunner(const Kernel& kernel, DispatchState& state, const std::byte* arguments);

  // Runs blocks [begin, end) in order until the dispatch is stopped, and returns how many were completed.
  std::uint64_t run(std::uint64_t begin, std::uint64_t end);

  // Runs one block, or goes on with one, whose memory the caller has set; says how it stopped.
  abi::BlockStatus run_one(std::uint64_t block);
  abi::BlockContext& context() { return context_; }

  // Between two chunks: lets other parts of the process have memory back.
  void at_block_boundary() { scope_.at_block_boundary(); }

  // The most frames and arena memory that one block had since the last call.
  FrameArena::Peak take_arena_peak() { return scope_.arena().take_peak(); }

 private:
  template <bool kUsesArena>
  std::uint64_t run_blocks(std::uint64_t begin, std::uint64_t end);
  void report_no_shared_memory(std::uint64_t block);

  const Kernel& kernel_;
  DispatchState& state_;
  FloatingPointScope floating_point_;
  BlockScope scope_;
  abi::BlockContext context_;
};

}  // namespace weft::runtime
