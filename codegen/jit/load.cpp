// Objects in the process: one LLJIT for all, a dynamic library of its own for each object. Generated code finds the
// runtime's helpers and the few functions that LLVM's code generator may call, nothing else: an object cannot reach the
// host's symbols.
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h>
#include <llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Object/ObjectFile.h>

#include <pthread.h>

#include <cstring>
#include <mutex>

#include "codegen/jit/compile.h"
#include "codegen/jit/profiler.h"
#include "codegen/jit/target.h"
#include "runtime/abi/helpers.h"
#include "runtime/support/check.h"
#include "runtime/support/env.h"
#include "runtime/support/log.h"
#include "runtime/support/stage_times.h"

namespace weft::jit {

namespace {

DiagnosticList failure(std::string text) {
  DiagnosticList list;
  list.error({}, std::move(text));
  return list;
}

llvm::orc::SymbolMap runtime_symbols(llvm::orc::LLJIT& jit) {
  llvm::orc::SymbolMap symbols;
  const auto bind = [&](const char* name, auto* function) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
#define WEFT_HELPER(symbol, result, parameters) bind(#symbol, &symbol);
#include "runtime/abi/helpers.def"
#undef WEFT_HELPER
  bind("memcpy", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy));
  bind("memset", static_cast<void* (*)(void*, int, std::size_t)>(&std::memset));
  bind("memmove", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memmove));
  return symbols;
}

// One for the process, never destroyed: kernels may be in use on threads that outlive static destructors.
struct SharedJit {
  SharedJit();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string error;  // why there is none
  // Held while something is linked or let go. fork() takes it first, so that a child does not find the linker's own
  // locks held by threads that it does not have.
  std::mutex mutex;
};

SharedJit& shared_jit() {
  static auto* const shared = new SharedJit;
  return *shared;
}

// Debuggers get objects that have debug information, by gdb's interface (__jit_debug_register_code); profilers what
// WEFT_PERF asks for. What fails here is not worth more than a warning.
void add_observers(llvm::orc::LLJIT& jit) {
  auto* layer = llvm::dyn_cast<llvm::orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  WEFT_CHECK(layer != nullptr, "objects of x86-64 are linked by JITLink");
  llvm::Error error = llvm::Error::success();
  auto debugger = std::make_unique<llvm::orc::ELFDebugObjectPlugin>(
      jit.getExecutionSession(), /*RequireDebugSections=*/true, /*AutoRegisterCode=*/true, error);
  if (error) {
    log_warn("debuggers are not told of kernels: {}", llvm::toString(std::move(error)));
  } else {
    layer->addPlugin(std::move(debugger));
  }
  if (auto profiler = make_profiler_plugin(env::perf())) {
    layer->addPlugin(std::make_unique<llvm::orc::DebugInfoPreservationPlugin>());
    layer->addPlugin(std::move(profiler));
  }
}

SharedJit::SharedJit() {
  WEFT_CHECK_EQ(pthread_atfork([] { shared_jit().mutex.lock(); }, [] { shared_jit().mutex.unlock(); },
                               [] { shared_jit().mutex.unlock(); }),
                0);
  const auto target = resolve_target("native");
  if (!target) {
    error = weft::print(target.diagnostics());
    return;
  }
  auto machine = make_target_machine(*target, llvm::CodeGenOptLevel::Default);
  auto made = llvm::orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(llvm::orc::JITTargetMachineBuilder(machine->getTargetTriple()))
                  .setDataLayout(machine->createDataLayout())
                  .setLinkProcessSymbolsByDefault(false)
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .create();
  if (!made) {
    error = llvm::toString(made.takeError());
    return;
  }
  jit = std::move(*made);
  add_observers(*jit);
}

class OrcKernel final : public LoadedKernel {
 public:
  explicit OrcKernel(llvm::orc::LLJIT& jit) : jit_(jit) {}
  ~OrcKernel() override {
    if (library_ == nullptr) {
      return;
    }
    const std::lock_guard lock(shared_jit().mutex);
    llvm::consumeError(jit_.getExecutionSession().removeJITDylib(*library_));
  }

  llvm::Error link(std::span<const std::byte> object, std::string_view name) {
    static std::uint64_t count = 0;
    const std::lock_guard lock(shared_jit().mutex);
    auto library = jit_.createJITDylib(fmt::format("{}#{}", name, ++count));
    if (!library) {
      return library.takeError();
    }
    library_ = &*library;
    const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
    if (auto error = library->define(llvm::orc::absoluteSymbols(runtime_symbols(jit_)))) {
      return error;
    }
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, llvm::StringRef(name));
    if (auto error = jit_.addObjectFile(*library, std::move(buffer))) {
      return error;
    }
    auto block = jit_.lookup(*library, abi::kBlockSymbol);
    if (!block) {
      return block.takeError();
    }
    auto info = jit_.lookup(*library, abi::kInfoSymbol);
    if (!info) {
      return info.takeError();
    }
    block_function_ = block->toPtr<abi::BlockFunction>();
    info_ = info->toPtr<const abi::KernelInfo*>();
    return llvm::Error::success();
  }

 private:
  llvm::orc::LLJIT& jit_;
  llvm::orc::JITDylib* library_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load(std::span<const std::byte> object, std::string_view name) {
  const StageScope scope(Stage::link);
  const SharedJit& shared = shared_jit();
  if (shared.jit == nullptr) {
    return failure("the just-in-time linker does not start: " + shared.error);
  }
  llvm::orc::LLJIT& jit = *shared.jit;
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto parsed = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  if (!parsed) {
    return failure(fmt::format("'{}' is no object file: {}", name, llvm::toString(parsed.takeError())));
  }
  auto kernel = std::make_unique<OrcKernel>(jit);
  if (auto error = kernel->link(object, name)) {
    return failure(fmt::format("'{}' does not link: {}", name, llvm::toString(std::move(error))));
  }
  if (kernel->info().abi_version != abi::kAbiVersion) {
    return failure(fmt::format("'{}' was compiled for version {} of the kernel interface, this is version {}", name,
                               kernel->info().abi_version, abi::kAbiVersion));
  }
  return std::unique_ptr<LoadedKernel>(std::move(kernel));
}

}  // namespace weft::jit
