// The functions of helpers.def, declared.
#pragma once

#include "runtime/abi/abi.h"

extern "C" {
#define WEFT_HELPER(symbol, result, parameters) result symbol parameters;
#include "runtime/abi/helpers.def"
#undef WEFT_HELPER
}
