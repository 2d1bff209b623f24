// Random expressions over the values that are visible.
#pragma once

#include <vector>

#include "codegen/ir/builder.h"
#include "tests/fuzz/random.h"

namespace weft::fuzz {

// A value and whether it is the same in all lanes of the block.
struct Visible {
  ir::ValueId value;
  bool uniform;
};

class Expressions {
 public:
  Expressions(ir::Builder& b, Random& random) : b_(b), random_(random) {}

  // A value of a scalar type: visible, constant, or made anew of such. If `uniform`, the same in all lanes of the
  // block.
  ir::ValueId value(ir::TypeId type, bool uniform = false);
  // A new op on such values.
  ir::ValueId compute(ir::TypeId type, bool uniform);

  void add(ir::ValueId value, bool uniform) { visible_.push_back({value, uniform}); }
  [[nodiscard]] std::size_t mark() const { return visible_.size(); }
  void forget(std::size_t mark) { visible_.resize(mark); }

  // A u32 that depends on all bits of the value but not on which NaN it is.
  ir::ValueId digest(ir::ValueId value);
  ir::TypeId any_type();

 private:
  ir::ValueId constant(ir::TypeId type);
  ir::ValueId integer_op(ir::TypeId type, bool uniform);
  ir::ValueId float_op(ir::TypeId type, bool uniform);
  ir::ValueId bool_op(bool uniform);
  ir::ValueId converted(ir::TypeId type, bool uniform);

  ir::Builder& b_;
  Random& random_;
  std::vector<Visible> visible_;
};

}  // namespace weft::fuzz
