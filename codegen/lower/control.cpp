// Control flow: a uniform condition is a branch, a divergent one a mask.
//
// Lanes that leave a region early are kept in stack variables: `active` of each divergent loop (lanes still in it),
// `continued` (lanes that wait for the update), `returned` of the function. After an op in which lanes may have left,
// the mask of the rest of the region is the mask before without those, and the rest is jumped over when it is empty. A
// region is entered with an empty mask only if that is harmless and cheap: no memory, calls or loops.
#include "codegen/lower/control.h"

#include "codegen/lower/context.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/lane_condition.h"
#include "codegen/lower/report.h"
#include "runtime/support/check.h"

namespace weft::lower {

using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::RegionId;

namespace {

// A masked region of up to this many harmless ops is not worth a branch.
constexpr std::size_t kMaxUnguardedOps = 16;

// A region of up to this many ops may be lowered twice: for all lanes, and masked.
constexpr std::size_t kMaxCopiedOps = 64;

// How an op may let lanes leave the region that it is in.
struct Leaves {
  bool loop = false;      // out of the innermost loop around it, or to its update
  bool function = false;  // by a return

  [[nodiscard]] bool any() const { return loop || function; }
  void operator|=(Leaves o) {
    loop |= o.loop;
    function |= o.function;
  }
};

Leaves divergent_leaves(const Emitter& e, OpId id);

Leaves divergent_leaves(const Emitter& e, RegionId region) {
  Leaves leaves;
  for (const OpId op : e.f.region(region).ops) {
    leaves |= divergent_leaves(e, op);
  }
  return leaves;
}

Leaves divergent_leaves(const Emitter& e, OpId id) {
  const Op& op = e.f.op(id);
  switch (op.code) {
    case OpCode::break_:
    case OpCode::continue_: return {e.shapes.divergent(id), false};
    case OpCode::return_: return {false, e.shapes.divergent(id)};
    case OpCode::if_:
    case OpCode::switch_:
    case OpCode::loop: {
      Leaves leaves;
      for (const RegionId region : e.f.regions(op)) {
        leaves |= divergent_leaves(e, region);
      }
      leaves.loop &= op.code != OpCode::loop;
      return leaves;
    }
    default: return {};
  }
}

// Whether ops must not run, or are not worth running, with an empty mask.
bool needs_guard(const Emitter& e, std::span<const OpId> ops, std::size_t& budget) {
  for (const OpId id : ops) {
    const Op& op = e.f.op(id);
    const ir::Effect effect = ir::info(op.code).effect;
    const bool local = op.operand_count > 0 && e.is_local(e.f.operand(op, 0));
    const bool memory =
        (effect == ir::Effect::reads || effect == ir::Effect::writes) && op.code != OpCode::local && !local;
    if (memory || effect == ir::Effect::updates || effect == ir::Effect::barrier || effect == ir::Effect::reports ||
        effect == ir::Effect::warp || op.code == OpCode::loop || op.code == OpCode::return_ || budget == 0) {
      return true;
    }
    --budget;
    for (const RegionId region : e.f.regions(op)) {
      if (needs_guard(e, e.f.region(region).ops, budget)) {
        return true;
      }
    }
  }
  return false;
}

bool needs_guard(const Emitter& e, std::span<const OpId> ops) {
  std::size_t budget = kMaxUnguardedOps;
  return needs_guard(e, ops, budget);
}

// `before` without the lanes that have left since.
llvm::Value* remaining(Emitter& e, llvm::Value* before, Leaves left) {
  const auto load = [&](llvm::AllocaInst* lanes) { return e.b.CreateLoad(e.mask_type(), lanes); };
  llvm::Value* mask = before;
  if (!e.loops.empty() && e.loops.back().active != nullptr) {
    mask = e.both(mask, load(e.loops.back().active));
  } else if (left.function) {
    mask = e.without(mask, load(e.returned));
  }
  if (left.loop && e.loops.back().continued != nullptr) {
    mask = e.without(mask, load(e.loops.back().continued));
  }
  return mask;
}

// Adds the active lanes to a variable, or takes them out of it.
void add_lanes(Emitter& e, llvm::AllocaInst* lanes) {
  llvm::Value* old = e.b.CreateLoad(e.mask_type(), lanes);
  e.b.CreateStore(e.b.CreateOr(old, e.mask_or_all()), lanes);
}
void remove_lanes(Emitter& e, llvm::AllocaInst* lanes) {
  llvm::Value* old = e.b.CreateLoad(e.mask_type(), lanes);
  e.b.CreateStore(e.b.CreateAnd(old, e.b.CreateNot(e.mask_or_all())), lanes);
}

// Lowers a region under a mask, behind a branch where an empty mask would do harm. `some`, if not null, is whether the
// mask is not empty.
void lower_masked(Emitter& e, RegionId region, llvm::Value* mask, llvm::Value* some = nullptr) {
  if (e.f.region(region).ops.empty()) {
    return;
  }
  const auto body = [&] {
    e.set_mask(mask);
    e.lower_region(region);
  };
  const bool guarded = needs_guard(e, e.f.region(region).ops);
  e.note(guarded ? RemarkKind::masked_branch : RemarkKind::flattened);
  if (guarded) {
    e.emit_if(some != nullptr ? some : e.any(mask), body);
  } else {
    body();
  }
}

// Whether a region is worth a copy for packs all of whose lanes take it: a few accesses to memory, which need no mask
// there.
bool is_worth_copy(const Emitter& e, RegionId region) {
  const auto& ops = e.f.region(region).ops;
  bool accesses = false;
  for (const OpId id : ops) {
    const Op& op = e.f.op(id);
    const bool access = op.code == OpCode::load || op.code == OpCode::store;
    accesses |= access && !e.is_local(e.f.operand(op, 0));
    if (!access && ir::info(op.code).effect != ir::Effect::pure) {
      return false;
    }
  }
  return accesses && ops.size() <= kMaxCopiedOps;
}

// A region under the lanes of a condition that scalars decide:
//   if (all) { region, without a mask more } else if (any) { region, masked }
void lower_by_lanes(Emitter& e, RegionId region, llvm::Value* mask, const LaneCondition& lanes) {
  if (lanes.all == nullptr || !is_worth_copy(e, region)) {
    lower_masked(e, region, mask, lanes.any);
    return;
  }
  llvm::BasicBlock* whole = e.block("all");
  llvm::BasicBlock* other = e.block("not_all");
  llvm::BasicBlock* after = e.block("endall");
  llvm::Value* before = e.mask();
  e.b.CreateCondBr(lanes.all, whole, other);
  e.b.SetInsertPoint(whole);
  e.note(RemarkKind::unmasked_copy);
  e.lower_region(region);
  e.b.CreateBr(after);
  e.b.SetInsertPoint(other);
  const Emitter::Otherwise otherwise(e);
  lower_masked(e, region, mask, lanes.any);
  e.set_mask(before);
  e.branch_to(after);
}

void lower_divergent_if(Emitter& e, const Op& op) {
  const ir::ValueId condition = e.f.operand(op, 0);
  const auto regions = e.f.regions(op);
  llvm::Value* before = e.mask();
  llvm::Value* taken = e.vector(e.leaf(condition));
  const auto lanes = before == nullptr ? lane_condition(e, condition) : std::nullopt;
  for (const bool way : {true, false}) {
    const RegionId region = regions[way ? 0 : 1];
    const Ranges::Scope scope(e.ranges);
    e.ranges.assume(condition, way);
    llvm::Value* mask = way ? e.both(before, taken) : e.without(before, taken);
    if (!lanes || e.f.region(region).ops.empty()) {
      lower_masked(e, region, mask);
    } else {
      lower_by_lanes(e, region, mask, way ? *lanes : negation(e, *lanes));
    }
    e.set_mask(before);
  }
}

void lower_if(Emitter& e, OpId id) {
  const Op& op = e.f.op(id);
  const auto regions = e.f.regions(op);
  if (e.shapes.divergent(id)) {
    lower_divergent_if(e, op);
    return;
  }
  e.note(RemarkKind::uniform_branch);
  const Leaf condition = e.leaf(e.f.operand(op, 0));
  llvm::Value* before = e.mask();
  llvm::BasicBlock* then = e.block("then");
  llvm::BasicBlock* otherwise = e.block("else");
  llvm::BasicBlock* after = e.block("endif");
  e.b.CreateCondBr(condition.value, then, otherwise);
  for (const bool way : {true, false}) {
    const Ranges::Scope scope(e.ranges);
    e.ranges.assume(e.f.operand(op, 0), way);
    e.b.SetInsertPoint(way ? then : otherwise);
    e.set_mask(before);
    e.lower_region(regions[way ? 0 : 1]);
    e.b.CreateBr(after);
  }
  e.b.SetInsertPoint(after);
  e.set_mask(before);
}

void lower_uniform_switch(Emitter& e, const Op& op) {
  const auto regions = e.f.regions(op);
  const ir::CaseList& cases = e.f.case_lists[op.imm];
  e.note(RemarkKind::uniform_switch);
  llvm::Value* before = e.mask();
  llvm::Value* selector = e.leaf(e.f.operand(op, 0)).value;
  auto* type = llvm::cast<llvm::IntegerType>(selector->getType());
  llvm::BasicBlock* otherwise = e.block("default");
  llvm::BasicBlock* after = e.block("endswitch");
  llvm::SwitchInst* way = e.b.CreateSwitch(selector, otherwise, static_cast<unsigned>(cases.size()));
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const bool is_default = i == cases.size();
    llvm::BasicBlock* entry = is_default ? otherwise : e.block("case");
    for (const std::int64_t value : is_default ? std::vector<std::int64_t>() : cases[i]) {
      way->addCase(llvm::ConstantInt::get(type, static_cast<std::uint64_t>(value), false, true), entry);
    }
    e.b.SetInsertPoint(entry);
    e.set_mask(before);
    e.lower_region(regions[i]);
    e.b.CreateBr(after);
  }
  e.b.SetInsertPoint(after);
  e.set_mask(before);
}

// Case after case under the lanes that chose it, the default under those that chose none. All masks are made first: a
// case may not see what an earlier one changed.
void lower_divergent_switch(Emitter& e, const Op& op) {
  const auto regions = e.f.regions(op);
  const ir::CaseList& cases = e.f.case_lists[op.imm];
  e.note(RemarkKind::masked_switch);
  llvm::Value* before = e.mask();
  llvm::Value* selector = e.vector(e.leaf(e.f.operand(op, 0)));
  llvm::Value* chosen = e.zero(e.mask_type());
  std::vector<llvm::Value*> masks;
  for (const auto& values : cases) {
    llvm::Value* here = e.zero(e.mask_type());
    for (const std::int64_t value : values) {
      llvm::Constant* constant =
          llvm::ConstantInt::get(selector->getType(), static_cast<std::uint64_t>(value), false, true);
      here = e.b.CreateOr(here, e.b.CreateICmpEQ(selector, constant));
    }
    chosen = e.b.CreateOr(chosen, here);
    masks.push_back(e.both(before, here));
  }
  masks.push_back(e.without(before, chosen));
  for (std::size_t i = 0; i < regions.size(); ++i) {
    lower_masked(e, regions[i], masks[i]);
  }
  e.set_mask(before);
}

bool contains_divergent_continue(const Emitter& e, RegionId region) {
  for (const OpId id : e.f.region(region).ops) {
    const Op& op = e.f.op(id);
    if (op.code == OpCode::continue_ && e.shapes.divergent(id)) {
      return true;
    }
    for (const RegionId inner : op.code == OpCode::loop ? std::span<const RegionId>() : e.f.regions(op)) {
      if (contains_divergent_continue(e, inner)) {
        return true;
      }
    }
  }
  return false;
}

// The condition region; branches to the body, with the lanes that go on, or to the exit.
void lower_condition(Emitter& e, RegionId region, const LoopScope& scope, llvm::BasicBlock* body) {
  e.lower_region(region);
  const Op& yield = e.f.op(e.f.region(region).ops.back());
  const Leaf goes_on = e.leaf(e.f.operand(yield, 0));
  if (scope.active == nullptr || goes_on.shape.is_uniform()) {
    e.b.CreateCondBr(goes_on.value, body, scope.exit);
    return;
  }
  llvm::Value* active = e.both(e.b.CreateLoad(e.mask_type(), scope.active), e.vector(goes_on));
  e.b.CreateStore(active, scope.active);
  e.b.CreateCondBr(e.any(active), body, scope.exit);
}

// An iteration has ended: `if (*context->cancel != 0) goto exit`, so that a dispatch that is to stop need not wait for
// a long loop. All lanes of the pack leave the kernel, as they do at a fault.
void test_cancel(Emitter& e) {
  llvm::Value* context = context_value(e.b, ContextValue::block_context, e.b.getPtrTy());
  llvm::Value* flag = load_context(e.b, context, offsetof(abi::BlockContext, cancel), e.b.getPtrTy());
  llvm::LoadInst* stop = e.b.CreateAlignedLoad(e.b.getInt32Ty(), flag, llvm::Align(4), /*isVolatile=*/true);
  llvm::BasicBlock* next = e.block("next");
  e.b.CreateCondBr(e.b.CreateICmpNE(stop, e.b.getInt32(0)), e.exit, next);
  e.b.SetInsertPoint(next);
}

//   active = mask
// head: condition; active &= condition; if (!any(active)) goto exit
//   body
// update: if (!any(active)) goto exit; update; goto head
// exit: mask as before, without the lanes that returned
void lower_loop(Emitter& e, OpId id) {
  const Op& op = e.f.op(id);
  const auto regions = e.f.regions(op);
  llvm::Value* before = e.mask();
  e.note(e.shapes.divergent(id) ? RemarkKind::masked_loop : RemarkKind::uniform_loop);
  LoopScope scope{.op = id, .update = e.block("update"), .exit = e.block("endloop")};
  if (e.shapes.divergent(id)) {
    scope.active = e.loop_mask("active");
    e.b.CreateStore(e.mask_or_all(), scope.active);
  }
  if (contains_divergent_continue(e, regions[1])) {
    scope.continued = e.loop_mask("continued");
  }
  const auto lanes = [&] { return scope.active != nullptr ? e.b.CreateLoad(e.mask_type(), scope.active) : before; };
  llvm::BasicBlock* head = e.block("loop");
  llvm::BasicBlock* body = e.block("body");
  e.loops.push_back(scope);
  e.branch_to(head);
  e.set_mask(lanes());
  lower_condition(e, regions[0], scope, body);
  const Ranges::Scope known(e.ranges);
  e.ranges.assume_loop(id);
  e.ranges.assume(e.f.operand(e.f.op(e.f.region(regions[0]).ops.back()), 0), true);
  e.b.SetInsertPoint(body);
  if (scope.continued != nullptr) {
    e.b.CreateStore(e.zero(e.mask_type()), scope.continued);
  }
  e.set_mask(lanes());
  e.lower_region(regions[1]);
  e.branch_to(scope.update);
  e.set_mask(lanes());
  if (scope.active != nullptr && divergent_leaves(e, regions[1]).any()) {
    llvm::BasicBlock* some = e.block("update.some");
    e.b.CreateCondBr(e.any(e.mask()), some, scope.exit);
    e.b.SetInsertPoint(some);
  }
  e.lower_region(regions[2]);
  if (e.plan.interruptible) {
    test_cancel(e);
  }
  e.b.CreateBr(head);
  e.b.SetInsertPoint(scope.exit);
  e.loops.pop_back();
  e.set_mask(before);
}

void lower_break(Emitter& e, OpId id) {
  if (!e.shapes.divergent(id)) {
    e.b.CreateBr(e.loops.back().exit);
    e.start_dead_block();
    return;
  }
  e.note(RemarkKind::lanes_leave);
  remove_lanes(e, e.loops.back().active);
}

void lower_continue(Emitter& e, OpId id) {
  if (!e.shapes.divergent(id)) {
    e.b.CreateBr(e.loops.back().update);
    e.start_dead_block();
    return;
  }
  e.note(RemarkKind::lanes_leave);
  add_lanes(e, e.loops.back().continued);
}

void lower_return(Emitter& e, OpId id) {
  if (!e.shapes.divergent(id)) {
    e.b.CreateBr(e.exit);
    e.start_dead_block();
    return;
  }
  e.note(RemarkKind::lanes_leave);
  add_lanes(e, e.returned);
  for (const LoopScope& loop : e.loops) {
    if (loop.active != nullptr) {
      remove_lanes(e, loop.active);
    }
  }
}

}  // namespace

void prepare_returns(Emitter& e) {
  if (divergent_leaves(e, e.f.body()).function) {
    e.returned = e.variable(e.mask_type(), "returned");
    e.b.CreateStore(e.zero(e.mask_type()), e.returned);
  }
}

void Emitter::lower_region(RegionId region) {
  const std::span<const OpId> ops = f.region(region).ops;
  std::vector<llvm::BasicBlock*> ends;  // of the parts of the region that are jumped over, innermost last
  for (std::size_t i = 0; i < ops.size(); ++i) {
    lower_op(ops[i]);
    const Leaves left = i + 1 < ops.size() ? divergent_leaves(*this, ops[i]) : Leaves();
    if (!left.any()) {
      continue;
    }
    set_mask(remaining(*this, mask(), left));
    if (needs_guard(*this, ops.subspan(i + 1))) {
      llvm::BasicBlock* rest = block("rest");
      ends.push_back(block("skip"));
      b.CreateCondBr(any(mask()), rest, ends.back());
      b.SetInsertPoint(rest);
    }
  }
  while (!ends.empty()) {
    branch_to(ends.back());
    ends.pop_back();
  }
}

void lower_control(Emitter& e, OpId id) {
  const Op& op = e.f.op(id);
  switch (op.code) {
    case OpCode::if_: return lower_if(e, id);
    case OpCode::switch_: return e.shapes.divergent(id) ? lower_divergent_switch(e, op) : lower_uniform_switch(e, op);
    case OpCode::loop: return lower_loop(e, id);
    case OpCode::yield: return;
    case OpCode::break_: return lower_break(e, id);
    case OpCode::continue_: return lower_continue(e, id);
    case OpCode::return_: return lower_return(e, id);
    case OpCode::assert_: return lower_assert(e, id);
    case OpCode::unreachable: return lower_unreachable(e, id);
    case OpCode::print: return lower_print(e, id);
    case OpCode::clock: return lower_clock(e, op);
    default: WEFT_UNREACHABLE("{} is left after inlining", ir::info(op.code).text);
  }
}

}  // namespace weft::lower
