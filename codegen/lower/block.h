// The block function: what runs one block by running its packs. It is the entry of the object (runtime/abi/abi.h).
//
//   a kernel cut at its barriers        its block-level control flow, with a loop over packs in place of each segment
//   a kernel that does not suspend      every pack, once
//   one whose barriers are uniform      phase loops: every pack up to the first suspend point, then every pack from
//   there to the
//                                       next, ... the phase being read from the first pack's frame
//   one that waits for other blocks     as far as it comes, then back to the launcher (resident_packs.h)
//   any other                           rounds: every pack that has not ended is resumed where it is, until none is
//   left
//
// Frames are asked for one by one and come as runs of neighbours (abi::FrameRun), but for those of blocks that wait for
// others. Packs without lanes are never started.
#pragma once

#include <llvm/IR/Module.h>

#include "codegen/lower/segments.h"
#include "codegen/lower/split.h"

namespace weft::lower {

// Builds "weft_block". `full` and `partial` hold the pack functions, split if the kernel suspends. Sets the plan's
// frame size.
void build_block_function(llvm::Module& module, const ir::Function& kernel, KernelPlan& plan, const SplitFunction& full,
                          const SplitFunction& partial);

// Builds "weft_block" of a kernel that is cut at its barriers.
void build_block_program(llvm::Module& module, const ir::Function& kernel, const KernelPlan& plan,
                         const SegmentVersions& versions);

// Builds "weft_kernel_info".
void build_kernel_info(llvm::Module& module, const ir::Module& source, const ir::Function& kernel,
                       const KernelPlan& plan);

}  // namespace weft::lower
