// The options that choose a kernel and say how to compile it: the same for `compile`, `explain` and `run`.
#pragma once

#include "codegen/ir/module.h"
#include "codegen/jit/compile.h"

#include <weft/shader.h>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace weft::tools {

struct KernelFlags {
  std::string file;
  std::string kernel;
  std::string cpu;
  std::uint32_t width = 0;
  Effort effort = Effort::automatic;
  Form form = Form::automatic;
  std::optional<MathMode> math;
  bool unchecked = false;
  bool interruptible = false;
  std::vector<std::string> specs;  // name=value or id=value

  void add_to(CLI::App& command);

  // Both throw UsageFailure for a --spec that does not fit the module.
  ShaderOptions shader_options(const ir::Module& module) const;
  jit::CompileOptions compile_options(const ir::Module& module, const ir::Function& function) const;

  // Whether an option was given that only compiling obeys.
  bool asks_for_compilation() const {
    return !kernel.empty() || width != 0 || effort != Effort::automatic || form != Form::automatic || math ||
           unchecked || interruptible || !specs.empty();
  }
};

}  // namespace weft::tools
