// The frame of every pass that changes a function: it builds a new one, op by op, and never edits in place. A pass
// derives from Rewriter and overrides `rewrite` for the ops that it changes; all others are copied with their operands
// mapped.
//
//   void rewrite(const Op& op) override {
//     if (op.code == OpCode::spec) map(op.result, constant_for(op)); else copy(op);
//   }
//
// The builder's module must hold every type, constant and string that the source refers to, under the same ids: it is
// the source's own module or grew out of its Module::without_functions().
#pragma once

#include <vector>

#include "codegen/ir/builder.h"

namespace weft::passes {

class Rewriter {
 public:
  // Reads `from` and appends to the builder's function at its region.
  Rewriter(const ir::Function& from, ir::Builder& builder);
  virtual ~Rewriter() = default;
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  // Rewrites all of `from` into the builder's function, which must be new: parameters, attributes and body.
  void run();

 protected:
  // Appends what stands for `op`, and maps its result if it has one.
  virtual void rewrite(const ir::Op& op) { copy(op); }

  // Called before the first and after the last op of each region.
  virtual void region_begins() {}
  virtual void region_ends() {}

  // Rewrites the ops of a region of `from`, in order, at the builder's place.
  void rewrite_region(ir::RegionId region);
  // Appends the same op with operands mapped and regions rewritten.
  void copy(const ir::Op& op) { copy(op, copied_immediate(op)); }
  void copy(const ir::Op& op, std::uint64_t imm);

  [[nodiscard]] const ir::Function& from() const { return from_; }
  [[nodiscard]] ir::Builder& builder() { return builder_; }
  // What stands for a value of `from`. It must have been mapped, but for constants.
  [[nodiscard]] ir::ValueId mapped(ir::ValueId value);
  [[nodiscard]] std::vector<ir::ValueId> mapped_operands(const ir::Op& op);
  // The immediate of a copy of the op; brings a switch's case list along.
  [[nodiscard]] std::uint64_t copied_immediate(const ir::Op& op);
  // Says what stands for a value of `from`; a name that it has is kept.
  void map(ir::ValueId value, ir::ValueId replacement);

 private:
  const ir::Function& from_;
  ir::Builder& builder_;
  std::vector<ir::ValueId> values_;
};

// An empty function with the name, kind, result type and attributes of another.
[[nodiscard]] ir::Function like(const ir::Function& function);

}  // namespace weft::passes
