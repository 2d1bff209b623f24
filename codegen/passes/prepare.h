// prepare: the first pass over IR as recorded or parsed. What it makes is what the interpreter runs and the lowering
// lowers, so that both mean the same.
//
//   specialise  spec ops become constants: their overrides, else their defaults
//   expand      each op of kind `expand` becomes core and device ops, by its one expansion (expansions.h)
//   contract    in strict math, a product that is used exactly once, in a sum of the same region, becomes one fma with
//   it
//
// The module must have passed the verifier; the result passes it too. It holds the kernel and the callables that the
// kernel reaches, callees before callers and the kernel last: the math mode is the kernel's for all of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "codegen/ir/module.h"
#include "runtime/support/result.h"

namespace weft::passes {

struct PrepareOptions {
  // Values of specialisation constants by their ids, of exactly the types that they have in the module.
  std::map<std::uint32_t, ir::Constant> spec_values;
  // In place of the kernel's attributes.
  std::optional<ir::MathMode> math;
  std::optional<bool> unchecked;
};

// Prepares the kernel of that name, or the module's only kernel for an empty name. Errors: no such kernel, a value for
// an unknown specialisation constant or of another type.
[[nodiscard]] Result<std::unique_ptr<ir::Module>> prepare(const ir::Module& module, std::string_view kernel = {},
                                                          const PrepareOptions& options = {});

}  // namespace weft::passes
