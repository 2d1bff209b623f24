#include "backend/compile.h"

#include "backend/builtin.h"
#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/module_handle.h"
#include "backend/shader_file.h"
#include "runtime/support/files.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <span>
#include <vector>

namespace weft::backend {
namespace {

using detail::DeviceState;
using detail::ShaderState;

// Options in the form of the C interface; lives as long as the call that gets it.
class InterfaceOptions {
 public:
  explicit InterfaceOptions(const ShaderOptions& options) {
    for (const auto& [id, bits] : options.specs) specs_.push_back({id, bits});
    raw_.pack_width = options.width;
    raw_.effort = static_cast<std::uint32_t>(options.effort);
    raw_.form = static_cast<std::uint32_t>(options.form);
    raw_.math = options.math ? static_cast<std::uint32_t>(*options.math) + WEFT_MATH_STRICT : WEFT_MATH_AS_WRITTEN;
    raw_.checks = !options.unchecked ? WEFT_CHECKS_AS_WRITTEN : *options.unchecked ? WEFT_CHECKS_OFF : WEFT_CHECKS_ON;
    raw_.interruptible = options.interruptible ? 1 : 0;
    raw_.spec_count = static_cast<std::uint32_t>(specs_.size());
    raw_.specs = specs_.data();
  }

  const WeftKernelOptions* get() const { return &raw_; }

 private:
  std::vector<WeftSpecValue> specs_;
  WeftKernelOptions raw_{};
};

std::shared_ptr<ShaderState> compile(const std::shared_ptr<DeviceState>& device, const WeftModule& module,
                                     const ShaderOptions& options) {
  dump_kernel(module, options);
  const InterfaceOptions raw(options);
  const ErrorSink errors;
  WeftKernel* const kernel = device->backend.compile(device->handle, &module, raw.get(), errors.interface());
  if (kernel == nullptr) errors.raise(fmt::format("compiling kernel '{}'", module.kernel_name()));
  return std::make_shared<ShaderState>(device, kernel, module.description_if_made());
}

}  // namespace

std::shared_ptr<ShaderState> compile_module(const std::shared_ptr<DeviceState>& device, const ir::Module& module,
                                            const ir::Function& kernel, const ShaderOptions& options) {
  return compile(device, WeftModule(module, kernel), options);
}

std::shared_ptr<ShaderState> compile_text(const std::shared_ptr<DeviceState>& device, std::string_view text,
                                          const ShaderOptions& options, std::string_view kernel,
                                          std::string_view file) {
  const WeftModule module(text, file, kernel);
  // Another backend gets a module without mistakes: nothing that it asks of its host may throw.
  if (&device->backend != &cpu_backend()) (void)module.kernel();
  return compile(device, module, options);
}

std::shared_ptr<ShaderState> load_shader(const std::shared_ptr<DeviceState>& device, const std::filesystem::path& file,
                                         const ShaderOptions& options) {
  const std::string bytes = read_file(file);
  const std::string name = file.string();
  if (!is_shader_file(std::as_bytes(std::span(bytes)))) return compile_text(device, bytes, options, {}, name);
  if (device->backend.load == nullptr) {
    throw CompileError(fmt::format("{}: error: {} takes no compiled shader files", name, device->label()));
  }
  const ErrorSink errors;
  WeftKernel* const kernel =
      device->backend.load(device->handle, bytes.data(), bytes.size(), name.c_str(), errors.interface());
  if (kernel == nullptr) errors.raise(fmt::format("loading '{}'", name));
  return std::make_shared<ShaderState>(device, kernel, nullptr);
}

}  // namespace weft::backend
