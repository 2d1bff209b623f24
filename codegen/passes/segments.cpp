#include "codegen/passes/segments.h"

#include <algorithm>

#include "codegen/passes/root.h"
#include "codegen/passes/slots.h"

namespace weft::passes {

using ir::Function;
using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::RegionId;
using ir::ValueId;

namespace {

// Making a value again may take this many ops, a division counting for several.
constexpr int kMaxRepeatedOps = 12;
constexpr int kDivisionOps = 6;
constexpr int kNotRepeatable = kMaxRepeatedOps + 1;

constexpr std::uint32_t kNoSegment = ~0U;

// The local that a reference leads to; invalid where it leads elsewhere.
ValueId local_root(const Function& f, ValueId reference) {
  const Root root = root_of(f, reference);
  return root.kind == RootKind::local ? root.value : ValueId();
}

bool is_uniform(std::span<const Shape> shapes) {
  return std::ranges::all_of(shapes, [](const Shape& s) { return s.is_uniform(); });
}

// Cuts a kernel into steps.
class Cut {
 public:
  Cut(const Function& f, const Shapes& block, BlockProgram& program)
      : f_(f), block_(block), program_(program), ends_lanes_(f.op_count()) {
    find_barriers(f.body());
    region(f.body(), program_.steps, false);
  }

  [[nodiscard]] bool uniform() const { return uniform_; }

 private:
  // Marks each op with a barrier or return in its regions, or that is one.
  bool find_barriers(RegionId region) {
    bool found = false;
    for (const OpId id : f_.region(region).ops) {
      bool here = f_.op(id).code == OpCode::barrier || f_.op(id).code == OpCode::return_;
      for (const RegionId inner : f_.regions(f_.op(id))) {
        here |= find_barriers(inner);
      }
      ends_lanes_[id.index] = here;
      found |= here;
    }
    return found;
  }

  // Whether an op is for the block to run: a barrier, what has one in it, and what jumps in or out of such.
  [[nodiscard]] bool is_for_block(OpId id, bool block_loop) const {
    const Op& op = f_.op(id);
    if (ends_lanes_[id.index]) {
      return true;
    }
    if (op.code == OpCode::break_ || op.code == OpCode::continue_) {
      return block_loop;
    }
    if (op.code == OpCode::loop) {  // its jumps stay within
      return hands_on_nothing(id);
    }
    return std::ranges::any_of(f_.regions(op), [&](RegionId region) {
      return std::ranges::any_of(f_.region(region).ops, [&](OpId inner) { return is_for_block(inner, block_loop); });
    });
  }

  // Whether a loop reads memory that lanes have places of their own in, and its iterations share only what is the same
  // in all lanes. All lanes of the block must run it: a loop that is left in its middle, or entered by some, is none.
  [[nodiscard]] bool hands_on_nothing(OpId loop) const {
    if (block_.divergent(loop) || !block_.in_root_class(loop)) {
      return false;
    }
    bool reads = false;
    const auto fits = [&](auto& self, RegionId region, bool inner_loop) -> bool {
      return std::ranges::all_of(f_.region(region).ops, [&](OpId id) {
        const Op& op = f_.op(id);
        const ir::Effect effect = ir::info(op.code).effect;
        const bool memory = op.operand_count > 0 && (effect == ir::Effect::reads || effect == ir::Effect::writes);
        if (memory) {
          const ValueId root = local_root(f_, f_.operand(op, 0));
          reads |= !root.valid() && !block_.of(f_.operand(op, 0))[0].is_uniform();
          const bool hands_on = op.code == OpCode::store && root.valid() && f_.value(root).index < loop.index;
          if (hands_on && !is_uniform(block_.local(root))) {
            return false;
          }
        }
        const bool leaves = op.code == OpCode::break_ || op.code == OpCode::continue_;
        return (!leaves || inner_loop) && std::ranges::all_of(f_.regions(op), [&](RegionId inner) {
                 return self(self, inner, inner_loop || op.code == OpCode::loop);
               });
      });
    };
    return std::ranges::all_of(f_.regions(f_.op(loop)), [&](RegionId region) { return fits(fits, region, false); }) &&
           reads;
  }

  Segment& open_segment(std::vector<BlockStep>& steps) {
    if (steps.empty() || steps.back().kind != BlockStep::Kind::segment || closed_) {
      const auto index = static_cast<std::uint32_t>(program_.segments.size());
      program_.segments.emplace_back();
      steps.push_back({.kind = BlockStep::Kind::segment, .segment = index});
      closed_ = false;
    }
    return program_.segments[steps.back().segment];
  }

  void decide(std::vector<BlockStep>& steps, ValueId value) {
    open_segment(steps).decides = value;
    uniform_ &= f_.value(value).kind != ir::ValueKind::result || block_.of(value)[0].is_uniform();
  }

  void region(RegionId id, std::vector<BlockStep>& steps, bool block_loop) {
    for (const OpId op : f_.region(id).ops) {
      if (f_.op(op).code == OpCode::yield) {
        decide(steps, f_.operand(f_.op(op), 0));
      } else if (is_for_block(op, block_loop)) {
        block_op(op, steps, block_loop);
      } else {
        open_segment(steps).ops.push_back(op);
      }
    }
  }

  void block_op(OpId id, std::vector<BlockStep>& steps, bool block_loop) {
    using Kind = BlockStep::Kind;
    const Op& op = f_.op(id);
    if (op.code == OpCode::barrier) {
      closed_ = true;
      return;
    }
    uniform_ &= !block_.divergent(id);
    if (op.code == OpCode::if_ || op.code == OpCode::switch_) {
      decide(steps, f_.operand(op, 0));
    }
    BlockStep step{.kind = op.code == OpCode::if_         ? Kind::if_
                           : op.code == OpCode::switch_   ? Kind::switch_
                           : op.code == OpCode::loop      ? Kind::loop
                           : op.code == OpCode::break_    ? Kind::break_
                           : op.code == OpCode::continue_ ? Kind::continue_
                                                          : Kind::return_,
                   .op = id};
    for (const RegionId inner : f_.regions(op)) {
      region(inner, step.regions.emplace_back(), block_loop || op.code == OpCode::loop);
    }
    steps.push_back(std::move(step));
  }

  const Function& f_;
  const Shapes& block_;
  BlockProgram& program_;
  std::vector<bool> ends_lanes_;  // by op
  bool closed_ = false;           // a barrier has ended the last segment
  bool uniform_ = true;
};

// Finds what each segment uses of others.
class Uses {
 public:
  Uses(const ir::Module& module, const Function& f, BlockProgram& program)
      : module_(module),
        f_(f),
        program_(program),
        segment_of_(f.op_count(), kNoSegment),
        cost_(f.value_count(), -1),
        seen_(f.value_count(), kNoSegment) {}

  void run() {
    for (std::uint32_t i = 0; i < program_.segments.size(); ++i) {
      own(program_.segments[i].ops, i);
    }
    for (std::uint32_t i = 0; i < program_.segments.size(); ++i) {
      current_ = i;
      visit(program_.segments[i].ops);
      if (program_.segments[i].decides.valid()) {
        need(program_.segments[i].decides);
      }
      std::ranges::sort(program_.segments[i].repeated, {}, &OpId::index);
    }
    keep();
  }

 private:
  void own(std::span<const OpId> ops, std::uint32_t segment) {
    for (const OpId id : ops) {
      segment_of_[id.index] = segment;
      for (const RegionId region : f_.regions(f_.op(id))) {
        own(f_.region(region).ops, segment);
      }
    }
  }

  void visit(std::span<const OpId> ops) {
    for (const OpId id : ops) {
      const Op& op = f_.op(id);
      for (const ValueId operand : f_.operands(op)) {
        need(operand);
      }
      if (op.code == OpCode::store) {
        if (const ValueId root = local_root(f_, f_.operand(op, 0)); root.valid()) {
          written_.emplace_back(current_, root);
        }
      }
      for (const RegionId region : f_.regions(op)) {
        visit(f_.region(region).ops);
      }
    }
  }

  void need(ValueId value) {
    if (seen_[value.index] == current_) {
      return;
    }
    seen_[value.index] = current_;
    Segment& segment = program_.segments[current_];
    const ir::Value& v = f_.value(value);
    if (v.kind == ir::ValueKind::parameter) {
      segment.parameters.push_back(value);
    }
    if (v.kind != ir::ValueKind::result || segment_of_[v.index] == current_) {
      return;
    }
    const OpId id(v.index);
    const Op& op = f_.op(id);
    if (op.code == OpCode::local) {
      segment.locals.push_back({.declaration = id});
    } else if (cost(value) <= kMaxRepeatedOps) {
      segment.repeated.push_back(id);
      for (const ValueId operand : f_.operands(op)) {
        need(operand);
      }
    } else {
      segment.loaded.push_back(value);
    }
  }

  // Ops that it takes to make a value again.
  int cost(ValueId value) {
    const Op* op = f_.definition(value);
    if (op == nullptr || op->code == OpCode::local) {
      return 0;
    }
    int& known = cost_[value.index];
    if (known >= 0) {
      return known;
    }
    if (module_.types[op->type].kind == ir::TypeKind::reference) {
      return known = 1;  // its operands are what may be dear, and they are kept or repeated by themselves
    }
    const auto family = ir::info(op->code).family;
    const bool cheap = family == ir::OpFamily::arith || family == ir::OpFamily::bits ||
                       family == ir::OpFamily::compare || family == ir::OpFamily::convert ||
                       family == ir::OpFamily::group || op->code == OpCode::buffer_size;
    const ir::TypeKind kind = module_.types[op->type].kind;
    if (!cheap || ir::info(op->code).effect != ir::Effect::pure || !ir::is_scalar(kind) ||
        ir::scalar_category(kind) == ir::ScalarCategory::floating) {
      return known = kNotRepeatable;
    }
    int sum = op->code == OpCode::div || op->code == OpCode::rem ? kDivisionOps : 1;
    for (const ValueId operand : f_.operands(*op)) {
      sum = std::min(sum + cost(operand), kNotRepeatable);
    }
    return known = sum;
  }

  // What is used elsewhere is kept where it is made.
  void keep() {
    std::vector<bool> kept(f_.value_count());
    std::vector<bool> shared(f_.value_count());
    for (const Segment& segment : program_.segments) {
      for (const ValueId value : segment.loaded) {
        kept[value.index] = true;
      }
      for (const KeptLocal& local : segment.locals) {
        shared[f_.op(local.declaration).result.index] = true;
      }
    }
    for (std::size_t i = 0; i < f_.op_count(); ++i) {
      const ValueId result = f_.op(OpId(i)).result;
      if (!result.valid()) {
        continue;
      }
      if (kept[result.index]) {
        program_.kept.push_back(result);
        program_.segments[segment_of_[i]].kept.push_back(result);
      }
      if (shared[result.index]) {
        program_.kept_locals.push_back(result);
        program_.segments[segment_of_[i]].locals.push_back({.declaration = OpId(i), .declared_here = true});
      }
    }
    for (const auto& [segment, root] : written_) {
      for (KeptLocal& local : program_.segments[segment].locals) {
        local.written |= f_.op(local.declaration).result == root;
      }
    }
  }

  const ir::Module& module_;
  const Function& f_;
  BlockProgram& program_;
  std::uint32_t current_ = 0;
  std::vector<std::uint32_t> segment_of_;  // by op
  std::vector<int> cost_;                  // by value; -1 until asked for
  std::vector<std::uint32_t> seen_;        // by value: the last segment that needed it
  std::vector<std::pair<std::uint32_t, ValueId>> written_;
};

// Whether a segment, run by one pack, does all that it would do run by all.
bool acts_once(const Function& f, const Shapes& block, const Segment& segment) {
  const bool keeps_uniform =
      std::ranges::all_of(segment.kept, [&](ValueId value) { return is_uniform(block.of(value)); });
  return keeps_uniform && std::ranges::all_of(segment.ops, [&](OpId id) {
           const Op& op = f.op(id);
           switch (op.code) {
             case OpCode::local: return is_uniform(block.local(op.result));
             case OpCode::load:
             case OpCode::store: {
               const ValueId root = local_root(f, f.operand(op, 0));
               return root.valid() && is_uniform(block.local(root)) && is_uniform(block.of(f.operand(op, 0)));
             }
             default: return ir::info(op.code).effect == ir::Effect::pure;
           }
         });
}

}  // namespace

std::optional<BlockProgram> split_at_barriers(const ir::Module& module, const Function& kernel, const Shapes& block) {
  BlockProgram program;
  if (!Cut(kernel, block, program).uniform()) {
    return std::nullopt;
  }
  Uses(module, kernel, program).run();
  const bool arrays =
      std::ranges::any_of(program.kept, [&](ValueId v) { return has_array(module.types, kernel.type(v)); }) ||
      std::ranges::any_of(program.kept_locals,
                          [&](ValueId v) { return has_array(module.types, module.types[kernel.type(v)].element); });
  if (arrays) {
    return std::nullopt;
  }
  for (Segment& segment : program.segments) {
    segment.once = acts_once(kernel, block, segment);
  }
  return program;
}

}  // namespace weft::passes
