#include "codegen/lower/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace weft::lower {

namespace {

constexpr unsigned kDwarfVersion = 4;  // the latest that all debuggers and profilers read

}  // namespace

DebugInfo::DebugInfo(llvm::Module& out, const ir::Module& in, const ir::Function& kernel)
    : out_(out), in_(in), kernel_(kernel), builder_(out) {
  out.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  out.addModuleFlag(llvm::Module::Warning, "Dwarf Version", kDwarfVersion);
  builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_14),
                             file_of(kernel.location.file), "weft", /*isOptimized=*/true, "", 0);
}

llvm::DIFile* DebugInfo::file_of(ir::StringId name) {
  llvm::DIFile*& file = files_[name];
  if (file == nullptr) {
    const std::string_view text = in_.string(name);
    file = builder_.createFile(text.empty() ? kernel_.name + ".weft" : std::string(text), "");
  }
  return file;
}

void DebugInfo::begin_function(llvm::Function& function, std::string_view part) {
  const std::string name = part.empty() ? kernel_.name : kernel_.name + "." + std::string(part);
  llvm::DIFile* file = file_of(kernel_.location.file);
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  // Without a linkage name, which debuggers would show in place of the name.
  llvm::DISubprogram* subprogram = builder_.createFunction(
      file, name, /*LinkageName=*/"", file, kernel_.location.line, type, kernel_.location.line, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  builder_.finalizeSubprogram(subprogram);
  function.setSubprogram(subprogram);
}

void DebugInfo::finish() {
  builder_.finalize();
  for (llvm::Function& function : out_) {
    if (llvm::DISubprogram* subprogram = function.getSubprogram()) {
      subprogram->replaceLinkageName(nullptr);  // the split gives its functions one
    }
  }
}

llvm::DebugLoc DebugInfo::location(const llvm::Function& function, const ir::Location& place) {
  const ir::Location& known = place.line != 0 ? place : kernel_.location;
  llvm::DIScope* scope = function.getSubprogram();
  llvm::DIFile* file = file_of(known.file);
  if (file != scope->getFile()) {
    scope = builder_.createLexicalBlockFile(scope, file);
  }
  return llvm::DILocation::get(function.getContext(), known.line, known.column, scope);
}

}  // namespace weft::lower
