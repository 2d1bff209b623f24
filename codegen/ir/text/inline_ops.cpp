#include "codegen/ir/text/inline_ops.h"

#include "codegen/ir/text/syntax.h"

namespace weft::ir {

namespace {

class Finder {
 public:
  Finder(const Function& function, bool same_place)
      : f_(function), same_place_(same_place), inline_(f_.op_count()), uses_(f_.value_count()) {}

  std::vector<bool> run() {
    for (std::size_t r = 0; r < f_.region_count(); ++r) {
      for (const OpId op : f_.region(RegionId(r)).ops) {
        for (const ValueId v : f_.operands(op)) {
          ++uses_[v.index];
        }
      }
    }
    for (std::size_t r = 0; r < f_.region_count(); ++r) {
      const auto& ops = f_.region(RegionId(r)).ops;
      for (std::size_t i = ops.size(); i > 0; --i) {
        if (!inline_[ops[i - 1].index]) {
          std::size_t before = i - 1;
          take_operands(ops, ops[i - 1], before, 0);
        }
      }
    }
    return std::move(inline_);
  }

 private:
  // Reading makes operands' ops from left to right, each after those of its own operands, all right before the op. So
  // from right to left they are the ops before it; `before` counts the ops that are left.
  void take_operands(const std::vector<OpId>& ops, OpId user, std::size_t& before, std::uint32_t depth) {
    const auto operands = f_.operands(user);
    for (std::size_t i = operands.size(); i > 0 && before > 0 && depth < kMaxInlineDepth; --i) {
      const OpId candidate = ops[before - 1];
      if (f_.op(candidate).result == operands[i - 1] && can_inline(candidate, user, i - 1)) {
        inline_[candidate.index] = true;
        --before;
        take_operands(ops, candidate, before, depth + 1);
      }
    }
  }

  [[nodiscard]] bool can_inline(OpId id, OpId user, std::size_t operand) const {
    const Op& op = f_.op(id);
    const Value& result = f_.value(op.result);
    if (uses_[op.result.index] != 1 || result.name.valid() || (same_place_ && op.location != f_.op(user).location)) {
      return false;
    }
    if (is_access(op.code)) {
      return !is_constant(f_.operand(op, 0));
    }
    // An access behind an id, as in `dispatch_id.x.y`, cannot be written; only constant data has parts.
    const bool accessed = operand == 0 && (is_access(f_.op(user).code) || has_part(f_.op(user).code));
    const Immediate immediate = info(op.code).immediate;
    return is_inline_op(op.code) && (!accessed || immediate == Immediate::global || immediate == Immediate::spec);
  }

  static bool has_part(OpCode code) {
    const Immediate immediate = info(code).immediate;
    return immediate == Immediate::part || immediate == Immediate::components || has_bracket_index(code);
  }

  [[nodiscard]] bool is_constant(ValueId v) const { return f_.value(v).kind == ValueKind::constant; }

  const Function& f_;
  bool same_place_;
  std::vector<bool> inline_;
  std::vector<std::uint32_t> uses_;
};

}  // namespace

std::vector<bool> find_inline_ops(const Function& function, bool same_place) {
  return Finder(function, same_place).run();
}

}  // namespace weft::ir
