// How a block whose kernel waits for other blocks runs its packs.
//
// The packs' frames are in memory that is the block's own until it has ended (BlockContext::resident), beside the state
// of each pack: where it stopped (abi::PackState). A call of the block function runs packs until none can go on alone:
//
//     kind = context->resume_point
//     if (kind == 0) start every pack
//     else pass: resume every pack whose state is `kind`
//     most = the largest state of all packs
//     if (most == at_block_barrier) { kind = most; goto pass; }
//     if (most == ended) return done
//     context->resume_point = most; return waiting
//
// So packs at a barrier of the block go on when no pack waits for a counter, and those at one of the grid when none is
// anywhere else. As each pack has a state of its own, barriers need not be block-uniform.
#pragma once

#include "codegen/lower/block_builder.h"
#include "codegen/lower/split.h"

namespace weft::lower {

// Bytes that a block keeps while it waits. The frames' size and alignment are known.
[[nodiscard]] std::uint64_t resident_bytes(const ir::Function& kernel, const KernelPlan& plan);

// Goes on where the block has ended; `full` says that all of its lanes exist.
void run_resident_packs(BlockBuilder& block, const SplitFunction& version, bool full);

}  // namespace weft::lower
