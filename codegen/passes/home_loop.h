// The question: inside which loop is a local variable read? From it follows which lanes' contents of the variable
// matter.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "codegen/ir/module.h"

namespace weft::passes {

struct HomeLoops {
  // For a local all of whose reads lie inside one loop: the outermost loop between its declaration and its reads. Each
  // run of the declaration enters that loop once at most, so a lane that has left the loop never reads the variable
  // again.
  std::unordered_map<ir::ValueId, ir::OpId> loop;
  // Locals that are stored whole, in the region of their declaration, before anything else touches them: their initial
  // zero is never seen.
  std::unordered_set<ir::ValueId> overwritten;
};

[[nodiscard]] HomeLoops find_home_loops(const ir::Function& function);

}  // namespace weft::passes
