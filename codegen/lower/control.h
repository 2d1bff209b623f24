// What lowering a function needs of control flow, beside the ops themselves.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

// At the function's entry: the variable for lanes that return while others stay, if there are any.
void prepare_returns(Emitter& e);

}  // namespace weft::lower
