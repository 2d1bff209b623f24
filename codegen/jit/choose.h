// What is chosen for a kernel where the options leave it open: pack width and effort.
#pragma once

#include <string>

#include "codegen/jit/compile.h"

namespace weft::jit {

struct Choice {
  std::uint32_t width;
  Effort effort;
  std::string width_reason;
};

// `kernel` is prepared. An impossible width, or another than the warp size for a kernel that uses warp operations, is
// an error.
[[nodiscard]] Result<Choice> choose(const ir::Module& module, const ir::Function& kernel, const Target& target,
                                    const CompileOptions& options);

// Values of specialisation constants from their bits; an unknown id keeps a type that prepare() rejects.
[[nodiscard]] std::map<std::uint32_t, ir::Constant> spec_values(const ir::Module& module,
                                                                const std::map<std::uint32_t, std::uint64_t>& bits);

}  // namespace weft::jit
