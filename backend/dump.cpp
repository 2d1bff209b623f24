#include "backend/dump.h"

#include "codegen/ir/text/parse.h"
#include "codegen/ir/text/print.h"
#include "runtime/support/digest.h"
#include "runtime/support/env.h"
#include "runtime/support/files.h"
#include "runtime/support/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace weft::backend {
namespace {

namespace fs = std::filesystem;

// A kernel's name as part of a file's name.
std::string file_stem(std::string_view name) {
  constexpr std::size_t kMaxLength = 80;
  std::string stem(name.substr(0, kMaxLength));
  std::replace_if(stem.begin(), stem.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  return stem;
}

// The module with the options as its own attributes and defaults. It is copied by way of its text.
std::string text_with_options(const ir::Module& module, const ir::Function& kernel, const ShaderOptions& options) {
  std::string text = ir::print(module, {.locations = true});
  if (!options.math && !options.unchecked && options.specs.empty()) return text;
  Result<std::unique_ptr<ir::Module>> copy = ir::parse(text, kernel.name);
  WEFT_CHECK(copy.has_value(), "the printer's own text:\n{}", text);
  for (ir::Function& function : (*copy)->functions) {
    if (function.name != kernel.name) continue;
    if (options.math) function.attributes.math = static_cast<ir::MathMode>(*options.math);
    if (options.unchecked) function.attributes.unchecked = *options.unchecked;
  }
  for (ir::SpecConstant& spec : (*copy)->specs) {
    const auto value = options.specs.find(spec.id);
    if (value == options.specs.end()) continue;
    spec.initial = (*copy)->constant({(*copy)->constant(spec.initial).type, {value->second}});
  }
  return ir::print(**copy, {.locations = true});
}

void write(const fs::path& folder, const std::string& stem, const std::string& text) {
  fs::create_directories(folder);
  const fs::path file = folder / fmt::format("{}-{:016x}.weft", stem, checksum(std::as_bytes(std::span(text))));
  if (fs::exists(file)) return;
  replace_file(file, std::as_bytes(std::span(text)));
}

}  // namespace

void dump_kernel(const WeftModule& module, const ShaderOptions& options) {
  const std::string folder = env::dump_kernels();
  if (folder.empty()) return;
  const ir::Function& kernel = module.kernel();
  try {
    write(folder, file_stem(kernel.name), text_with_options(module.module(), kernel, options));
  } catch (const std::exception& error) {
    log_warn("kernel '{}' cannot be dumped to '{}': {}", kernel.name, folder, error.what());
  }
}

}  // namespace weft::backend
