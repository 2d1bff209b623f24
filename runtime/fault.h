// What a kernel did wrong at run time: the first fault of a dispatch, with the place in the kernel's source, the block
// and the lane. It stops the dispatch and surfaces when the host next waits for it; the device goes on.
#pragma once

#include "runtime/abi/abi.h"
#include "runtime/grid.h"

#include <optional>
#include <string>

namespace weft::runtime {

struct KernelFault {
  abi::SiteKind kind = abi::SiteKind::assertion;  // never a print
  std::string kernel;
  std::string message;  // the assertion's condition or message; what memory was wanted and why there is none
  std::string file;     // empty if the place is unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  Size3 block{};
  std::optional<Size3> lane;  // within its block; none if the whole block is concerned
  std::uint64_t dispatch_lanes = 0;
};

// The fault of one site of a kernel, without dispatch_lanes.
KernelFault fault_at(const abi::KernelInfo& info, const abi::SiteInfo& site, Size3 block, std::uint32_t lane);

// Out of memory: placed at the kernel's site of that kind if it has one. `lane` is 0 where memory of the block is
// concerned.
KernelFault out_of_memory_fault(const abi::KernelInfo& info, std::string message, Size3 block, std::uint32_t lane);

// What the user reads:
//   kernel 'kinetic' asserted: index < particles.size()
//     at renderer/particles.cpp:41, block (12, 0, 0), lane (37, 0, 0)
//     dispatch of 1,000,000 lanes stopped; the device is still usable
std::string to_string(const KernelFault& fault);

}  // namespace weft::runtime
