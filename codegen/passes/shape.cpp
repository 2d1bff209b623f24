// The walk of the shape analysis: control flow, mask classes and variables, repeated until nothing changes. What single
// ops make of their operands is in shape_values.cpp. Everything that is carried from walk to walk (shapes of variables,
// the divergent flags) only ever rises, and may rise a bounded number of times, so the walks end; in practice after two
// to four.
#include "codegen/passes/shape.h"

#include <algorithm>
#include <utility>

#include "codegen/passes/home_loop.h"
#include "codegen/passes/shape_rules.h"
#include "codegen/passes/shape_values.h"
#include "codegen/passes/slots.h"

namespace weft::passes {

using ir::Function;
using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::RegionId;
using ir::TypeId;
using ir::ValueId;

namespace {

using MaskClass = std::uint32_t;
constexpr MaskClass kRootClass = 0;

// The part of a local that a reference names.
struct LocalPlace {
  ValueId root;  // of a `local` op; invalid for places in memory
  std::uint32_t first_slot = 0;
  std::uint32_t slot_count = 0;
};

// A loop that the walk is inside of.
struct OpenLoop {
  OpId op;
  MaskClass iteration;
  bool diverges = false;           // seen in this walk
  bool continue_diverged = false;  // lanes wait for the update
};

// Whether a reference names a place in a buffer, or one that is not known.
bool may_be_in_buffer(const Function& f, ValueId reference) {
  const Op* root = f.definition(reference);
  while (root != nullptr && (root->code == OpCode::member || root->code == OpCode::element)) {
    root = f.definition(f.operand(*root, 0));
  }
  return root == nullptr || (root->code != OpCode::local && root->code != OpCode::shared);
}

// Of a prepared function: stores, atomics and calls are all that may.
bool writes_buffers(const Function& f) {
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const Op& op = f.op(OpId(i));
    const bool stores =
        op.code == OpCode::store || (ir::info(op.code).family == ir::OpFamily::atomic && op.operand_count > 0);
    if (op.code == OpCode::call || (stores && may_be_in_buffer(f, f.operand(op, 0)))) {
      return true;
    }
  }
  return false;
}

}  // namespace

class ShapeAnalysis {
 public:
  ShapeAnalysis(ir::Module& module, const Function& function, LaneGroup group)
      : module_(module), f_(function), homes_(find_home_loops(function)) {
    setting_ = {&module, &function, group, row_width(function, group.width), !writes_buffers(function)};
    prepare_tables();
  }

  Shapes run() {
    do {
      changed_ = false;
      walk_region(f_.body(), kRootClass);
    } while (changed_);
    settle_unknown();
    return std::move(s_);
  }

 private:
  void prepare_tables();
  void settle_unknown();

  // Walks a region and gives the class at its end.
  MaskClass walk_region(RegionId region, MaskClass mask);
  MaskClass walk_op(OpId id, MaskClass mask);
  void walk_branches(OpId id, MaskClass mask);
  void walk_loop(OpId id, MaskClass mask);
  void leave(OpId id, MaskClass mask);

  void declare_local(OpId id, MaskClass mask);
  void store_local(OpId id, const LocalPlace& place, MaskClass mask);
  void compute(OpId id);
  [[nodiscard]] LocalPlace place_of(const Op& op) const;
  [[nodiscard]] std::vector<Shape> load_local(const Op& op, const LocalPlace& place) const;
  void raise(Shape& slot, Shape with);
  void raise(std::vector<bool>& flags, OpId id);

  [[nodiscard]] MaskClass region_class(RegionId r) const { return 1 + r.index; }
  [[nodiscard]] MaskClass after_class(OpId op) const {
    return static_cast<MaskClass>(1 + f_.region_count()) + op.index;
  }
  [[nodiscard]] MaskClass home_class(ValueId root) const;
  [[nodiscard]] std::span<Shape> slots(ValueId v) {
    return {s_.slots_.data() + s_.first_slot_[v.index], s_.first_slot_[v.index + 1] - s_.first_slot_[v.index]};
  }

  ir::Module& module_;
  const Function& f_;
  HomeLoops homes_;
  ShapeSetting setting_;
  Shapes s_;
  std::unordered_map<ValueId, LocalPlace> places_;
  std::unordered_map<OpId, MaskClass> loop_class_;
  std::vector<OpenLoop> loops_;
  bool changed_ = false;
};

void ShapeAnalysis::prepare_tables() {
  s_.divergent_.resize(f_.op_count());
  s_.blends_.resize(f_.op_count());
  s_.class_.resize(f_.op_count());
  s_.first_slot_.reserve(f_.value_count() + 1);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < f_.value_count(); ++i) {
    s_.first_slot_.push_back(next);
    next += slot_count(module_.types, f_.type(ValueId(i)));
  }
  s_.first_slot_.push_back(next);
  s_.slots_.resize(next);
  const bool callable = f_.kind == ir::FunctionKind::callable;
  const bool scalar = setting_.group.width == 1 && !setting_.group.block;
  for (std::size_t i = 0; i < f_.value_count(); ++i) {
    const ir::Value& v = f_.value(ValueId(i));
    if (v.kind == ir::ValueKind::parameter) {
      std::ranges::fill(slots(ValueId(i)), callable && !scalar ? kVarying : uniform_shape());
    } else if (v.kind == ir::ValueKind::constant) {
      const auto& leaves = module_.constant(ir::ConstantId(v.index)).leaves;
      const auto to = slots(ValueId(i));
      for (std::size_t j = 0; j < to.size(); ++j) {
        to[j] = to.size() == leaves.size() ? uniform_shape(leaves[j]) : uniform_shape();
      }
    }
  }
}

// What was never stored or lies in code that is never reached holds no value that matters.
void ShapeAnalysis::settle_unknown() {
  const auto settle = [](Shape& s) { s = s.kind == ShapeKind::unknown ? uniform_shape() : s; };
  std::ranges::for_each(s_.slots_, settle);
  for (auto& [value, shapes] : s_.locals_) {
    std::ranges::for_each(shapes, settle);
  }
}

MaskClass ShapeAnalysis::walk_region(RegionId region, MaskClass mask) {
  for (const OpId op : f_.region(region).ops) {
    mask = walk_op(op, mask);
  }
  return mask;
}

MaskClass ShapeAnalysis::walk_op(OpId id, MaskClass mask) {
  const Op& op = f_.op(id);
  s_.class_[id.index] = mask;
  switch (op.code) {
    case OpCode::if_:
    case OpCode::switch_: {
      if (loops_.empty()) {
        walk_branches(id, mask);
        return mask;
      }
      const bool diverged_before = std::exchange(loops_.back().continue_diverged, false);
      walk_branches(id, mask);
      const bool lanes_wait = loops_.back().continue_diverged;  // for the update, since a continue within this op
      loops_.back().continue_diverged |= diverged_before;
      return lanes_wait ? after_class(id) : mask;
    }
    case OpCode::loop: walk_loop(id, mask); return mask;
    case OpCode::break_:
    case OpCode::continue_:
    case OpCode::return_: leave(id, mask); return mask;
    case OpCode::local: declare_local(id, mask); return mask;
    case OpCode::store: {
      const LocalPlace place = place_of(op);
      if (place.root.valid()) {
        store_local(id, place, mask);
      }
      return mask;
    }
    default: compute(id); return mask;
  }
}

void ShapeAnalysis::walk_branches(OpId id, MaskClass mask) {
  const Op& op = f_.op(id);
  const Shape selector = slots(f_.operand(op, 0))[0];
  if (!selector.is_uniform() && selector.kind != ShapeKind::unknown) {
    raise(s_.divergent_, id);
  }
  for (const RegionId region : f_.regions(op)) {
    walk_region(region, s_.divergent_[id.index] ? region_class(region) : mask);
  }
}

void ShapeAnalysis::walk_loop(OpId id, MaskClass mask) {
  const Op& op = f_.op(id);
  const auto regions = f_.regions(op);
  const MaskClass iteration = s_.divergent_[id.index] ? region_class(regions[0]) : mask;
  loop_class_[id] = iteration;
  loops_.push_back({id, iteration});
  for (const RegionId region : regions) {
    walk_region(region, iteration);
  }
  const auto& condition = f_.region(regions[0]).ops;
  if (!condition.empty() && f_.op(condition.back()).code == OpCode::yield) {
    const Shape goes_on = slots(f_.operand(f_.op(condition.back()), 0))[0];
    loops_.back().diverges |= !goes_on.is_uniform() && goes_on.kind != ShapeKind::unknown;
  }
  if (loops_.back().diverges) {
    raise(s_.divergent_, id);
  }
  loops_.pop_back();
}

// break, continue, return: some lanes stay unless all of the loop's (function's) are here.
void ShapeAnalysis::leave(OpId id, MaskClass mask) {
  const OpCode code = f_.op(id).code;
  const MaskClass all = code == OpCode::return_ ? kRootClass : loops_.back().iteration;
  if (mask == all) {
    return;
  }
  raise(s_.divergent_, id);
  if (code == OpCode::continue_) {
    loops_.back().continue_diverged = true;
  } else if (code == OpCode::break_) {
    loops_.back().diverges = true;
  } else {
    std::ranges::for_each(loops_, [](OpenLoop& loop) { loop.diverges = true; });
  }
}

void ShapeAnalysis::declare_local(OpId id, MaskClass) {
  const Op& op = f_.op(id);
  const TypeId type = module_.types[op.type].element;
  const std::uint32_t count = slot_count(module_.types, type);
  auto& shapes = s_.locals_.try_emplace(op.result, count).first->second;
  places_[op.result] = {op.result, 0, count};
  slots(op.result)[0] = uniform_shape(0);
  if (!homes_.overwritten.contains(op.result)) {
    for (Shape& s : shapes) {
      raise(s, uniform_shape());
    }
  }
}

MaskClass ShapeAnalysis::home_class(ValueId root) const {
  const auto it = homes_.loop.find(root);
  if (it != homes_.loop.end()) {
    const auto known = loop_class_.find(it->second);
    if (known != loop_class_.end() && s_.divergent_[it->second.index]) {
      return known->second;
    }
  }
  return s_.class_[f_.value(root).index];
}

void ShapeAnalysis::store_local(OpId id, const LocalPlace& place, MaskClass mask) {
  const Op& op = f_.op(id);
  const MaskClass home = home_class(place.root);
  // Before its loop is entered a variable is stored where it is declared, for all its lanes.
  s_.blends_[id.index] = mask != home && mask != s_.class_[f_.value(place.root).index];
  const Shape index = slots(f_.operand(op, 0))[0];
  const bool scattered = s_.blends_[id.index] || (!index.is_uniform() && index.kind != ShapeKind::unknown);
  const auto value = slots(f_.operand(op, 1));
  auto& shapes = s_.locals_.at(place.root);
  for (std::uint32_t i = 0; i < place.slot_count; ++i) {
    raise(shapes[place.first_slot + i], scattered ? kVarying : value[i % value.size()]);
  }
}

LocalPlace ShapeAnalysis::place_of(const Op& op) const {
  const auto it = op.operand_count > 0 ? places_.find(f_.operand(op, 0)) : places_.end();
  return it == places_.end() ? LocalPlace() : it->second;
}

std::vector<Shape> ShapeAnalysis::load_local(const Op& op, const LocalPlace& place) const {
  const Shape index = s_.of(f_.operand(op, 0))[0];
  std::vector<Shape> result(slot_count(module_.types, op.type));
  for (std::uint32_t i = 0; i < place.slot_count; ++i) {
    Shape& slot = result[i % result.size()];
    slot = join(slot, s_.locals_.at(place.root)[place.first_slot + i]);
  }
  if (!index.is_uniform()) {
    std::ranges::fill(result, index.kind == ShapeKind::unknown ? Shape{} : kVarying);
  }
  return result;
}

void ShapeAnalysis::compute(OpId id) {
  const Op& op = f_.op(id);
  const LocalPlace place = place_of(op);
  if (place.root.valid() && (op.code == OpCode::member || op.code == OpCode::element)) {
    const TypeId outer = module_.types[f_.type(f_.operand(op, 0))].element;
    LocalPlace inner = place;
    if (op.code == OpCode::member) {
      inner.first_slot += slot_of_part(module_.types, outer, op.imm);
      inner.slot_count = slot_count(module_.types, module_.types[op.type].element);
    }
    places_[op.result] = inner;
  }
  if (!op.result.valid()) {
    return;
  }
  std::vector<Shape> shapes;
  if (op.code == OpCode::load && place.root.valid()) {
    shapes = load_local(op, place);
  } else {
    std::vector<std::span<const Shape>> operands;
    for (const ValueId v : f_.operands(op)) {
      operands.push_back(s_.of(v));
    }
    shapes = result_shapes(setting_, op, operands);
  }
  std::ranges::copy(shapes, slots(op.result).begin());
}

void ShapeAnalysis::raise(Shape& slot, Shape with) {
  const Shape raised = join(slot, with);
  changed_ |= !(raised == slot);
  slot = raised;
}

void ShapeAnalysis::raise(std::vector<bool>& flags, OpId id) {
  changed_ |= !flags[id.index];
  flags[id.index] = true;
}

Shapes analyse_shapes(ir::Module& module, const Function& function, LaneGroup group) {
  return ShapeAnalysis(module, function, group).run();
}

}  // namespace weft::passes
