// What functions do through references: writes to constant data, atomics on locals, waiting for what no other block can
// write, overlapping arguments of a call.
//
// A place is a root (local, shared, constant data, buffer, parameter) and the parts chosen on the way from it. What a
// callable does with the places behind its parameters is summed up, callees first, and asked where it is called.
#include <algorithm>
#include <optional>

#include "codegen/ir/verify/calls.h"
#include "codegen/ir/verify/rules.h"

namespace weft::ir {

namespace {

// One step from a place to a part of it: a part that is known, or one chosen at run time.
using Step = std::optional<std::uint64_t>;

struct Place {
  ValueId root;             // the result of local, shared or global, or a parameter: a reference or buffer
  std::vector<Step> steps;  // outermost first
};

// What is done through a parameter: where it is first.
struct Use {
  std::optional<Location> write;
  std::optional<Location> atomic;
  std::optional<Location> wait;
};

class ReferenceChecker {
 public:
  ReferenceChecker(const Module& module, Findings& findings)
      : m_(module), findings_(findings), uses_(module.functions.size()) {}

  void run() {
    for (const FunctionId id : callees_first(m_)) {
      const Function& f = m_.function(id);
      uses_[id.index].resize(f.parameters.size());
      ValueTexts texts(m_, f);
      for (std::size_t r = 0; r < f.region_count(); ++r) {
        for (const OpId op : f.region(RegionId(r)).ops) {
          check(f, uses_[id.index], f.op(op), texts);
        }
      }
    }
  }

 private:
  void check(const Function& f, std::vector<Use>& uses, const Op& op, ValueTexts& texts) {
    if (op.code == OpCode::call) {
      check_call(f, uses, op, texts);
      return;
    }
    const Effect effect = info(op.code).effect;
    const bool on_reference = op.operand_count > 0 && m_.types[f.type(f.operand(op, 0))].kind == TypeKind::reference;
    const bool waits = op.code == OpCode::wait_until;
    if (!on_reference || (effect != Effect::writes && effect != Effect::updates && !waits)) {
      return;
    }
    Use use;
    if (waits) {
      use.wait = op.location;
    } else {
      use.write = op.location;
    }
    if (info(op.code).family == OpFamily::atomic) {
      use.atomic = op.location;
    }
    check_use(f, uses, op, f.operand(op, 0), use, std::string(info(op.code).text), texts);
  }

  void check_call(const Function& f, std::vector<Use>& uses, const Op& op, ValueTexts& texts) {
    const Function& callee = m_.function(FunctionId(op.imm));
    const auto operands = f.operands(op);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (m_.types[f.type(operands[i])].kind != TypeKind::reference) {
        continue;
      }
      check_use(f, uses, op, operands[i], uses_[op.imm][i], fmt::format("call of @{}", callee.name), texts);
      for (std::size_t j = 0; j < i; ++j) {
        if (m_.types[f.type(operands[j])].kind == TypeKind::reference &&
            may_overlap(place(f, operands[j]), place(f, operands[i]))) {
          findings_.error(op.location, "references {} and {} in call of @{} overlap", texts[operands[j]],
                          texts[operands[i]], callee.name);
        }
      }
    }
  }

  // `what` does `use` to the place that `reference` names.
  void check_use(const Function& f, std::vector<Use>& uses, const Op& op, ValueId reference, const Use& use,
                 const std::string& what, ValueTexts& texts) {
    const ValueId root = place(f, reference).root;
    const Op* definition = f.definition(root);
    if (definition == nullptr) {
      note_use(f, uses, root, op, use);
      return;
    }
    const auto explain = [&](Diagnostic& error, const Location& inner) {
      if (inner != op.location) {
        error.note(findings_.place(inner), "it is done here");
      }
    };
    if (use.write && definition->code == OpCode::global) {
      explain(findings_.error(op.location, "{} writes to {}, which is constant data", what, texts[reference]),
              *use.write);
    } else if (use.atomic && definition->code == OpCode::local) {
      explain(findings_.error(op.location, "{} acts on {}, which is local; atomics act on buffers and shared memory",
                              what, texts[reference]),
              *use.atomic);
    } else if (use.wait) {
      explain(findings_.error(op.location,
                              "{} waits for {}, which no other block can write; a wait is for a buffer's "
                              "element",
                              what, texts[reference]),
              *use.wait);
    }
  }

  static void note_use(const Function& f, std::vector<Use>& uses, ValueId parameter, const Op& op, const Use& use) {
    Use& known = uses[f.value(parameter).index];
    const auto note = [&](std::optional<Location>& first, const std::optional<Location>& here) {
      first = first ? first : here ? std::optional(op.location) : std::nullopt;
    };
    note(known.write, use.write);
    note(known.atomic, use.atomic);
    note(known.wait, use.wait);
  }

  [[nodiscard]] Place place(const Function& f, ValueId reference) const {
    Place found{reference, {}};
    const Op* op = f.definition(found.root);
    for (; op != nullptr && op->operand_count > 0; op = f.definition(found.root)) {
      found.steps.push_back(step(f, *op));
      found.root = f.operand(*op, 0);
    }
    std::reverse(found.steps.begin(), found.steps.end());
    return found;
  }

  [[nodiscard]] Step step(const Function& f, const Op& op) const {
    if (info(op.code).immediate == Immediate::part) {
      return op.imm;
    }
    // Places at different bytes of a byte buffer may overlap.
    const Constant* index = op.code == OpCode::byte_element ? nullptr : m_.constant_of(f, f.operand(op, 1));
    return index != nullptr ? Step(index->leaves[0]) : Step();
  }

  // One path that is the beginning of the other names a place that holds the other's.
  static bool may_overlap(const Place& a, const Place& b) {
    if (a.root != b.root) {
      return false;
    }
    for (std::size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
      if (a.steps[i] && b.steps[i] && *a.steps[i] != *b.steps[i]) {
        return false;
      }
    }
    return true;
  }

  const Module& m_;
  Findings& findings_;
  std::vector<std::vector<Use>> uses_;  // by function and parameter
};

}  // namespace

void check_references(const Module& module, Findings& findings) { ReferenceChecker(module, findings).run(); }

}  // namespace weft::ir
