// Where the returns of a function are, and whether nesting alone can do without them.
#pragma once

#include <vector>

#include "codegen/ir/module.h"

namespace weft::passes {

class Returns {
 public:
  explicit Returns(const ir::Function& f);

  // Whether a lane may return within the op.
  [[nodiscard]] bool within(ir::OpId op) const { return within_[op.index]; }
  // Whether no lane comes to the end of the region: each returns before or faults.
  [[nodiscard]] bool end(ir::RegionId region) const { return ends_[region.index]; }
  // Whether the only return, if any, is the last op of the body.
  [[nodiscard]] bool only_last() const;
  // Whether every return can become the end of a branch: none is in a loop, and what follows an if or switch with
  // returns is reached from one of its regions at most.
  [[nodiscard]] bool nest() const { return nests(f_.body(), false); }

 private:
  bool scan(ir::RegionId region);
  [[nodiscard]] bool nests(ir::RegionId region, bool more) const;
  [[nodiscard]] bool branches_nest(const ir::Op& op, bool more) const;

  const ir::Function& f_;
  std::vector<bool> within_;  // by OpId
  std::vector<bool> ends_;    // by RegionId
};

}  // namespace weft::passes
