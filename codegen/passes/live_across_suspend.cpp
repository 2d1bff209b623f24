#include "codegen/passes/live_across_suspend.h"

#include <algorithm>

namespace weft::passes {

using ir::Function;
using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::RegionId;
using ir::ValueId;

namespace {

using Position = std::uint32_t;  // of an op in the text, counted through all regions

struct Variable {
  ValueId root;
  Position declared = 0;
  Position scope_end = 0;
  std::vector<Position> reads;  // ascending

  [[nodiscard]] bool read_within(Position begin, Position end) const {
    const auto first = std::ranges::lower_bound(reads, begin);
    return first != reads.end() && *first < end;
  }
};

struct Span {
  Position begin;
  Position end;
};

struct Barrier {
  OpId op;
  Position at;
  std::vector<std::size_t> loops;  // around it, indices of loop spans
};

class Walk {
 public:
  explicit Walk(const Function& f) : f_(f) { region(f.body()); }

  [[nodiscard]] LiveAcrossSuspend result() const {
    LiveAcrossSuspend live;
    for (const Barrier& barrier : barriers_) {
      auto& locals = live.locals[barrier.op];
      for (const Variable& v : variables_) {
        if (lives_across(v, barrier)) {
          locals.push_back(v.root);
          live.any.insert(v.root);
        }
      }
    }
    return live;
  }

 private:
  [[nodiscard]] bool lives_across(const Variable& v, const Barrier& barrier) const {
    if (v.declared > barrier.at || barrier.at >= v.scope_end || v.reads.empty()) {
      return false;
    }
    return v.reads.back() > barrier.at || std::ranges::any_of(barrier.loops, [&](std::size_t i) {
             return v.declared < spans_[i].begin && v.read_within(spans_[i].begin, spans_[i].end);
           });
  }

  void region(RegionId id) {
    const std::size_t first_variable = variables_.size();
    for (const OpId op : f_.region(id).ops) {
      visit(op);
    }
    // Those of inner regions have their end already.
    for (std::size_t i = first_variable; i < variables_.size(); ++i) {
      if (variables_[i].scope_end == 0) {
        variables_[i].scope_end = position_;
      }
    }
  }

  void visit(OpId id) {
    const Op& op = f_.op(id);
    const Position at = ++position_;
    note_reads(op, at);
    if (ir::info(op.code).effect == ir::Effect::barrier) {
      barriers_.push_back({id, at, open_loops_});
    } else if (op.code == OpCode::local) {
      roots_[op.result] = variables_.size();
      variables_.push_back({.root = op.result, .declared = at});
    }
    const bool loop = op.code == OpCode::loop;
    if (loop) {
      open_loops_.push_back(spans_.size());
      spans_.push_back({at, at});
    }
    for (const RegionId inner : f_.regions(op)) {
      region(inner);
    }
    if (loop) {
      spans_[open_loops_.back()].end = position_ + 1;
      open_loops_.pop_back();
    }
  }

  void note_reads(const Op& op, Position at) {
    const auto operands = f_.operands(op);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto it = roots_.find(operands[i]);
      if (it == roots_.end()) {
        continue;
      }
      if ((op.code == OpCode::member || op.code == OpCode::element) && i == 0) {
        roots_[op.result] = it->second;
      } else if (op.code != OpCode::store || i != 0) {
        variables_[it->second].reads.push_back(at);
      }
    }
  }

  const Function& f_;
  Position position_ = 0;
  std::vector<Variable> variables_;
  std::vector<Span> spans_;
  std::vector<std::size_t> open_loops_;
  std::vector<Barrier> barriers_;
  std::unordered_map<ValueId, std::size_t> roots_;  // reference -> variable
};

}  // namespace

LiveAcrossSuspend live_across_suspend(const Function& function) { return Walk(function).result(); }

}  // namespace weft::passes
