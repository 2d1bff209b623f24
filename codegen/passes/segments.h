// A kernel with barriers as the program that a block runs: fission at the barriers.
//
// Where all lanes of a block take every barrier together, so do the loops and conditions around the barriers: that
// control flow can run once for the block. What is between is cut into segments without barriers, and every pack runs a
// segment before any goes on to the next:
//
//   while (c) { A; barrier; B; }      while (for each pack: c) { for each pack: A; for each pack: B; }
//
// So does a loop without barriers whose iterations hand on nothing that differs between lanes: each iteration for all
// packs walks memory in the order of the lanes, all iterations for one pack would walk it in strides.
//
// Values and variables that more than one segment uses must be kept between them, for each pack or, where they are the
// same in all lanes, once for the block. What is cheap to make again is repeated instead, and so are references, which
// cannot be kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/ir/module.h"
#include "codegen/passes/shape.h"

namespace weft::passes {

struct KeptLocal {
  ir::OpId declaration;
  bool declared_here = false;
  bool written = false;
};

struct Segment {
  std::vector<ir::OpId> ops;  // in order, with all that is within them
  // What other segments made and this one uses, to be had before its first op: parameters by value, variables, values
  // that were kept, and ops to be repeated, those in an order in which each finds its operands.
  std::vector<ir::ValueId> parameters;
  std::vector<KeptLocal> locals;
  std::vector<ir::ValueId> loaded;
  std::vector<ir::OpId> repeated;
  std::vector<ir::ValueId> kept;  // values made here that others load
  ir::ValueId decides;            // what the block branches on next; invalid where it does not
  bool once = false;              // acts on block-uniform values and variables alone: one pack can do it for all
};

struct BlockStep {
  enum class Kind : std::uint8_t { segment, if_, switch_, loop, break_, continue_, return_ } kind;
  std::uint32_t segment = 0;                    // segment
  ir::OpId op;                                  // all others
  std::vector<std::vector<BlockStep>> regions;  // of if_, switch_ and loop, in the order of the op's regions
};

struct BlockProgram {
  std::vector<Segment> segments;  // in the order of the text
  std::vector<BlockStep> steps;
  std::vector<ir::ValueId> kept;         // by any segment
  std::vector<ir::ValueId> kept_locals;  // used by more than one segment
};

// `block` are the shapes over the lanes of a block. Nothing where control flow around barriers is not block-uniform, or
// where a local array would have to be kept.
[[nodiscard]] std::optional<BlockProgram> split_at_barriers(const ir::Module& module, const ir::Function& kernel,
                                                            const Shapes& block);

}  // namespace weft::passes
