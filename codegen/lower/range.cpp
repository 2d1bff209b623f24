#include "codegen/lower/range.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace weft::lower {

using ir::Function;
using ir::Module;
using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::TypeId;
using ir::ValueId;

namespace {

constexpr int kMaxDepth = 8;                              // of an expression that is looked into
constexpr std::uint64_t kSmall = std::uint64_t{1} << 31;  // sums and products of smaller numbers fit 63 bits

using Bound = std::optional<std::uint64_t>;

Bound tighter(Bound a, Bound b) { return a && b ? Bound(std::min(*a, *b)) : a ? a : b; }

template <class F>
Bound combine(Bound a, Bound b, F f) {
  return a && b && *a < kSmall && *b < kSmall ? Bound(f(*a, *b)) : std::nullopt;
}
Bound larger(Bound a, Bound b) {
  return combine(a, b, [](std::uint64_t x, std::uint64_t y) { return std::max(x, y); });
}

}  // namespace

Ranges::Ranges(const Module& module, const Function& function, const passes::Shapes& shapes)
    : module_(module), f_(function), shapes_(shapes) {
  for (std::size_t i = 0; i < f_.op_count(); ++i) {
    const Op& op = f_.op(OpId(i));
    const auto operands = f_.operands(op);
    for (std::size_t j = 0; j < operands.size(); ++j) {
      const Op* root = f_.definition(operands[j]);
      if (root == nullptr || root->code != OpCode::local) {
        continue;
      }
      if (op.code == OpCode::store && j == 0) {
        stores_[operands[j]].emplace_back(i);
      } else if (op.code != OpCode::load) {
        opaque_.insert(operands[j]);
      }
    }
  }
  bound_locals();
}

// A bound B holds for a local if zero, which it starts with, and every stored value is at most B provided that it was
// at most B before. B is tried as the largest value that does not come from the local itself.
void Ranges::bound_locals() {
  for (const auto& [root, stores] : stores_) {
    const TypeId type = module_.types[f_.type(root)].element;
    const bool integer = ir::is_scalar(module_.types[type].kind) && module_.types[type].kind != ir::TypeKind::boolean &&
                         ir::scalar_category(module_.types[type].kind) != ir::ScalarCategory::floating;
    if (!integer || opaque_.contains(root)) {
      continue;
    }
    const Bound start = stores_bound(root, 0);
    if (start && stores_bound(root, *start) == start) {
      locals_[root] = *start;
    }
  }
}

Ranges::Bound Ranges::stores_bound(ValueId root, std::uint64_t assumed) {
  locals_[root] = assumed;
  Bound bound = 0;
  for (const OpId store : stores_[root]) {
    bound = larger(bound, of(f_.operand(f_.op(store), 1), {kMaxDepth}));
  }
  locals_.erase(root);
  return bound;
}

Bound Ranges::upper_bound(ValueId value) const { return of(value, {kMaxDepth}); }

Bound Ranges::upper_bound_of_all_lanes(ValueId value) const { return of(value, {kMaxDepth, true}); }

bool Ranges::is_below_size(ValueId index, ValueId buffer) const {
  return std::ranges::find(below_size_, std::pair(index, buffer)) != below_size_.end();
}

void Ranges::note_load(const Op& load) {
  const auto it = locals_.find(f_.operand(load, 0));
  if (it != locals_.end()) {
    values_[load.result] = it->second;
  }
}

bool Ranges::is_unsigned(TypeId type) const {
  const ir::TypeKind kind = module_.types[type].kind;
  return ir::is_scalar(kind) && ir::scalar_category(kind) == ir::ScalarCategory::unsigned_integer;
}

std::uint64_t Ranges::largest(TypeId type) const {
  const std::uint32_t bits = ir::scalar_bits(module_.types[type].kind);
  return bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
}

void Ranges::limit(ValueId value, Bound bound) {
  const Bound known = of(value, {kMaxDepth});
  if (!bound || (known && *known <= *bound)) {
    return;
  }
  const auto it = values_.find(value);
  assumed_.push_back({Assumed::Kind::value, value, {}, it != values_.end() ? Bound(it->second) : std::nullopt});
  values_[value] = *bound;
}

// a < b, or a <= b. For signed numbers only if a is known not to be negative.
void Ranges::assume_below(ValueId a, ValueId b, bool or_equal) {
  const TypeId type = f_.type(a);
  const Bound bound = of(b, {kMaxDepth});
  if (is_unsigned(type)) {
    assume_below_size(a, b);
  }
  if (!bound || *bound == 0 || (!is_unsigned(type) && !of(a, {kMaxDepth}))) {
    return;
  }
  limit(a, or_equal ? *bound : *bound - 1);
}

// index < buffer_size(buffer), the index perhaps widened for it.
void Ranges::assume_below_size(ValueId index, ValueId size) {
  const Op* query = f_.definition(size);
  if (query == nullptr || query->code != OpCode::buffer_size) {
    return;
  }
  const auto add = [&](ValueId value) {
    below_size_.emplace_back(value, f_.operand(*query, 0));
    assumed_.push_back({Assumed::Kind::size, value, f_.operand(*query, 0), {}});
  };
  add(index);
  const Op* cast = f_.definition(index);
  if (cast != nullptr && cast->code == OpCode::cast && is_unsigned(f_.type(f_.operand(*cast, 0)))) {
    add(f_.operand(*cast, 0));
  }
}

void Ranges::assume(ValueId condition, bool truth) {
  const Op* op = f_.definition(condition);
  if (op == nullptr || op->operand_count == 0 || !ir::is_scalar(module_.types[f_.type(f_.operand(*op, 0))].kind)) {
    return;
  }
  const ValueId a = f_.operand(*op, 0);
  const ValueId b = op->operand_count > 1 ? f_.operand(*op, 1) : ValueId();
  const bool boolean = f_.type(a) == ir::kBool;
  const bool integer = !boolean && ir::scalar_category(module_.types[f_.type(a)].kind) != ir::ScalarCategory::floating;
  if (boolean && op->code == OpCode::not_) {
    assume(a, !truth);
  } else if (boolean && op->code == (truth ? OpCode::and_ : OpCode::or_)) {
    assume(a, truth);
    assume(b, truth);
  }
  if (!integer) {
    return;
  }
  switch (op->code) {
    case OpCode::lt: return truth ? assume_below(a, b, false) : assume_below(b, a, true);
    case OpCode::le: return truth ? assume_below(a, b, true) : assume_below(b, a, false);
    case OpCode::gt: return truth ? assume_below(b, a, false) : assume_below(a, b, true);
    case OpCode::ge: return truth ? assume_below(b, a, true) : assume_below(a, b, false);
    case OpCode::eq:
      if (truth) {
        limit(a, of(b, {kMaxDepth}));
        limit(b, of(a, {kMaxDepth}));
      }
      return;
    default: return;
  }
}

// for (...; load(local) < limit; ...) whose body does not store to the local: there the local is below the limit.
void Ranges::assume_loop(OpId loop) {
  const auto regions = f_.regions(f_.op(loop));
  const auto& condition = f_.region(regions[0]).ops;
  const Op* test = f_.definition(f_.operand(f_.op(condition.back()), 0));
  const Op* load = test != nullptr && test->code == OpCode::lt ? f_.definition(f_.operand(*test, 0)) : nullptr;
  if (load == nullptr || load->code != OpCode::load || !is_unsigned(f_.type(f_.operand(*test, 0)))) {
    return;
  }
  const ValueId root = f_.operand(*load, 0);
  const auto stores = stores_.find(root);
  const Bound limit = of(f_.operand(*test, 1), {kMaxDepth});
  if (stores == stores_.end() || opaque_.contains(root) || !limit || *limit == 0) {
    return;
  }
  // Ops are numbered in the order that they were made in, not as they stand: look the stores up where they may not be.
  const auto stored_in = [&](auto& self, ir::RegionId region) -> bool {
    return std::ranges::any_of(f_.region(region).ops, [&](OpId id) {
      const Op& op = f_.op(id);
      return (op.code == OpCode::store && f_.operand(op, 0) == root) ||
             std::ranges::any_of(f_.regions(op), [&](ir::RegionId inner) { return self(self, inner); });
    });
  };
  if (stored_in(stored_in, regions[0]) || stored_in(stored_in, regions[1])) {
    return;
  }
  const auto it = locals_.find(root);
  assumed_.push_back({Assumed::Kind::local, root, {}, it != locals_.end() ? Bound(it->second) : std::nullopt});
  locals_[root] = it != locals_.end() ? std::min(it->second, *limit - 1) : *limit - 1;
}

void Ranges::forget(std::size_t mark) {
  while (assumed_.size() > mark) {
    const Assumed& last = assumed_.back();
    if (last.kind == Assumed::Kind::size) {
      below_size_.pop_back();
    } else {
      auto& facts = last.kind == Assumed::Kind::value ? values_ : locals_;
      if (last.before) {
        facts[last.subject] = *last.before;
      } else {
        facts.erase(last.subject);
      }
    }
    assumed_.pop_back();
  }
}

Bound Ranges::of(ValueId value, Search search) const {
  if (const ir::Constant* c = module_.constant_of(f_, value)) {
    return c->leaves.size() == 1 ? Bound(c->leaves[0]) : std::nullopt;
  }
  const auto known = values_.find(value);
  const bool holds = known != values_.end() && (!search.all_lanes || shapes_.of(value)[0].is_uniform());
  const Bound noted = holds ? Bound(known->second) : std::nullopt;
  const Op* op = f_.definition(value);
  if (op == nullptr || search.depth == 0 || !ir::is_scalar(module_.types[f_.type(value)].kind)) {
    return noted;
  }
  const Bound bound = of_op(*op, {search.depth - 1, search.all_lanes});
  return tighter(noted, bound && *bound <= largest(f_.type(value)) ? bound : std::nullopt);
}

Bound Ranges::of_op(const Op& op, Search search) const {
  const auto first = [&] { return operand(op, 0, search); };
  const auto second = [&] { return operand(op, 1, search); };
  switch (op.code) {
    case OpCode::thread_id: return f_.attributes.block_size[op.imm] - 1;
    case OpCode::block_size: return f_.attributes.block_size[op.imm];
    case OpCode::warp_lane: return f_.attributes.warp_size - 1;
    case OpCode::add: return combine(first(), second(), [](auto a, auto b) { return a + b; });
    case OpCode::mul: return combine(first(), second(), [](auto a, auto b) { return a * b; });
    case OpCode::and_: return tighter(first(), second());
    case OpCode::min: return is_unsigned(op.type) ? tighter(first(), second()) : larger(first(), second());
    case OpCode::max: return larger(first(), second());
    case OpCode::select: return larger(second(), operand(op, 2, search));
    case OpCode::rem: {
      const ir::Constant* divisor = module_.constant_of(f_, f_.operand(op, 1));
      const bool known = is_unsigned(op.type) && divisor != nullptr && divisor->leaves[0] > 0;
      return known ? tighter(first(), Bound(divisor->leaves[0] - 1)) : first();
    }
    case OpCode::div: return is_unsigned(op.type) ? first() : std::nullopt;
    case OpCode::shr: return of_shift(op, first());
    case OpCode::cast: return of_cast(op, first());
    case OpCode::load: {  // of a local whose stores bound it for good; see note_load for what holds here only
      const auto it = assumed_.empty() ? locals_.find(f_.operand(op, 0)) : locals_.end();
      return it != locals_.end() ? Bound(it->second) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

Bound Ranges::of_shift(const Op& op, Bound a) const {
  const ir::Constant* amount = module_.constant_of(f_, f_.operand(op, 1));
  if (!is_unsigned(op.type) && (!a || *a > largest(op.type) / 2)) {
    return std::nullopt;
  }
  if (amount == nullptr) {
    return a;
  }
  const auto shift = static_cast<std::uint32_t>(amount->leaves[0] % ir::scalar_bits(module_.types[op.type].kind));
  return a.value_or(largest(op.type)) >> shift;
}

// Between integers, where the bound fits the narrower of both as a number that is not negative.
Bound Ranges::of_cast(const Op& op, Bound a) const {
  const ir::TypeKind from = module_.types[f_.type(f_.operand(op, 0))].kind;
  const ir::TypeKind to = module_.types[op.type].kind;
  if (!ir::is_scalar(from) || ir::scalar_category(from) == ir::ScalarCategory::floating || !a ||
      ir::scalar_category(to) == ir::ScalarCategory::floating) {
    return std::nullopt;
  }
  const std::uint32_t bits = std::min(ir::scalar_bits(from), ir::scalar_bits(to));
  return bits > 1 && *a < (std::uint64_t{1} << (bits - 1)) ? a : std::nullopt;
}

}  // namespace weft::lower
