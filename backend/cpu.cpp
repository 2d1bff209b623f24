// The device `cpu`: kernels are compiled to SIMD code for this machine and launched on worker threads.
#include "backend/builtin.h"
#include "backend/builtin_device.h"
#include "backend/errors.h"
#include "backend/kernel_options.h"
#include "backend/shader_cache.h"
#include "backend/shader_file.h"
#include "codegen/jit/compile.h"
#include "runtime/dispatch.h"
#include "runtime/kernel.h"
#include "runtime/support/env.h"
#include "runtime/support/stage_times.h"
#include "runtime/workers.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace weft::backend {
namespace {

// A loaded object and what the launcher needs of it.
struct LaunchableKernel {
  explicit LaunchableKernel(std::unique_ptr<jit::LoadedKernel> code)
      : code(std::move(code)), kernel{&this->code->info(), this->code->block_function()} {}

  const std::unique_ptr<jit::LoadedKernel> code;
  const runtime::Kernel kernel;
};

class CpuKernel final : public BuiltinKernel {
 public:
  explicit CpuKernel(std::unique_ptr<jit::LoadedKernel> code)
      : BuiltinKernel(std::make_shared<const KernelDescription>(code->info()), places_of(code->info())),
        kernel_(std::make_shared<const LaunchableKernel>(std::move(code))) {}

  std::shared_ptr<runtime::Command> make_dispatch(const runtime::Grid& grid, std::span<const std::byte> arguments,
                                                  const runtime::CooperativeOptions& options,
                                                  runtime::ProgressOptions progress) const override {
    const std::shared_ptr<const runtime::Kernel> kernel(kernel_, &kernel_->kernel);
    if (info().is_cooperative == 0) {
      return runtime::Dispatch::create(kernel, grid, arguments, std::move(progress));
    }
    return make_cooperative(kernel, grid, arguments, options, std::move(progress));
  }

  bool prints() const override {
    const abi::KernelInfo& info = kernel_->code->info();
    return std::any_of(info.sites, info.sites + info.site_count,
                       [](const abi::SiteInfo& site) { return site.kind == abi::SiteKind::print; });
  }

 private:
  static ArgumentPlaces places_of(const abi::KernelInfo& info) {
    ArgumentPlaces places;
    places.size_bytes = info.argument_bytes;
    for (std::uint32_t i = 0; i < info.argument_count; ++i) places.offsets.push_back(info.arguments[i].offset_bytes);
    return places;
  }

  const std::shared_ptr<const LaunchableKernel> kernel_;
};

// --- options: what the application said, else the environment
std::uint32_t width_of(const WeftDeviceOptions& options) {
  if (options.pack_width != 0) return options.pack_width;
  const std::string text = env::width();
  std::uint32_t width = 0;  // "auto" leaves it
  std::from_chars(text.data(), text.data() + text.size(), width);
  return width;
}

jit::Effort effort_of(const WeftDeviceOptions& options) {
  if (options.effort != WEFT_EFFORT_AUTOMATIC) return static_cast<jit::Effort>(options.effort);
  const std::string text = env::opt();
  return text == "auto" ? jit::Effort::automatic
                        : static_cast<jit::Effort>(static_cast<int>(jit::Effort::minimal) + (text[0] - '0'));
}

jit::Form form_of(const WeftDeviceOptions& options) {
  if (options.form != WEFT_FORM_AUTOMATIC) return static_cast<jit::Form>(options.form);
  return static_cast<jit::Form>(std::ranges::find(lower::kFormTexts, env::form()) - lower::kFormTexts.begin());
}

std::string cpu_of(const WeftDeviceOptions& options) { return *options.cpu == '\0' ? env::cpu() : options.cpu; }

void check_width(std::uint32_t width) {
  constexpr std::uint32_t kWidths[] = {0, 1, 4, 8, 16, 32};
  if (std::ranges::find(kWidths, width) != std::end(kWidths)) return;
  throw UsageError(fmt::format("the pack width is {}, expected 1, 4, 8, 16, 32, or 0 for the best", width));
}

class CpuDevice final : public BuiltinDevice {
 public:
  CpuDevice(const WeftHost& host, const WeftDeviceOptions& options)
      : BuiltinDevice(host, options.threads == 0 ? runtime::default_executor()
                                                 : std::make_shared<runtime::WorkerPool>(options.threads)),
        width_(width_of(options)),
        effort_(effort_of(options)),
        form_(form_of(options)),
        cpu_(cpu_of(options)),
        target_(resolve(cpu_)),
        cache_(ShaderCache::open(options, [this](LogLevel level, const std::string& text) { log(level, text); })) {
    check_width(width_);
  }

  std::unique_ptr<BuiltinKernel> compile(const WeftModule& module, const WeftKernelOptions& options) override;
  std::unique_ptr<BuiltinKernel> load(std::span<const std::byte> bytes, const std::string& name) override;

 private:
  static jit::Target resolve(const std::string& cpu) {
    Result<jit::Target> target = jit::resolve_target(cpu);
    if (!target) throw DeviceError(target.diagnostics().items().front().message);
    return *target;
  }

  jit::CompileOptions compile_options(const WeftModule& module, const WeftKernelOptions& options) const;
  std::unique_ptr<jit::LoadedKernel> compile_anew(const WeftModule& module, const jit::CompileOptions& options,
                                                  const Digest& key, jit::CompileStats& stats) const;
  void log_compilation(const abi::KernelInfo& info, const jit::CompileStats& stats, const StageTimes& times) const;

  const std::uint32_t width_;
  const jit::Effort effort_;
  const jit::Form form_;
  const std::string cpu_;
  const jit::Target target_;
  const std::unique_ptr<const ShaderCache> cache_;  // null if there is none
};

jit::CompileOptions CpuDevice::compile_options(const WeftModule& module, const WeftKernelOptions& options) const {
  check_width(options.pack_width);
  jit::CompileOptions out;
  out.kernel = module.kernel_name();
  out.width = options.pack_width;
  out.preferred_width = width_;
  out.cpu = cpu_;
  out.effort = options.effort == WEFT_EFFORT_AUTOMATIC ? effort_ : static_cast<jit::Effort>(options.effort);
  out.form = options.form == WEFT_FORM_AUTOMATIC ? form_ : static_cast<jit::Form>(options.form);
  out.math = math_mode(options);
  out.unchecked = unchecked(options);
  out.interruptible = options.interruptible != 0;
  out.debug_info = env::debug_info() || env::perf() == "jitdump";
  out.specs = spec_bits(options);
  return out;
}

std::unique_ptr<BuiltinKernel> CpuDevice::compile(const WeftModule& module, const WeftKernelOptions& options) {
  StageTimes times;
  const CollectStageTimes collect(times);
  const jit::CompileOptions wanted = compile_options(module, options);
  const Digest key = cache_ == nullptr ? Digest{} : cache_->key(module, wanted, target_);
  std::unique_ptr<jit::LoadedKernel> code = cache_ == nullptr ? nullptr : cache_->find(key);
  jit::CompileStats stats;
  if (code == nullptr) code = compile_anew(module, wanted, key, stats);
  log_compilation(code->info(), stats, times);
  return std::make_unique<CpuKernel>(std::move(code));
}

std::unique_ptr<jit::LoadedKernel> CpuDevice::compile_anew(const WeftModule& module, const jit::CompileOptions& options,
                                                           const Digest& key, jit::CompileStats& stats) const {
  const Result<jit::ObjectCode> object = jit::compile(module.module(), options);
  if (!object) throw CompileError(print(object.diagnostics()));
  Result<std::unique_ptr<jit::LoadedKernel>> code = jit::load(object->bytes, module.kernel().name);
  if (!code) throw CompileError(print(code.diagnostics()));
  if (cache_ != nullptr) cache_->add(key, (*code)->info(), object->bytes);
  stats = object->stats;
  return std::move(*code);
}

void CpuDevice::log_compilation(const abi::KernelInfo& info, const jit::CompileStats& stats,
                                const StageTimes& times) const {
  const LogLevel level = env::time() ? LogLevel::warn : LogLevel::info;
  if (!wants_log(level)) return;
  const std::string made = stats.object_bytes == 0 ? "from the cache"
                                                   : fmt::format("{} effort, {} ops, {} bytes of code, compiled",
                                                                 stats.effort, stats.ir_ops, stats.object_bytes);
  log(level, fmt::format("kernel '{}': pack width {}, {} in {}", info.name, info.pack_width, made, times.text()));
}

std::unique_ptr<BuiltinKernel> CpuDevice::load(std::span<const std::byte> bytes, const std::string& name) {
  const Result<ShaderFile> file = read_shader_file(bytes, name);
  if (!file) throw CompileError(print(file.diagnostics()));
  const std::string missing = missing_features(file->features, resolve("native").features);
  if (!missing.empty()) {
    throw CompileError(fmt::format("{}: error: the shader file was compiled for {}, and this processor lacks {}", name,
                                   file->cpu, missing));
  }
  Result<std::unique_ptr<jit::LoadedKernel>> code = jit::load(file->object, file->kernel);
  if (!code) throw CompileError(print(code.diagnostics()));
  return std::make_unique<CpuKernel>(std::move(*code));
}

WeftDevice* create_device(const WeftHost* host, const WeftDeviceOptions* options, const WeftErrors* errors) {
  return guarded(errors, [&] { return to_handle(new CpuDevice(*host, *options)); });
}

}  // namespace

const WeftBackend& cpu_backend() {
  static const WeftBackend table = [] {
    WeftBackend t = builtin_table();
    t.name = "cpu";
    t.description = "this machine's processor: kernels become SIMD code, run on all cores";
    t.create_device = create_device;
    return t;
  }();
  return table;
}

}  // namespace weft::backend
