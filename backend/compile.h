// From a module, a text or a file to a shader of a device.
#pragma once

#include "backend/shader_state.h"
#include "codegen/ir/module.h"

#include <weft/shader.h>

#include <filesystem>
#include <memory>
#include <string_view>

namespace weft::backend {

// The module must have passed the verifier; `kernel` is one of its kernels. Throws CompileError.
std::shared_ptr<detail::ShaderState> compile_module(const std::shared_ptr<detail::DeviceState>& device,
                                                    const ir::Module& module, const ir::Function& kernel,
                                                    const ShaderOptions& options);

// Parses, verifies and compiles. `file` is what diagnostics call the text.
std::shared_ptr<detail::ShaderState> compile_text(const std::shared_ptr<detail::DeviceState>& device,
                                                  std::string_view text, const ShaderOptions& options,
                                                  std::string_view kernel, std::string_view file);

// A compiled shader file, or a text.
std::shared_ptr<detail::ShaderState> load_shader(const std::shared_ptr<detail::DeviceState>& device,
                                                 const std::filesystem::path& file, const ShaderOptions& options);

}  // namespace weft::backend
