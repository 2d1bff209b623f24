#include "tools/source.h"

#include "codegen/ir/verify/verify.h"
#include "runtime/support/diagnostic.h"
#include "runtime/support/files.h"
#include "tools/exit_code.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <cstdio>
#include <span>

namespace weft::tools {

Source read_source(const std::string& file) {
  if (file == "-") return {"<stdin>", read_file("/dev/stdin")};
  return {file, read_file(file)};
}

std::unique_ptr<ir::Module> read_module(const Source& source) {
  Result<std::unique_ptr<ir::Module>> module = ir::parse_verified(source.text, source.name);
  if (module) return std::move(*module);
  SourceTexts texts;
  texts.add(source.name, source.text);
  throw CompileError(print(module.diagnostics(), texts));
}

const ir::Function& choose_kernel(const ir::Module& module, const Source& source, const std::string& name) {
  if (const ir::Function* kernel = module.find_kernel(name)) return *kernel;
  std::string names;
  for (const ir::Function& function : module.functions) {
    if (function.kind == ir::FunctionKind::kernel) names += (names.empty() ? "" : ", ") + function.name;
  }
  if (names.empty()) throw UsageFailure(fmt::format("{} has no kernel", source.name));
  if (name.empty())
    throw UsageFailure(fmt::format("{} has several kernels, choose one by --kernel: {}", source.name, names));
  throw UsageFailure(fmt::format("{} has no kernel '{}'; it has: {}", source.name, name, names));
}

void write_output(const std::string& file, std::string_view bytes) {
  if (file != "-") {
    write_file(file, std::as_bytes(std::span(bytes)));
  } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
    throw FileError("cannot write to standard output");
  }
}

}  // namespace weft::tools
