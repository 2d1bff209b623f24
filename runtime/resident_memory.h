// The memory of blocks that wait for each other: all blocks of a grid live at once, and each keeps its shared memory
// and the frames of its packs until it has ended. What that takes is known before the first block runs.
#pragma once

#include "runtime/abi/abi.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace weft::runtime {

// What a grid's blocks need in memory that lives as long as the dispatch.
struct ResidentNeed {
  std::uint64_t blocks = 0;
  std::uint64_t frame_bytes = 0;             // a block's
  std::uint64_t shared_bytes = 0;            // the same
  std::uint64_t frame_offset = 0;            // of the frames in a block's memory, which begins with what it shares
  std::uint64_t block_bytes = 0;             // distance of neighbouring blocks
  std::optional<std::uint64_t> total_bytes;  // none: more than there are addresses
};

ResidentNeed resident_need(const abi::KernelInfo& info, std::uint64_t blocks);

// Nothing, or why the memory is not to be had, with the numbers. `limit_bytes` is what the launch allows; 0: what the
// environment allows, and without that what the machine has left.
std::optional<std::string> refusal(const ResidentNeed& need, std::uint64_t limit_bytes);

// Memory that the machine, or the cgroup that the process is in, has left.
std::uint64_t available_memory_bytes();

// One piece of memory, whose contents are anything. What is not too large is kept for the next that asks.
class ResidentMemory {
 public:
  ResidentMemory() = default;
  ~ResidentMemory() { reset(); }
  ResidentMemory(const ResidentMemory&) = delete;
  ResidentMemory& operator=(const ResidentMemory&) = delete;

  // False if there is no memory.
  bool allocate(std::uint64_t bytes);
  void reset();
  // Aligned to a page; null before allocate().
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// Gives back what is kept.
void trim_resident_memory();

}  // namespace weft::runtime
