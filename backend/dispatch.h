// Dispatches of the C interface: those whose size is known, and those that read it from a buffer when they begin.
#pragma once

#include "runtime/command.h"

#include <weft/backend.h>

#include <memory>

namespace weft::backend {

// Throws UsageError for a dispatch that is too large; one that reads its size fails with it when it begins, as it does
// when the size is beyond its limit.
std::shared_ptr<runtime::Command> make_dispatch(const WeftCommand& command);

}  // namespace weft::backend
