// The segments of a kernel that is cut at its barriers (passes/segments.h), each as an LLVM function that runs one
// pack.
//
// A segment function is a pack function (kernel.h) with two more parameters, and its result is what the block branches
// on next. What is kept from segment to segment is in two kinds of records:
//   frame      one for each pack: what differs between lanes
//   block_in   of the block: what is the same in all of its lanes. Every pack reads block_in and writes the same values
//   block_out  to block_out; the driver copies these to block_in once the last pack is through, so that no pack sees
//              what the one before it has made of a variable
#pragma once

#include <unordered_map>

#include "codegen/lower/kernel.h"

namespace weft::lower {

// Where a scalar leaf of a value, or a slot of a variable, is kept.
struct KeptField {
  bool of_block = false;
  unsigned index = 0;  // in its record
  llvm::Type* type = nullptr;
};

struct KeptState {
  llvm::StructType* frame = nullptr;
  llvm::StructType* block = nullptr;
  std::unordered_map<ir::ValueId, std::vector<KeptField>> fields;  // by value, and by the result of `local` ops
};

struct SegmentFunctions {
  KeptState state;
  std::vector<llvm::Function*> functions;         // by segment
  std::vector<std::vector<KeptField>> block_out;  // by segment: what it writes there
};

// Upper bound of what a block keeps between segments.
[[nodiscard]] std::uint64_t kept_bytes(const ir::Module& module, const ir::Function& kernel,
                                       const passes::BlockProgram& program);

struct SegmentVersions {
  std::optional<SegmentFunctions> full;  // nothing where blocks are never full, or where one version serves for both
  SegmentFunctions partial;
};

// Lowers the segments of plan.fission; the plan is completed.
[[nodiscard]] SegmentVersions lower_segments(llvm::Module& out, ir::Module& module, const ir::Function& kernel,
                                             KernelPlan& plan);

}  // namespace weft::lower
