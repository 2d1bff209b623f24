// The functions of helpers.def, which generated code calls, and the table by which the JIT binds them.
#pragma once

#include "runtime/abi/abi.h"

#include <span>

extern "C" {
#define WEFT_HELPER(symbol, result, parameters) result symbol parameters;
#include "runtime/abi/helpers.def"
#undef WEFT_HELPER
}

namespace weft::runtime {

struct Helper {
  const char* symbol;
  void* address;
};

std::span<const Helper> helpers();

}  // namespace weft::runtime
