// What a module is, for the key of a cache: two modules have the same digest only if they are the same, source places
// and names included, as both can show up in a fault. Modules that mean the same but were built in another order
// differ.
#pragma once

#include "codegen/ir/module.h"
#include "runtime/support/digest.h"

namespace weft::ir {

// Adds the whole module. It takes a few nanoseconds for each op, unlike printing.
void add_to(Digester& digester, const Module& module);

}  // namespace weft::ir
