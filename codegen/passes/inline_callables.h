// Replaces calls by what they call. Needed for callables that take references or contain barriers, which the lowering
// cannot call; worth it for small ones.
//
// A lane that returns from a callable early waits for the others at the end of the call. Returns become structure:
//   - the only return comes last: the body takes the call's place;
//   - returns end branches, and what follows a branch belongs to one way only: it moves into that way's region;
//   - else: the body becomes the body of a loop that runs once, a return is a break, and after each inner loop that a
//   lane
//     may return from a test of a flag breaks again.
// A result with more than one return goes through a local. Reference parameters become the reference that is given,
// evaluated once, before the body.
#pragma once

#include <functional>
#include <memory>

#include "codegen/ir/module.h"
#include "codegen/passes/call_graph.h"
#include "runtime/support/result.h"

namespace weft::passes {

// Whether a callable cannot be called: it takes a reference, or it or what it calls contains a barrier.
[[nodiscard]] bool must_inline(const ir::Module& module, const ir::Function& callable, const Contents& contents);

struct InlinePolicy {
  // Which callables are inlined, wherever they are called.
  std::function<bool(const ir::Module&, const ir::Function&, const Contents&)> wanted = must_inline;
  // The number of ops beyond which a function may not grow by inlining.
  std::size_t budget_ops = 1U << 20;
};

// The module without the callables that the policy wants inlined; the others and the kernels keep their order. An
// "unsupported" error for each call that does not fit into the budget.
[[nodiscard]] Result<std::unique_ptr<ir::Module>> inline_callables(const ir::Module& module,
                                                                   const InlinePolicy& policy = {});

}  // namespace weft::passes
