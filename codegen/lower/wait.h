// Waiting for other blocks: the barrier of the grid, and waiting for a counter in a buffer.
#pragma once

#include "codegen/lower/emitter.h"

namespace weft::lower {

void lower_grid_sync(Emitter& e, ir::OpId op);
void lower_wait_until(Emitter& e, ir::OpId op);

}  // namespace weft::lower
