// The functions of helpers.def, which generated code calls, and the table by which the JIT binds them.
#pragma once

#include "runtime/abi/helpers.h"

#include <span>

namespace weft::runtime {

struct Helper {
  const char* symbol;
  void* address;
};

std::span<const Helper> helpers();

}  // namespace weft::runtime
