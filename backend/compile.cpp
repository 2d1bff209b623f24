#include "backend/compile.h"

#include "backend/dump.h"
#include "backend/errors.h"
#include "backend/module_handle.h"
#include "backend/shader_file.h"
#include "codegen/ir/verify/verify.h"
#include "runtime/support/diagnostic.h"
#include "runtime/support/files.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <span>
#include <vector>

namespace weft::backend {
namespace {

using detail::DeviceState;
using detail::ShaderState;

[[noreturn]] void throw_diagnostics(const DiagnosticList& diagnostics, std::string_view file, std::string_view text) {
  SourceTexts sources;
  sources.add(std::string(file), std::string(text));
  throw CompileError(print(diagnostics, sources));
}

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
    raw_.spec_count = static_cast<std::uint32_t>(specs_.size());
    raw_.specs = specs_.data();
  }

  const WeftKernelOptions* get() const { return &raw_; }

 private:
  std::vector<WeftSpecValue> specs_;
  WeftKernelOptions raw_{};
};

const ir::Function& find_kernel(const ir::Module& module, std::string_view name, std::string_view file) {
  if (const ir::Function* kernel = module.find_kernel(name)) return *kernel;
  std::string names;
  for (const ir::Function& function : module.functions) {
    if (function.kind == ir::FunctionKind::kernel)
      names += fmt::format("{}@{}", names.empty() ? "" : ", ", function.name);
  }
  if (names.empty()) throw CompileError(fmt::format("{}: error: there is no kernel", file));
  if (name.empty()) throw CompileError(fmt::format("{}: error: there are several kernels, name one: {}", file, names));
  throw CompileError(fmt::format("{}: error: there is no kernel @{}; there are: {}", file, name, names));
}

}  // namespace

std::shared_ptr<ShaderState> compile_module(const std::shared_ptr<DeviceState>& device, const ir::Module& module,
                                            const ir::Function& kernel, const ShaderOptions& options) {
  dump_kernel(module, kernel, options);
  const WeftModule handle(module, kernel);
  const InterfaceOptions raw(options);
  const ErrorSink errors;
  WeftKernel* const compiled = device->backend.compile(device->handle, &handle, raw.get(), errors.interface());
  if (compiled == nullptr) errors.raise(fmt::format("compiling kernel '{}'", kernel.name));
  return std::make_shared<ShaderState>(device, compiled, handle.description);
}

std::shared_ptr<ShaderState> compile_text(const std::shared_ptr<DeviceState>& device, std::string_view text,
                                          const ShaderOptions& options, std::string_view kernel,
                                          std::string_view file) {
  const Result<std::unique_ptr<ir::Module>> module = ir::parse_verified(text, std::string(file));
  if (!module) throw_diagnostics(module.diagnostics(), file, text);
  return compile_module(device, **module, find_kernel(**module, kernel, file), options);
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
