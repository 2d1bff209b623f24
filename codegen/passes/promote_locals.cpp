#include "codegen/passes/promote_locals.h"

#include <unordered_map>
#include <unordered_set>

#include "codegen/passes/rewrite.h"
#include "codegen/passes/slots.h"

namespace weft::passes {

using namespace ir;

namespace {

// Finds the locals to promote, in one walk in the order of the text.
class Candidates {
 public:
  Candidates(const Module& module, const Function& f) : module_(module), f_(f) { walk(f.body()); }

  // The results of the `local` ops that can be promoted.
  [[nodiscard]] std::unordered_set<ValueId> found() const {
    std::unordered_set<ValueId> result;
    for (const auto& [root, use] : uses_) {
      if (use.stored && !use.spoilt) {
        result.insert(root);
      }
    }
    return result;
  }

 private:
  struct Use {
    RegionId region;  // of the declaration
    bool stored = false;
    bool spoilt = false;
  };

  void walk(RegionId region) {
    for (const OpId id : f_.region(region).ops) {
      const Op& op = f_.op(id);
      if (op.code == OpCode::local) {
        uses_[op.result] = {region, false, has_array(module_.types, module_.types[op.type].element)};
        root_of_[op.result] = op.result;
      }
      for (std::size_t i = 0; i < op.operand_count; ++i) {
        if (const auto root = root_of_.find(f_.operand(op, i)); root != root_of_.end()) {
          touch(region, op, root->second, f_.operand(op, i));
        }
      }
      for (const RegionId inner : f_.regions(op)) {
        walk(inner);
      }
    }
  }

  void touch(RegionId region, const Op& op, ValueId root, ValueId reference) {
    Use& use = uses_.at(root);
    if (op.code == OpCode::member || op.code == OpCode::element) {
      root_of_[op.result] = root;
      use.spoilt |= !use.stored;
    } else if (op.code == OpCode::load) {
      use.spoilt |= !use.stored;
    } else if (op.code == OpCode::store && reference == root && region == use.region && !use.stored) {
      use.stored = true;
    } else {
      use.spoilt = true;
    }
  }

  const Module& module_;
  const Function& f_;
  std::unordered_map<ValueId, Use> uses_;         // by local
  std::unordered_map<ValueId, ValueId> root_of_;  // by reference into a local
};

class Promoter : public Rewriter {
 public:
  Promoter(const Function& from, Builder& builder, std::unordered_set<ValueId> promoted)
      : Rewriter(from, builder), promoted_(std::move(promoted)) {}

 protected:
  void rewrite(const Op& op) override {
    if (op.code == OpCode::local && promoted_.contains(op.result)) {
      return;
    }
    const ValueId first = op.operand_count > 0 ? from().operand(op, 0) : ValueId();
    if (op.code == OpCode::store && promoted_.contains(first)) {
      contents_[first] = mapped(from().operand(op, 1));
      return;
    }
    const auto contents = contents_.find(first);
    if (contents == contents_.end()) {
      copy(op);
      return;
    }
    const ValueId whole = contents->second;
    if (op.code == OpCode::load) {
      map(op.result, whole);
    } else if (op.code == OpCode::member) {
      contents_[op.result] = builder().extract(whole, static_cast<std::uint32_t>(op.imm));
    } else {
      contents_[op.result] = builder().emit(OpCode::extract_at, {whole, mapped(from().operand(op, 1))});
    }
  }

 private:
  std::unordered_set<ValueId> promoted_;
  std::unordered_map<ValueId, ValueId> contents_;  // by reference of `from`: the value that is there
};

}  // namespace

Function promote_locals(Module& module, const Function& from) {
  Function to = like(from);
  Builder builder(module, to);
  Promoter(from, builder, Candidates(module, from).found()).run();
  return to;
}

}  // namespace weft::passes
