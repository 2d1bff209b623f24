#include "codegen/ir/verify/calls.h"

namespace weft::ir {

std::vector<OpId> calls_of(const Function& f) {
  std::vector<OpId> calls;
  for (std::size_t r = 0; r < f.region_count(); ++r) {
    for (const OpId id : f.region(RegionId(r)).ops) {
      if (f.op(id).code == OpCode::call) {
        calls.push_back(id);
      }
    }
  }
  return calls;
}

std::vector<FunctionId> callees_first(const Module& m) {
  std::vector<FunctionId> order;
  std::vector<std::vector<std::size_t>> callers(m.functions.size());
  std::vector<std::size_t> missing(m.functions.size());  // calls of functions that are not in the order yet
  for (std::size_t i = 0; i < m.functions.size(); ++i) {
    for (const OpId call : calls_of(m.functions[i])) {
      callers[m.functions[i].op(call).imm].push_back(i);
      ++missing[i];
    }
    if (missing[i] == 0) {
      order.emplace_back(i);
    }
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const std::size_t caller : callers[order[next].index]) {
      if (--missing[caller] == 0) {
        order.emplace_back(caller);
      }
    }
  }
  return order;
}

}  // namespace weft::ir
