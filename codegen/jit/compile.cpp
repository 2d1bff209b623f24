#include "codegen/jit/compile.h"

#include "codegen/jit/compilation.h"

namespace weft::jit {

Result<ObjectCode> compile(const ir::Module& module, const CompileOptions& options) {
  auto compilation = Compilation::start(module, options);
  if (!compilation) {
    return compilation.take_diagnostics();
  }
  Compilation& c = **compilation;
  c.lower();
  c.assemble();
  c.optimise();
  const auto bytes = c.generate(llvm::CodeGenFileType::ObjectFile);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return ObjectCode{{begin, begin + bytes.size()}, c.stats};
}

Result<std::string> emit(const ir::Module& module, const CompileOptions& options, Output output) {
  auto compilation = Compilation::start(module, options);
  if (!compilation) {
    return compilation.take_diagnostics();
  }
  Compilation& c = **compilation;
  if (output == Output::prepared_ir) {
    return c.prepared_text();
  }
  c.lower();
  if (output == Output::llvm) {
    return c.llvm_text();
  }
  c.assemble();
  c.optimise();
  if (output == Output::optimised_llvm) {
    return c.llvm_text();
  }
  const auto text = c.generate(llvm::CodeGenFileType::AssemblyFile);
  return std::string(text.begin(), text.end());
}

}  // namespace weft::jit
