// What is decided about a kernel before and while it is lowered, and what KernelInfo will say of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/ir/arguments.h"
#include "codegen/ir/module.h"
#include "codegen/lower/remark.h"
#include "codegen/passes/segments.h"
#include "runtime/abi/abi.h"

namespace weft::lower {

class DebugInfo;

struct Fission {
  passes::Shapes block;  // over the lanes of a block
  passes::BlockProgram program;
};

// Why a kernel with barriers has its form.
struct FormReason {
  std::string text;
  ir::Location location;  // of the op that decided; line 0 where there is none
};

struct Site {
  abi::SiteKind kind;
  std::string text;
  std::string value_types;
  ir::Location location;
};

struct KernelPlan {
  RemarkSink* remarks = nullptr;    // null: nobody asks
  DebugInfo* debug_info = nullptr;  // the same
  std::uint32_t width = 1;
  bool unchecked = false;
  // Loops test whether the dispatch is to stop; never where packs go from barrier to barrier together.
  bool interruptible = false;
  ir::MathMode math = ir::MathMode::strict;
  bool cooperative = false;        // waits for other blocks
  bool suspends = false;           // becomes coroutines
  std::optional<Fission> fission;  // is cut at its barriers instead
  FormReason form_reason;
  bool uniform_barriers = false;  // every barrier is reached by all lanes of the block that have not returned, provably
  std::uint32_t suspend_points = 0;
  std::uint64_t shared_bytes = 0;
  std::uint64_t scratch_bytes = 0;  // of the arena, for each pack, locals too large for the stack
  std::uint64_t frame_bytes = 0;    // after the split
  std::uint64_t frame_align = 1;
  std::uint64_t resident_bytes = 0;  // the same
  ir::ArgumentLayout arguments;
  std::unordered_map<ir::ValueId, std::uint64_t> shared_offsets;  // of `shared` ops, in bytes
  std::vector<Site> sites;
  std::unordered_map<ir::OpId, std::uint32_t> site_of_op;

  [[nodiscard]] std::uint32_t pack_count(const ir::Function& kernel) const {
    return static_cast<std::uint32_t>((kernel.attributes.lane_count() + width - 1) / width);
  }
};

}  // namespace weft::lower
