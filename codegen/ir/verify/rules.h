// The parts of the verifier, in the order in which they are run: each relies on what those before it have checked.
#pragma once

#include "codegen/ir/verify/findings.h"

namespace weft::ir {

// Types, names, constants and specialisation constants of a module.
void check_module(Module& module, Findings& findings);

// Parameters, result and attributes of a function.
void check_signature(const Module& module, const Function& function, Findings& findings);

// Whether all ids that a function holds name something. If not, nothing else can be asked of it.
[[nodiscard]] bool check_ids(const Module& module, const Function& function, Findings& findings);

// Regions, what ends them, what is visible, and the rules of each op by itself.
void check_structure(Module& module, const Function& function, Findings& findings);

// That a callable with a result returns one on every path.
void check_returns(const Module& module, const Function& function, Findings& findings);

// That no function calls itself. False if one does.
[[nodiscard]] bool check_recursion(const Module& module, Findings& findings);

// What is done through references, over all functions. Relies on all rules above.
void check_references(const Module& module, Findings& findings);

}  // namespace weft::ir
