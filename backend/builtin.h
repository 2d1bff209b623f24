// The tables of the backends that are built in.
#pragma once

#include <weft/backend.h>

#include <span>

namespace weft::backend {

const WeftBackend& cpu_backend();
const WeftBackend& interp_backend();

}  // namespace weft::backend
