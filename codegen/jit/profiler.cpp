#include "codegen/jit/profiler.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h>

#include <fmt/format.h>

#include "codegen/jit/perf_file.h"
#include "runtime/abi/abi.h"
#include "runtime/support/log.h"

namespace weft::jit {

namespace {

using llvm::Error;
using llvm::jitlink::LinkGraph;

// What a function is called: "kernel" for the block function, "kernel.segment" for weft_segment.
std::string shown_name(llvm::StringRef kernel, llvm::StringRef symbol) {
  if (symbol == abi::kBlockSymbol) {
    return kernel.str();
  }
  symbol.consume_front("weft_");
  return (kernel + "." + symbol).str();
}

std::vector<CodeLine> lines_of(llvm::DWARFContext& dwarf, std::uint64_t address, std::uint64_t section,
                               std::uint64_t size) {
  const llvm::DILineInfoSpecifier how(llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
  std::vector<CodeLine> lines;
  for (const auto& [at, info] : dwarf.getLineInfoForAddressRange({address, section}, size, how)) {
    if (info.Line != 0) {
      lines.push_back({at, info.Line, info.FileName});
    }
  }
  return lines;
}

class ProfilerPlugin final : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  explicit ProfilerPlugin(std::unique_ptr<PerfFile> file) : file_(std::move(file)) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility& responsibility, LinkGraph& /*graph*/,
                        llvm::jitlink::PassConfiguration& passes) override {
    // A dynamic library is called "kernel#number" (load.cpp).
    const std::string kernel = llvm::StringRef(responsibility.getTargetJITDylib().getName()).rsplit('#').first.str();
    passes.PostFixupPasses.emplace_back([this, kernel](LinkGraph& graph) { return report(graph, kernel); });
  }
  Error notifyFailed(llvm::orc::MaterializationResponsibility& /*responsibility*/) override { return Error::success(); }
  Error notifyRemovingResources(llvm::orc::JITDylib& /*library*/, llvm::orc::ResourceKey /*key*/) override {
    return Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib& /*library*/, llvm::orc::ResourceKey /*to*/,
                                   llvm::orc::ResourceKey /*from*/) override {}

 private:
  Error report(LinkGraph& graph, const std::string& kernel) {
    auto dwarf = llvm::orc::createDWARFContext(graph);
    if (!dwarf) {
      return dwarf.takeError();
    }
    for (const llvm::jitlink::Symbol* symbol : graph.defined_symbols()) {
      if (!symbol->isCallable() || !symbol->hasName() || symbol->getSize() == 0) {
        continue;
      }
      const std::uint64_t address = symbol->getAddress().getValue();
      const llvm::ArrayRef<char> code = symbol->getSymbolContent();
      file_->add({shown_name(kernel, *symbol->getName()),
                  address,
                  {code.data(), code.size()},
                  lines_of(*dwarf->first, address, symbol->getSection().getOrdinal(), code.size())});
    }
    return Error::success();
  }

  const std::unique_ptr<PerfFile> file_;
};

}  // namespace

std::unique_ptr<llvm::orc::ObjectLinkingLayer::Plugin> make_profiler_plugin(std::string_view form) {
  if (form == "off") {
    return nullptr;
  }
  std::string problem;
  std::unique_ptr<PerfFile> file = form == "map" ? open_perf_map(problem) : open_jitdump(problem);
  if (file == nullptr) {
    log_warn("perf is not told of kernels: {}", problem);
    return nullptr;
  }
  return std::make_unique<ProfilerPlugin>(std::move(file));
}

}  // namespace weft::jit
