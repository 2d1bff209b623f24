// What perf is told of kernels, by files that it reads: WEFT_PERF.
//
//   map      /tmp/perf-PID.map: address, size and name of each function, while the process runs
//   jitdump  /tmp/jit-PID.dump: also code and lines; `perf inject --jit` makes objects of it
//
// A kernel's block function has the kernel's name, its other functions "kernel.pack" and so on.
#pragma once

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <memory>
#include <string_view>

namespace weft::jit {

// Reports each object that is linked from here on. `form` is WEFT_PERF; null for `off`.
[[nodiscard]] std::unique_ptr<llvm::orc::ObjectLinkingLayer::Plugin> make_profiler_plugin(std::string_view form);

}  // namespace weft::jit
