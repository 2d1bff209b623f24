// A verified module on its way to a backend: WeftModule of the C interface. Backends that are built in look inside;
// others ask WeftHost for the text.
#pragma once

#include "backend/kernel_info.h"
#include "codegen/ir/module.h"

#include <weft/backend.h>

#include <memory>
#include <optional>
#include <string>

struct WeftModule {
  // `module` must outlive this and have passed the verifier.
  WeftModule(const weft::ir::Module& module, const weft::ir::Function& kernel)
      : module(module),
        kernel(kernel),
        description(std::make_shared<weft::backend::KernelDescription>(module, kernel)) {}

  const weft::ir::Module& module;
  const weft::ir::Function& kernel;
  std::shared_ptr<weft::backend::KernelDescription> description;
  mutable std::optional<std::string> text;  // made when asked for, by the one thread that compiles
};
