// The name of an object in the shader cache: a digest of all that decides its code.
#pragma once

#include "codegen/jit/compile.h"
#include "runtime/support/digest.h"

namespace weft::jit {

// Adds all but the kernel: every option, the processor, and the build of Weft: the library's own build id, which covers
// compiler, LLVM and device library, as all of them are linked into it.
void add_to(Digester& digester, const CompileOptions& options, const Target& target);

// The key of an object that is found by its module, source places and names included.
[[nodiscard]] Digest object_key(const ir::Module& module, const CompileOptions& options, const Target& target);

// The build id of the library or program that this code is part of, as its bytes; empty if it was linked without one.
[[nodiscard]] std::string_view build_id();

}  // namespace weft::jit
