// The question: how does each value differ between the lanes that run together?
//
// Lanes are looked at in one of two groups. For the lanes of a pack the answer decides what the lowering makes of a
// value:
//   uniform   one scalar
//   affine    a scalar base, plus `stride` times the lane, modulo 2^n
//   rows      in each row of `row` neighbouring lanes (a block narrower than the pack) affine with `stride`; the
//             rows' bases are unrelated
//   varying   a vector
// For the lanes of a block it says which branches, loops and barriers all lanes take together; there only uniform and
// varying are told apart.
//
// What changes over time is a local variable, so only locals need a fixpoint. Each slot of a local has one shape for
// the whole function. Storing under a narrower mask than the variable's home makes it varying.
//
// Mask classes say what "narrower" means. Two places of a function are in the same class if the same lanes are active
// there, not counting lanes that never come back to a place where it matters: those that left the loop, those that
// returned. A divergent if or switch opens a class for each region, a divergent loop one for its iterations, and a
// divergent continue one for what follows it in the body. A variable's home is the class of its declaration, or, where
// every load is inside the outermost loop that follows it, the class of that loop's iterations: lanes that left the
// loop do not read it again. A store in the home's class needs no blending.
//
// Not looked at: values of inactive lanes. "Uniform" means equal in the active ones.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "codegen/ir/module.h"

namespace weft::passes {

enum class ShapeKind : std::uint8_t { unknown, uniform, affine, rows, varying };

struct Shape {
  ShapeKind kind = ShapeKind::unknown;
  std::uint8_t base_align = 0;  // log2 of what the base is known to be a multiple of; 64 for zero
  std::int64_t stride = 0;      // affine, rows: from lane to lane

  [[nodiscard]] bool is_uniform() const { return kind == ShapeKind::uniform; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

inline constexpr Shape kVarying{ShapeKind::varying, 0, 0};

// The lanes that are looked at together.
struct LaneGroup {
  std::uint32_t width = 1;  // lanes of a pack; ignored for a block
  bool block = false;       // all lanes of a block
};

class Shapes {
 public:
  // One shape for each slot of a value (slots.h). For a reference one shape: of the byte offset in memory, or of the
  // element index in a local.
  [[nodiscard]] std::span<const Shape> of(ir::ValueId value) const {
    return {slots_.data() + first_slot_[value.index], first_slot_[value.index + 1] - first_slot_[value.index]};
  }
  // One shape for each slot of a local, by the value of its `local` op.
  [[nodiscard]] std::span<const Shape> local(ir::ValueId value) const { return locals_.at(value); }
  // if, switch, loop: its lanes may go different ways. break, continue, return: some lanes of the loop (function) may
  // stay.
  [[nodiscard]] bool divergent(ir::OpId op) const { return divergent_[op.index]; }
  // A store to a local at this op must keep what inactive lanes hold.
  [[nodiscard]] bool blends(ir::OpId op) const { return blends_[op.index]; }
  // Every lane that has not returned is active at this op.
  [[nodiscard]] bool in_root_class(ir::OpId op) const { return class_[op.index] == 0; }

 private:
  friend class ShapeAnalysis;
  std::vector<std::uint32_t> first_slot_;  // by value, and one more
  std::vector<Shape> slots_;
  std::unordered_map<ir::ValueId, std::vector<Shape>> locals_;
  std::vector<bool> divergent_;       // by op
  std::vector<bool> blends_;          // by op
  std::vector<std::uint32_t> class_;  // by op; 0 is the function's
};

// Analyses a function; the module's type table may grow.
[[nodiscard]] Shapes analyse_shapes(ir::Module& module, const ir::Function& function, LaneGroup group);

// Lanes of a row: the block's x extent where it divides the pack width, else the pack width.
[[nodiscard]] std::uint32_t row_width(const ir::Function& kernel, std::uint32_t pack_width);

}  // namespace weft::passes
