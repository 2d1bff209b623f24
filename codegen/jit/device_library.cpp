#include "codegen/jit/device_library.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <unordered_set>

#include "runtime/support/check.h"

extern "C" {
extern const unsigned char weft_device_bitcode_begin[];
extern const unsigned char weft_device_bitcode_end[];
}

namespace weft::jit {

namespace {

llvm::MemoryBufferRef bitcode() {
  const auto* begin = reinterpret_cast<const char*>(weft_device_bitcode_begin);
  const auto size = static_cast<std::size_t>(weft_device_bitcode_end - weft_device_bitcode_begin);
  return {llvm::StringRef(begin, size), "device library"};
}

}  // namespace

void link_device_library(llvm::Module& module) {
  std::unordered_set<std::string> own;
  bool needed = false;
  for (const llvm::Function& f : module) {
    own.insert(f.getName().str());
    needed |= f.isDeclaration() && f.getName().starts_with("weft_") && !f.use_empty();
  }
  if (!needed) {
    return;
  }
  auto library = llvm::getLazyBitcodeModule(bitcode(), module.getContext());
  WEFT_CHECK(!!library, "{}", llvm::toString(library.takeError()));
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  const bool failed = llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::Flags::LinkOnlyNeeded);
  WEFT_CHECK(!failed, "the device library does not link");
  for (llvm::Function& f : module) {
    const bool linked = !f.isDeclaration() && (!own.contains(f.getName().str()) || f.getName().starts_with("weft_")) &&
                        f.getName() != "weft_block";
    if (linked) {
      f.setLinkage(llvm::GlobalValue::InternalLinkage);
      f.setVisibility(llvm::GlobalValue::DefaultVisibility);
      f.setDSOLocal(true);
    }
  }
}

}  // namespace weft::jit
