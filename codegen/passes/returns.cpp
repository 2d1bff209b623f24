#include "codegen/passes/returns.h"

#include <algorithm>

namespace weft::passes {

using namespace ir;

Returns::Returns(const Function& f) : f_(f), within_(f.op_count()), ends_(f.region_count()) { scan(f.body()); }

// Fills the tables for a region and what it holds; true if it holds a return.
bool Returns::scan(RegionId region) {
  bool any = false;
  for (const OpId id : f_.region(region).ops) {
    const Op& op = f_.op(id);
    bool here = op.code == OpCode::return_;
    bool all_end = op.region_count != 0 && op.code != OpCode::loop;
    for (const RegionId r : f_.regions(op)) {
      here |= scan(r);
      all_end &= end(r);
    }
    within_[id.index] = here;
    any |= here;
    if (op.code == OpCode::return_ || op.code == OpCode::unreachable || all_end) {
      ends_[region.index] = true;
    }
  }
  return any;
}

bool Returns::only_last() const {
  const std::vector<OpId>& ops = f_.region(f_.body()).ops;
  return std::ranges::all_of(
      ops, [&](OpId id) { return !within(id) || (id == ops.back() && f_.op(id).code == OpCode::return_); });
}

// `more` says whether something follows the region.
bool Returns::nests(RegionId region, bool more) const {
  const std::vector<OpId>& ops = f_.region(region).ops;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const Op& op = f_.op(ops[i]);
    if (within(ops[i]) && op.code != OpCode::return_ &&
        (op.code == OpCode::loop || !branches_nest(op, more || i + 1 < ops.size()))) {
      return false;
    }
  }
  return true;
}

bool Returns::branches_nest(const Op& op, bool more) const {
  const auto regions = f_.regions(op);
  const auto falling = std::ranges::count_if(regions, [&](RegionId r) { return !end(r); });
  return (!more || falling <= 1) && std::ranges::all_of(regions, [&](RegionId r) { return nests(r, more && !end(r)); });
}

}  // namespace weft::passes
