#include "tools/kernel_flags.h"

#include "codegen/ir/text/literal.h"
#include "tools/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft::tools {
namespace {

std::string known_specs(const ir::Module& module) {
  std::string text;
  for (const ir::SpecConstant& spec : module.specs)
    text += fmt::format("{}{} (id {})", text.empty() ? "" : ", ", spec.name, spec.id);
  return text.empty() ? "none" : text;
}

std::map<std::uint32_t, std::uint64_t> read_specs(const ir::Module& module, const std::vector<std::string>& texts) {
  std::map<std::uint32_t, std::uint64_t> values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw UsageFailure(fmt::format("--spec {}: expected NAME=VALUE or ID=VALUE", text));
    const std::string key = text.substr(0, equals);
    const auto spec = std::ranges::find_if(
        module.specs, [&](const ir::SpecConstant& s) { return s.name == key || fmt::to_string(s.id) == key; });
    if (spec == module.specs.end()) {
      throw UsageFailure(fmt::format("--spec {}: there is no specialisation constant '{}'; there are: {}", text, key,
                                     known_specs(module)));
    }
    const ir::Type& type = module.types[module.constant(spec->initial).type];
    const ir::ScalarBits bits = ir::read_scalar(type.kind, text.substr(equals + 1));
    if (!bits.error.empty()) throw UsageFailure(fmt::format("--spec {}: {}", text, bits.error));
    if (!values.emplace(spec->id, bits.bits).second)
      throw UsageFailure(fmt::format("--spec {}: '{}' is given twice", text, key));
  }
  return values;
}

}  // namespace

void KernelFlags::add_to(CLI::App& command) {
  static const std::vector<std::pair<std::string, std::uint32_t>> widths{{"auto", 0}, {"1", 1},   {"4", 4},
                                                                         {"8", 8},    {"16", 16}, {"32", 32}};
  static const std::map<std::string, Effort> efforts{
      {"auto", Effort::automatic}, {"minimal", Effort::minimal}, {"reduced", Effort::reduced}, {"full", Effort::full}};
  static const std::map<std::string, Form> forms{
      {"auto", Form::automatic}, {"coroutines", Form::coroutines}, {"fission", Form::fission}};
  static const std::map<std::string, MathMode> maths{
      {"strict", MathMode::strict}, {"precise", MathMode::precise}, {"fast", MathMode::fast}};
  command.add_option("file", file, "Kernels in text form; - is standard input")->required()->type_name("FILE");
  command.add_option("--kernel", kernel, "Name of the kernel; not needed if there is one")->type_name("NAME");
  command.add_option("--width", width, "Pack width: lanes compiled as one SIMD program; chosen if not given")
      ->transform(one_of(widths))
      ->type_name("auto|1|4|8|16|32");
  command.add_option("--cpu", cpu, "Processor to compile for")
      ->check(CLI::IsMember({"native", "x86-64-v3", "x86-64-v4"}).description(""))
      ->type_name("native|x86-64-v3|x86-64-v4");
  command.add_option("--effort", effort, "Effort of optimiser and code generator")
      ->transform(one_of(efforts))
      ->type_name("auto|minimal|reduced|full");
  command
      .add_option("--form", form, "How a kernel with barriers runs: as coroutines, or cut at them where that can be")
      ->transform(one_of(forms))
      ->type_name("auto|coroutines|fission");
  command
      .add_option_function<MathMode>(
          "--math", [this](const MathMode& value) { math = value; }, "Floating-point rules, in place of the kernel's")
      ->transform(one_of(maths))
      ->type_name("strict|precise|fast");
  command.add_flag("--unchecked", unchecked, "Leave out range checks of memory accesses");
  command.add_flag("--interruptible", interruptible, "Let long loops, too, end soon when a dispatch is cancelled");
  command.add_option("--spec", specs, "Value of a specialisation constant, by its name or its id")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

ShaderOptions KernelFlags::shader_options(const ir::Module& module) const {
  ShaderOptions options;
  options.width = width;
  options.effort = effort;
  options.form = form;
  options.math = math;
  if (unchecked) options.unchecked = true;
  options.interruptible = interruptible;
  options.specs = read_specs(module, specs);
  return options;
}

jit::CompileOptions KernelFlags::compile_options(const ir::Module& module, const ir::Function& function) const {
  jit::CompileOptions options;
  options.kernel = function.name;
  options.width = width;
  if (!cpu.empty()) options.cpu = cpu;
  options.effort = static_cast<jit::Effort>(effort);
  options.form = static_cast<jit::Form>(form);
  if (math) options.math = static_cast<ir::MathMode>(*math);
  if (unchecked) options.unchecked = true;
  options.interruptible = interruptible;
  options.specs = read_specs(module, specs);
  return options;
}

}  // namespace weft::tools
