// Reading kernels in text form.
#pragma once

#include "codegen/ir/module.h"

#include <memory>
#include <string>

namespace weft::tools {

struct Source {
  std::string name;  // of the file; "<stdin>" for "-"
  std::string text;
};

// "-" is standard input. Throws FileError.
Source read_source(const std::string& file);

// Parses and verifies. Throws CompileError with all diagnostics and their source lines.
std::unique_ptr<ir::Module> read_module(const Source& source);

// The kernel of that name, or the only one. Throws UsageFailure, naming those there are.
const ir::Function& choose_kernel(const ir::Module& module, const Source& source, const std::string& name);

// Writes text or bytes to a file, or to standard output for "-". Throws FileError.
void write_output(const std::string& file, std::string_view bytes);

}  // namespace weft::tools
