#include "codegen/jit/target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include <array>

#include "runtime/support/check.h"

namespace weft::jit {

namespace {

// The levels of x86-64 that code can be made for, with what each adds to the one before.
struct Level {
  std::string_view name;
  std::array<const char*, 8> features;
  std::uint32_t vector_bits;
};
constexpr std::array kLevels{
    Level{"x86-64-v3", {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}, 256},
    Level{"x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}, 512},
};

const llvm::StringMap<bool>& host_features() {
  static const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features;
}

// The first feature up to and with a level that this machine lacks.
const char* missing_feature(std::size_t level) {
  for (std::size_t i = 0; i <= level; ++i) {
    for (const char* feature : kLevels[i].features) {
      if (feature != nullptr && !host_features().lookup(feature)) {
        return feature;
      }
    }
  }
  return nullptr;
}

Target native() {
  llvm::SubtargetFeatures features;
  for (const auto& feature : host_features()) {
    features.AddFeature(feature.first(), feature.second);
  }
  return {llvm::sys::getHostCPUName().str(), features.getString(), missing_feature(1) == nullptr ? 512U : 256U};
}

DiagnosticList failure(std::string text) {
  DiagnosticList list;
  list.error({}, std::move(text));
  return list;
}

void initialise_llvm() {
  static const bool done = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    return true;
  }();
  (void)done;
}

}  // namespace

Result<Target> resolve_target(std::string_view cpu) {
  if (const char* feature = missing_feature(0)) {
    return failure(fmt::format("this processor ({}) lacks {}: Weft needs x86-64-v3 (AVX2, FMA, F16C)",
                               llvm::sys::getHostCPUName().str(), feature));
  }
  if (cpu == "native") {
    return native();
  }
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i].name != cpu) {
      continue;
    }
    if (const char* feature = missing_feature(i)) {
      return failure(fmt::format("this processor ({}) lacks {}, which {} code uses", llvm::sys::getHostCPUName().str(),
                                 feature, cpu));
    }
    return Target{std::string(cpu), "", kLevels[i].vector_bits};
  }
  return failure(fmt::format("unknown cpu '{}', expected native, x86-64-v3 or x86-64-v4", cpu));
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(const Target& target, llvm::CodeGenOptLevel level) {
  initialise_llvm();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* backend = llvm::TargetRegistry::lookupTarget(triple, error);
  WEFT_CHECK(backend != nullptr, "{}", error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // what fuses is decided by the IR
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.cpu, target.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level, true));
}

}  // namespace weft::jit
