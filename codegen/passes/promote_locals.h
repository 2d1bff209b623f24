// Variables that are written once become the value that was written.
//
// A front end makes a variable of each of the user's names; most are given a value where they are declared and then
// only read. As values they are seen through: that an index is thread_id.x, that two indices are one. Promoted is a
// local without arrays whose one store is of the whole, in the region of its declaration, before anything else touches
// it.
#pragma once

#include "codegen/ir/module.h"

namespace weft::passes {

[[nodiscard]] ir::Function promote_locals(ir::Module& module, const ir::Function& function);

}  // namespace weft::passes
