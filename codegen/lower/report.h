// What a kernel tells the outside: assert, unreachable, print; and the clock.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

void lower_assert(Emitter& e, ir::OpId op);
void lower_unreachable(Emitter& e, ir::OpId op);
void lower_print(Emitter& e, ir::OpId op);
void lower_clock(Emitter& e, const ir::Op& op);

}  // namespace weft::lower
