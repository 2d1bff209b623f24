// Regions of a function: what ends them, where ops may stand, and what is visible; and the rules of each op by itself.
#include <unordered_set>
#include <utility>

#include "codegen/ir/typing.h"
#include "codegen/ir/verify/op_rules.h"
#include "codegen/ir/verify/rules.h"

namespace weft::ir {

namespace {

// The region of the innermost loop that an op stands in.
enum class LoopPart : std::uint8_t { none, condition, body, update };

constexpr std::string_view words(LoopPart part) {
  switch (part) {
    case LoopPart::none: return "outside of any loop";
    case LoopPart::condition: return "in a loop's condition";
    case LoopPart::body: return "in a loop's body";
    case LoopPart::update: return "in a loop's update";
  }
  return {};
}

class StructureChecker {
 public:
  StructureChecker(Module& module, const Function& function, Findings& findings)
      : m_(module), f_(function), findings_(findings), texts_(module, function), visible_(f_.value_count()) {}

  void run() {
    for (std::size_t i = 0; i < f_.value_count(); ++i) {
      visible_[i] = f_.value(ValueId(i)).kind != ValueKind::result;
    }
    visit(f_.body(), LoopPart::none);
  }

 private:
  // What the region makes is seen in it, and in `inner` regions that are visited before it ends.
  template <class Inner>
  void visit(RegionId region, LoopPart part, Inner inner) {
    const auto& ops = f_.region(region).ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const Op& op = f_.op(ops[i]);
      check_op(op, region, part);
      if (is_terminator(op.code) && i + 1 < ops.size()) {
        findings_.error(f_.op(ops[i + 1]).location, "{} stands behind {}, which ends the region",
                        info(f_.op(ops[i + 1]).code).text, info(op.code).text);
      }
      if (op.result.valid()) {
        visible_[op.result.index] = true;
      }
    }
    inner();
    for (const OpId id : ops) {
      if (f_.op(id).result.valid()) {
        visible_[f_.op(id).result.index] = false;
      }
    }
  }

  void visit(RegionId region, LoopPart part) {
    visit(region, part, [] {});
  }

  void check_op(const Op& op, RegionId region, LoopPart part) {
    if (check_visible(op)) {
      check_rules(op);
    }
    check_place(op, region, part);
    if (!check_region_count(op)) {
      return;
    }
    if (op.code == OpCode::loop) {
      visit_loop(op);
      return;
    }
    if (op.code == OpCode::switch_ && op.operand_count > 0) {
      check_cases(op);
    }
    for (const RegionId inner : f_.regions(op)) {
      visit(inner, part);
    }
  }

  bool check_visible(const Op& op) {
    bool all = true;
    for (const ValueId v : f_.operands(op)) {
      if (!visible_[v.index]) {
        all = false;
        const Op* definition = f_.definition(v);
        findings_.error(op.location, "{} uses {}, which is not visible here", info(op.code).text, texts_[v])
            .note(findings_.place(definition->location), fmt::format("{} is made here", texts_[v]));
      }
    }
    return all;
  }

  void check_rules(const Op& op) {
    const OpView op_view = view(m_, f_, op);
    const auto name = [&](std::size_t i) { return texts_[op_view.operands[i]]; };
    const std::vector<OpProblem> problems = op_problems(m_, f_, op_view, name);
    for (const OpProblem& problem : problems) {
      Diagnostic& error = findings_.error(op.location, "{}", problem.message);
      if (problem.operand) {
        note_declarations(error, op, *problem.operand);
      }
    }
    if (problems.empty()) {
      check_result(op, op_view);
    }
  }

  // Where a guilty operand was declared, and where operand 1, if that decides what was expected.
  void note_declarations(Diagnostic& error, const Op& op, std::size_t index) {
    note_declaration(error, findings_, m_, f_, f_.operand(op, index), texts_);
    const OpInfo& i = info(op.code);
    if (index > 0 && index < i.operand_count && is_relative(i.operands[index])) {
      note_declaration(error, findings_, m_, f_, f_.operand(op, 0), texts_);
    }
  }

  void check_result(const Op& op, const OpView& op_view) {
    std::vector<TypeId> types;
    for (const ValueId v : op_view.operands) {
      types.push_back(f_.type(v));
    }
    const auto expected = result_type(m_, op.code, types, op_view.given, op.imm);
    if (expected != op.type) {
      findings_.error(op.location, "result of {} has type {}, expected {}", info(op.code).text, m_.types.text(op.type),
                      expected ? m_.types.text(*expected) : "none");
    }
  }

  void check_place(const Op& op, RegionId region, LoopPart part) {
    if ((op.code == OpCode::break_ || op.code == OpCode::continue_) && part != LoopPart::body) {
      findings_.error(op.location, "{} stands {}, expected in a loop's body", info(op.code).text, words(part));
    }
    if (op.code == OpCode::return_ && no_return_in_ != LoopPart::none) {
      findings_.error(op.location, "return stands {}, expected outside of any or in a loop's body",
                      words(no_return_in_));
    }
    if (op.code == OpCode::yield && (part != LoopPart::condition || region != condition_)) {
      findings_.error(op.location, "yield stands elsewhere than at the end of a loop's condition");
    }
    if (op.code == OpCode::shared && (f_.kind != FunctionKind::kernel || region != f_.body())) {
      findings_.error(op.location, "shared stands in {}, expected at the top of a kernel",
                      f_.kind == FunctionKind::kernel ? "an inner region" : "a callable");
    }
  }

  bool check_region_count(const Op& op) {
    const bool cases = op.code == OpCode::switch_;
    const std::size_t expected = op.code == OpCode::if_    ? 2
                                 : op.code == OpCode::loop ? 3
                                 : cases                   ? f_.case_lists[op.imm].size() + 1
                                                           : 0;
    if (op.region_count != expected) {
      findings_.error(op.location, "{} has {} regions, expected {}", info(op.code).text, op.region_count, expected);
    }
    return op.region_count == expected;
  }

  void visit_loop(const Op& op) {
    const auto regions = f_.regions(op);
    const auto& condition = f_.region(regions[0]).ops;
    if (condition.empty() || f_.op(condition.back()).code != OpCode::yield) {
      findings_.error(op.location, "condition of loop does not end in yield");
    }
    const RegionId outer = std::exchange(condition_, regions[0]);
    const LoopPart outer_part = no_return_in_;
    const auto enter = [&](LoopPart part) { no_return_in_ = outer_part == LoopPart::none ? part : outer_part; };
    enter(LoopPart::condition);
    visit(regions[0], LoopPart::condition, [&] {
      condition_ = {};
      no_return_in_ = outer_part;
      visit(regions[1], LoopPart::body);
      enter(LoopPart::update);
      visit(regions[2], LoopPart::update);
    });
    condition_ = outer;
    no_return_in_ = outer_part;
  }

  void check_cases(const Op& op) {
    const TypeKind kind = m_.types[f_.type(f_.operand(op, 0))].kind;
    std::unordered_set<std::int64_t> values;
    for (const auto& list : f_.case_lists[op.imm]) {
      if (list.empty()) {
        findings_.error(op.location, "case of switch has no values");
      }
      for (const std::int64_t value : list) {
        if (!values.insert(value).second) {
          findings_.error(op.location, "switch has two cases for {}", value);
        }
        if (is_scalar(kind) && !fits(kind, value)) {
          findings_.error(op.location, "case {} of switch is out of range for {}", value, scalar_text(kind));
        }
      }
    }
  }

  static bool fits(TypeKind kind, std::int64_t value) {
    const std::uint32_t bits = scalar_bits(kind);
    if (bits == 64) {
      return true;
    }
    const std::int64_t most = std::int64_t{1} << bits;
    return scalar_category(kind) == ScalarCategory::signed_integer ? value >= -most / 2 && value < most / 2
                                                                   : value >= 0 && value < most;
  }

  Module& m_;
  const Function& f_;
  Findings& findings_;
  ValueTexts texts_;
  std::vector<bool> visible_;
  RegionId condition_;  // the region whose end may be a yield
  // The condition or update of the outermost loop that the op at hand is within by it, if any: no return may be there.
  LoopPart no_return_in_ = LoopPart::none;
};

}  // namespace

void check_structure(Module& module, const Function& function, Findings& findings) {
  StructureChecker(module, function, findings).run();
}

}  // namespace weft::ir
