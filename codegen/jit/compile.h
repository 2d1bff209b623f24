// From a verified module to machine code and back into memory.
//
// compile() lowers one kernel of a module at one pack width and gives an object file: code, the block function
// "weft_block" and the KernelInfo "weft_kernel_info" (runtime/abi/abi.h). load() links such an object into the process.
// The two are separate because objects are kept: a loaded object needs neither the IR nor LLVM's optimiser.
//
// All functions may be called from any thread, several at once. What is wrong with the input comes back as diagnostics.
// After verify() has passed, compile() gives code or an "unsupported" diagnostic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/module.h"
#include "codegen/lower/form.h"
#include "runtime/abi/abi.h"
#include "runtime/support/result.h"

namespace weft::jit {

// Of optimiser and code generator. `reduced` leaves out the passes whose time grows faster than the kernel, `minimal`
// takes those alone that cost little.
enum class Effort : std::uint8_t { automatic, minimal, reduced, full };
inline constexpr std::array<std::string_view, 4> kEffortNames{"auto", "minimal", "reduced", "full"};
using lower::Form;

using SpecBits = std::map<std::uint32_t, std::uint64_t>;

struct CompileOptions {
#define WEFT_COMPILE_OPTION(type, name, initial, meaning) type name = initial;
#include "codegen/jit/options.def"
#undef WEFT_COMPILE_OPTION
};

// What came out. Where the time went is told by StageScopes.
struct CompileStats {
  std::uint32_t width = 0;
  std::size_t ir_ops = 0;             // after preparing and inlining
  std::size_t llvm_instructions = 0;  // before the optimiser
  std::size_t object_bytes = 0;
  std::string effort;
  std::string form;  // of a kernel with barriers; else empty
};

struct ObjectCode {
  std::vector<std::byte> bytes;
  CompileStats stats;
};

[[nodiscard]] Result<ObjectCode> compile(const ir::Module& module, const CompileOptions& options);

// What a person may want to see of a compilation.
enum class Output : std::uint8_t { prepared_ir, llvm, optimised_llvm, assembly };
[[nodiscard]] Result<std::string> emit(const ir::Module& module, const CompileOptions& options, Output output);

// An object linked into the process; its code and info live as long as this does.
class LoadedKernel {
 public:
  virtual ~LoadedKernel() = default;
  [[nodiscard]] const abi::KernelInfo& info() const { return *info_; }
  [[nodiscard]] abi::BlockFunction block_function() const { return block_function_; }

 protected:
  const abi::KernelInfo* info_ = nullptr;
  abi::BlockFunction block_function_ = nullptr;
};

// Links an object. Foreign, damaged or outdated bytes are diagnostics. `name` shows up in debuggers and profilers.
[[nodiscard]] Result<std::unique_ptr<LoadedKernel>> load(std::span<const std::byte> object, std::string_view name);

// The processor that `cpu` names, checked: an unknown name, or one that this machine cannot run, is a diagnostic. Gives
// LLVM's name and the feature string, such as for a cache's key.
struct Target {
  std::string cpu;
  std::string features;
  std::uint32_t vector_bits;  // widest register that code for it uses
};
[[nodiscard]] Result<Target> resolve_target(std::string_view cpu);

}  // namespace weft::jit
