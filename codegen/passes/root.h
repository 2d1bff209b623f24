// What a reference leads to, seen from inside one function.
#pragma once

#include "codegen/ir/module.h"

namespace weft::passes {

enum class RootKind : std::uint8_t { local, shared, global, buffer, parameter };

struct Root {
  RootKind kind;
  // The result of the local, shared or global op, the buffer, or the parameter that is a reference.
  ir::ValueId value;
};

// The root of a reference (or of a buffer: itself, as a parameter): follows member and element to the place that they
// are parts of.
[[nodiscard]] Root root_of(const ir::Function& function, ir::ValueId reference);

// How a function uses what its parameters lead to, calls included.
struct BufferUse {
  bool read = false;
  bool written = false;
};

// By parameter; false for parameters that are neither buffers nor references. Atomics read and write.
[[nodiscard]] std::vector<BufferUse> buffer_uses(const ir::Module& module, const ir::Function& function);

}  // namespace weft::passes
