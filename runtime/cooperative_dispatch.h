// A dispatch of a kernel whose blocks wait for each other: all blocks of the grid live at once, each with its frames
// and shared memory in memory of the dispatch (resident_memory.h), and go on as what they wait for comes true
// (live_blocks.h), whatever the number of threads, one included.
//
// Threads start blocks in ascending order, then run those that may go on. When there are none, an invited thread serves
// other work, if there is any; one stays, or comes back, to look now and then. A thread that waits for the dispatch's
// queue runs other commands of the queue between two looks.
//
// When all blocks wait and nothing in the process can wake one (wakers.h), the dispatch ends in a fault that names what
// they wait for.
#pragma once

#include "runtime/dispatch.h"
#include "runtime/live_blocks.h"
#include "runtime/resident_memory.h"

namespace weft::runtime {

struct CooperativeOptions {
  std::uint64_t memory_limit_bytes = 0;  // for all blocks; 0: as resident_memory.h says
  // A thread of the host that does not wait may wake blocks while others wait: waiting without end is no fault then.
  bool host_wakes = false;
};

class CooperativeDispatch final : public Dispatch {
 public:
  static std::shared_ptr<CooperativeDispatch> create(std::shared_ptr<const Kernel> kernel, const Grid& grid,
                                                     std::span<const std::byte> arguments,
                                                     const CooperativeOptions& options, ProgressOptions progress = {});

  void cancel() override;
  std::optional<std::uint64_t> stuck_since() const override;

 private:
  class Runner;

  CooperativeDispatch(std::shared_ptr<const Kernel> kernel, const Grid& grid, std::span<const std::byte> arguments,
                      const CooperativeOptions& options, ProgressOptions progress);

  bool prepare() override;
  void take_part(Caller caller) override;
  bool is_exhausted() const override;
  void release() override;

  std::byte* memory_of(std::uint64_t block) const { return memory_.data() + block * need_.block_bytes; }
  bool start_blocks(Runner& runner, Caller caller);
  bool resume_blocks(Runner& runner, LiveBlocks::Sweep& sweep, Caller caller);
  bool rest(Caller caller);
  bool find_endless_wait();

  const CooperativeOptions options_;
  const ResidentNeed need_;
  ResidentMemory memory_;
  std::unique_ptr<LiveBlocks> blocks_;
  std::atomic<bool> is_live_{false};     // release: publishes the two above to who asks whether it is stuck
  std::atomic<bool> is_watched_{false};  // an invited thread looks now and then: orders nothing
  std::atomic<unsigned> joined_{0};      // spreads the threads over the blocks: orders nothing
  std::atomic<unsigned> rests_{0};       // since a block was run: orders nothing
};

}  // namespace weft::runtime
