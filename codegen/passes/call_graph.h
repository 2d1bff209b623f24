// Which functions a function calls, and what follows from it for the whole of what it runs.
#pragma once

#include <vector>

#include "codegen/ir/module.h"

namespace weft::passes {

// The functions that `root` calls, directly or not, and `root` itself as the last: each after all that it calls. Calls
// are not recursive (the verifier refuses that).
[[nodiscard]] std::vector<ir::FunctionId> callees_first(const ir::Module& module, ir::FunctionId root);

// All functions of the module, each after all that it calls.
[[nodiscard]] std::vector<ir::FunctionId> all_callees_first(const ir::Module& module);

// What a function contains, calls included.
struct Contents {
  bool barriers = false;
  bool block_waits = false;    // waits for other blocks
  bool warp_ops = false;       // ops that see other lanes of the warp, or its size
  bool shared_memory = false;  // declares it: a kernel
  bool calls = false;          // at least one call is left
};

// The contents of each function of the module, by FunctionId.
[[nodiscard]] std::vector<Contents> contents_of_functions(const ir::Module& module);

// Whether a function waits for other blocks, itself or in what it calls.
[[nodiscard]] bool waits_between_blocks(const ir::Module& module, const ir::Function& function);

}  // namespace weft::passes
