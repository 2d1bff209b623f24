#include "backend/module_handle.h"

#include "codegen/ir/digest.h"
#include "codegen/ir/text/print.h"
#include "codegen/ir/verify/verify.h"
#include "runtime/support/diagnostic.h"

#include <weft/error.h>

#include <fmt/format.h>

namespace weft::backend {
namespace {

[[noreturn]] void throw_diagnostics(const DiagnosticList& diagnostics, std::string_view file, std::string_view text) {
  SourceTexts sources;
  sources.add(std::string(file), std::string(text));
  throw CompileError(print(diagnostics, sources));
}

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
}  // namespace weft::backend

using namespace weft;
using namespace weft::backend;

WeftModule::WeftModule(const ir::Module& module, const ir::Function& kernel)
    : kernel_name_(kernel.name), module_(&module), kernel_(&kernel) {}

WeftModule::WeftModule(std::string_view text, std::string_view file, std::string_view kernel)
    : source_(text), file_(file), kernel_name_(kernel) {}

void WeftModule::parse() const {
  Result<std::unique_ptr<ir::Module>> parsed = ir::parse_verified(source_, std::string(file_));
  if (!parsed) throw_diagnostics(parsed.diagnostics(), file_, source_);
  kernel_ = &find_kernel(**parsed, kernel_name_, file_);
  parsed_ = std::move(*parsed);
  module_ = parsed_.get();
}

const ir::Module& WeftModule::module() const {
  if (module_ == nullptr) parse();
  return *module_;
}

const ir::Function& WeftModule::kernel() const {
  if (module_ == nullptr) parse();
  return *kernel_;
}

const std::shared_ptr<KernelDescription>& WeftModule::description() const {
  if (description_ == nullptr) description_ = std::make_shared<KernelDescription>(module(), kernel());
  return description_;
}

const std::string& WeftModule::text() const {
  if (!text_) text_ = ir::print(module());
  return *text_;
}

void WeftModule::add_to(Digester& digester) const {
  digester.add(parsed_ != nullptr || module_ == nullptr);
  if (parsed_ == nullptr && module_ != nullptr) {
    ir::add_to(digester, *module_);
  } else {
    digester.add(file_);
    digester.add(source_);
  }
}
