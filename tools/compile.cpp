// weftc compile: shows what becomes of a kernel, or writes it as an object or a shader file.
#include "tools/commands.h"
#include "tools/kernel_flags.h"
#include "tools/source.h"

#include "backend/shader_file.h"
#include "codegen/jit/compile.h"
#include "runtime/support/stage_times.h"

#include <weft/error.h>
#include <weft/version.h>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace weft::tools {
namespace {

enum class Emit { ir, llvm, optimised_llvm, assembly, object, stats, shader };

struct CompileOptions {
  KernelFlags flags;
  Emit emit = Emit::stats;
  std::string output = "-";
  bool json = false;
  bool debug_info = false;
};

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename T>
T value_or_throw(Result<T> result, const Source& source) {
  if (result) return std::move(*result);
  SourceTexts texts;
  texts.add(source.name, source.text);
  throw CompileError(print(result.diagnostics(), texts));
}

std::string stats_text(const jit::CompileStats& stats, const StageTimes& times, bool json) {
  constexpr double kMillisecond = 1e6;
  if (json) {
    nlohmann::ordered_json out = {{"pack_width", stats.width},
                                  {"effort", stats.effort},
                                  {"form", stats.form},
                                  {"ir_ops", stats.ir_ops},
                                  {"llvm_instructions", stats.llvm_instructions},
                                  {"object_bytes", stats.object_bytes}};
    for (std::size_t i = 0; i < kStageCount; ++i) out["stage_ns"][kStageNames[i]] = times.ns[i];
    out["total_ns"] = times.total_ns();
    return json_text(out);
  }
  std::string text = fmt::format(
      "pack width         {}\neffort             {}\nform               {}\nIR ops             {}\n"
      "LLVM instructions  {}\nobject             {} bytes\n",
      stats.width, stats.effort, stats.form.empty() ? "no barriers" : stats.form, stats.ir_ops, stats.llvm_instructions,
      stats.object_bytes);
  const auto line = [](std::string_view name, std::uint64_t ns) {
    return fmt::format("{:<18} {:.2f} ms\n", name, static_cast<double>(ns) / kMillisecond);
  };
  for (std::size_t i = 0; i < kStageCount; ++i) {
    if (times.ns[i] != 0) text += line(kStageNames[i], times.ns[i]);
  }
  return text + line("total", times.total_ns());
}

// Links the object too, as a device would, so that its time is seen.
std::string stats_of(const ir::Module& module, const CompileOptions& options, const jit::CompileOptions& compile,
                     const Source& source, StageTimes& times) {
  const jit::ObjectCode object = value_or_throw(jit::compile(module, compile), source);
  (void)value_or_throw(jit::load(object.bytes, compile.kernel), source);
  return stats_text(object.stats, times, options.json);
}

std::string shader_text(const jit::ObjectCode& object, const jit::CompileOptions& options, const Source& source) {
  const auto target = value_or_throw(jit::resolve_target(options.cpu), source);
  backend::ShaderFile file;
  file.weft_version = version();
  file.kernel = options.kernel;
  file.cpu = target.cpu;
  file.features = target.features;
  file.object = object.bytes;
  return std::string(as_text(backend::write_shader_file(file)));
}

std::string emit(const CompileOptions& options, const ir::Module& module, const jit::CompileOptions& compile,
                 const Source& source, StageTimes& times) {
  const auto stage = [&](jit::Output s) { return value_or_throw(jit::emit(module, compile, s), source); };
  const auto object = [&] { return value_or_throw(jit::compile(module, compile), source); };
  switch (options.emit) {
    case Emit::ir: return stage(jit::Output::prepared_ir);
    case Emit::llvm: return stage(jit::Output::llvm);
    case Emit::optimised_llvm: return stage(jit::Output::optimised_llvm);
    case Emit::assembly: return stage(jit::Output::assembly);
    case Emit::object: return std::string(as_text(object().bytes));
    case Emit::stats: return stats_of(module, options, compile, source, times);
    case Emit::shader: return shader_text(object(), compile, source);
  }
  return {};
}

ExitCode compile(const CompileOptions& options) {
  const bool is_binary = options.emit == Emit::object || options.emit == Emit::shader;
  if (is_binary && options.output == "-" && ::isatty(STDOUT_FILENO) == 1) {
    throw UsageFailure("this output is not for a terminal: name a file by -o");
  }
  const Source source = read_source(options.flags.file);
  StageTimes times;
  const CollectStageTimes collect(times);
  const std::unique_ptr<ir::Module> module = read_module(source);
  const ir::Function& kernel = choose_kernel(*module, source, options.flags.kernel);
  jit::CompileOptions compile = options.flags.compile_options(*module, kernel);
  compile.debug_info = options.debug_info;
  write_output(options.output, emit(options, *module, compile, source, times));
  return ExitCode::ok;
}

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  static const std::map<std::string, Emit> emits{
      {"ir", Emit::ir},      {"llvm", Emit::llvm},   {"asm", Emit::assembly}, {"llvm-opt", Emit::optimised_llvm},
      {"obj", Emit::object}, {"stats", Emit::stats}, {"shader", Emit::shader}};
  auto options = std::make_shared<CompileOptions>();
  CLI::App* command =
      app.add_subcommand("compile", "Compile a kernel ahead of time, or show a stage of its compilation");
  options->flags.add_to(*command);
  command
      ->add_option(
          "--emit", options->emit,
          "What to write: ir (as the compiler gets it), llvm (before the optimiser), llvm-opt, asm, obj, stats (sizes "
          "and times; the default), or shader (a file that Device::load_shader and weftc run take)")
      ->transform(one_of(emits))
      ->type_name("ir|llvm|llvm-opt|asm|obj|stats|shader");
  command->add_option("-o,--output", options->output, "File to write; - is standard output, the default")
      ->type_name("FILE");
  command->add_flag("-g,--debug-info", options->debug_info,
                    "With the lines of the source, for debuggers and profilers");
  command->add_flag("--json", options->json, "stats as JSON");
  command->callback([options, &action] { action = [options] { return compile(*options); }; });
}

}  // namespace weft::tools
