// What is said of a dispatch all of whose blocks wait while nothing can wake one.
#pragma once

#include "runtime/fault.h"
#include "runtime/live_blocks.h"

#include <cstddef>

namespace weft::runtime {

// The fault, placed at the first block's wait; its message names the counters, what they were waited for to become and
// the blocks that wait. `blocks` are stuck.
KernelFault endless_wait_fault(const abi::KernelInfo& info, const Grid& grid, const std::byte* arguments,
                               const LiveBlocks& blocks);

}  // namespace weft::runtime
