#include "codegen/passes/home_loop.h"

#include <algorithm>
#include <vector>

namespace weft::passes {

using ir::Function;
using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::RegionId;
using ir::ValueId;

namespace {

// A use of a local: where, and whether it can read.
struct Use {
  OpId op;
  RegionId region;
  bool stores_whole;  // a store through the local's own reference
};

class Finder {
 public:
  explicit Finder(const Function& f) : f_(f), parent_region_(f.region_count()), owner_(f.region_count()) {}

  HomeLoops run() {
    walk(f_.body());
    HomeLoops result;
    for (const auto& [root, declaration] : declarations_) {
      const auto& uses = uses_[root];
      if (!uses.empty() && uses.front().stores_whole && uses.front().region == declaration) {
        result.overwritten.insert(root);
      }
      if (const OpId loop = common_loop(declaration, uses); loop.valid()) {
        result.loop.emplace(root, loop);
      }
    }
    return result;
  }

 private:
  void walk(RegionId region) {
    for (const OpId id : f_.region(region).ops) {
      const Op& op = f_.op(id);
      note_uses(id, op, region);
      for (const RegionId inner : f_.regions(op)) {
        parent_region_[inner.index] = region;
        owner_[inner.index] = id;
        walk(inner);
      }
    }
  }

  void note_uses(OpId id, const Op& op, RegionId region) {
    if (op.code == OpCode::local) {
      declarations_.emplace_back(op.result, region);
      roots_[op.result] = op.result;
    }
    const auto operands = f_.operands(op);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto it = roots_.find(operands[i]);
      if (it == roots_.end()) {
        continue;
      }
      if (op.result.valid() && (op.code == OpCode::member || op.code == OpCode::element) && i == 0) {
        roots_[op.result] = it->second;
      } else {
        const bool whole = op.code == OpCode::store && i == 0 && it->first == it->second;
        uses_[it->second].push_back({id, region, whole});
      }
    }
  }

  // The outermost loop on the way from the declaration's region to all uses that may read.
  [[nodiscard]] OpId common_loop(RegionId declaration, const std::vector<Use>& uses) const {
    OpId common;
    for (const Use& use : uses) {
      if (f_.op(use.op).code == OpCode::store) {
        continue;
      }
      OpId loop;
      for (RegionId r = use.region; r != declaration; r = parent_region_[r.index]) {
        loop = f_.op(owner_[r.index]).code == OpCode::loop ? owner_[r.index] : loop;
      }
      if (!loop.valid() || (common.valid() && loop != common)) {
        return {};
      }
      common = loop;
    }
    return common;
  }

  const Function& f_;
  std::vector<RegionId> parent_region_;
  std::vector<OpId> owner_;  // of a region
  std::vector<std::pair<ValueId, RegionId>> declarations_;
  std::unordered_map<ValueId, ValueId> roots_;  // reference -> local
  std::unordered_map<ValueId, std::vector<Use>> uses_;
};

}  // namespace

HomeLoops find_home_loops(const Function& function) { return Finder(function).run(); }

}  // namespace weft::passes
