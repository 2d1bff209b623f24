// Whether the ids in a function name something. What is wrong here was made by a program, not written by a person.
#include "codegen/ir/verify/rules.h"
#include "codegen/ir/verify/type_rules.h"

namespace weft::ir {

namespace {

class IdChecker {
 public:
  IdChecker(const Module& module, const Function& function, Findings& findings)
      : m_(module), f_(function), findings_(findings), seen_(f_.op_count()) {}

  bool run() {
    check_values();
    if (good_) {
      visit(f_.body(), 0);
    }
    return good_;
  }

 private:
  template <class... Args>
  void require(bool condition, const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    if (!condition) {
      findings_.error(where, format, std::forward<Args>(args)...);
      good_ = false;
    }
  }

  void check_values() {
    for (std::size_t i = 0; i < f_.value_count(); ++i) {
      const Value& v = f_.value(ValueId(i));
      require(v.type.index < m_.types.size(), f_.location, "value {} of @{} has no type", i, f_.name);
      if (v.kind == ValueKind::constant) {
        const auto problem = constant_problem(m_.types, m_.constant(ConstantId(v.index)));
        require(!problem, f_.location, "constant in @{}: {}", f_.name, problem.value_or(""));
        require(v.type == m_.constant(ConstantId(v.index)).type, f_.location,
                "constant in @{} has another type than its value", f_.name);
      }
    }
  }

  void visit(RegionId region, std::uint32_t depth) {
    if (depth > kMaxRegionDepth) {
      require(false, f_.location, "regions in @{} are nested more than {} deep", f_.name, kMaxRegionDepth);
      return;
    }
    for (const OpId id : f_.region(region).ops) {
      require(id.index < f_.op_count(), f_.location, "region in @{} holds op {}, which there is not", f_.name,
              id.index);
      if (id.index >= f_.op_count()) {
        continue;
      }
      const Op& op = f_.op(id);
      require(!seen_[id.index], op.location, "{} stands in two places of @{}", info(op.code).text, f_.name);
      if (seen_[id.index]) {
        continue;
      }
      seen_[id.index] = true;
      check_op(id, op);
      for (const RegionId inner : f_.regions(op)) {
        visit(inner, depth + 1);
      }
    }
  }

  void check_op(OpId id, const Op& op) {
    const std::string_view text = info(op.code).text;
    for (const ValueId v : f_.operands(op)) {
      require(v.index < f_.value_count(), op.location, "{} has an operand without a value", text);
    }
    const bool has_result = op.result.valid();
    require(has_result == (op.type != kVoid), op.location, "{} has a result without a type, or the reverse", text);
    if (has_result) {
      const bool own = op.result.index < f_.value_count() && f_.value(op.result).kind == ValueKind::result &&
                       f_.value(op.result).index == id.index && f_.value(op.result).type == op.type;
      require(own, op.location, "{} and its result do not belong together", text);
    }
    require(op.imm < most_immediates(op), op.location, "{} names number {} of {}", text, op.imm, most_immediates(op));
  }

  [[nodiscard]] std::uint64_t most_immediates(const Op& op) const {
    switch (info(op.code).immediate) {
      case Immediate::text: return m_.string_count();
      case Immediate::function: return m_.functions.size();
      case Immediate::global: return m_.globals.size();
      case Immediate::spec: return m_.specs.size();
      case Immediate::cases: return f_.case_lists.size();
      case Immediate::none:
      case Immediate::part:
      case Immediate::components:
      case Immediate::dimension: return ~std::uint64_t{0};
    }
    return 0;
  }

  const Module& m_;
  const Function& f_;
  Findings& findings_;
  std::vector<bool> seen_;
  bool good_ = true;
};

}  // namespace

bool check_ids(const Module& module, const Function& function, Findings& findings) {
  return IdChecker(module, function, findings).run();
}

}  // namespace weft::ir
