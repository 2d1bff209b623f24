// usage: text_runs DEVICE WIDTH [FILTER]
// Runs what the files of tests/text/run ask for through the device API: with one worker and the least effort of the
// compiler, and with two workers and more effort. FILTER is a part of the names of files to run.
#include "codegen/ir/verify/verify.h"
#include "codegen/jit/compile.h"
#include "runtime/print.h"
#include "tests/support/files.h"
#include "tests/support/run_spec.h"

#include <weft/device.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <charconv>
#include <map>

using namespace weft;

namespace {

struct Setting {
  std::string device;
  std::uint32_t width = 0;
  std::uint32_t threads = 0;
  Effort effort = Effort::automatic;
  Form form = Form::automatic;
};

std::string to_string(const Setting& setting) {
  return fmt::format("{} width {}, {} workers, {} effort{}", setting.device, setting.width, setting.threads,
                     jit::kEffortNames[static_cast<std::size_t>(setting.effort)],
                     setting.form == Form::fission ? ", fission" : "");
}

// The kernels of one file on one device.
class FileOnDevice {
 public:
  FileOnDevice(const Setting& setting, const ir::Module& module, const std::string& source, std::string name)
      : device_(setting.device,
                {.threads = setting.threads, .width = setting.width, .effort = setting.effort, .form = setting.form}),
        stream_(device_.create_stream()),
        module_(module),
        source_(source),
        name_(std::move(name)) {}

  // What is wrong; empty if nothing is.
  std::string check(test::RunSpec run) {
    test::RunOutcome outcome;
    runtime::set_print_sink([&](std::string_view line) { outcome.prints.emplace_back(line); });
    try {
      execute(run);
    } catch (const KernelFault& fault) {
      outcome.fault = fault.details().message;
      if (outcome.fault.empty()) outcome.fault = fault.what();
    }
    runtime::set_print_sink({});
    return test::mismatch(module_, run, outcome);
  }

 private:
  const DynamicShader& shader(const test::RunSpec& run) {
    ShaderOptions options;
    for (const auto& [id, value] : run.spec_values) options.specs.emplace(id, value.leaves.at(0));
    const auto [found, is_new] = shaders_.try_emplace({run.kernel, options.specs});
    if (is_new) found->second = device_.compile_text(source_, options, run.kernel, name_);
    return found->second;
  }

  // Runs the kernel; buffers are brought back whether it ends well or not.
  void execute(test::RunSpec& run) {
    const DynamicShader& kernel = shader(run);
    std::vector<ByteBuffer> buffers(run.arguments.size());
    std::vector<NamedArgument> arguments;
    for (std::size_t i = 0; i < run.arguments.size(); ++i) {
      test::RunArgument& argument = run.arguments[i];
      const ShaderInfo::Argument& asked = kernel.info().arguments[i];
      detail::ArgumentRef reference{{asked.value_bytes, nullptr, asked.value_type}};
      if (asked.is_buffer) {
        buffers[i] = device_.create_byte_buffer(argument.bytes.size());
        stream_ << buffers[i].upload(argument.bytes);
        reference.range = &buffers[i].range();
      } else {
        reference.value = argument.bytes.data();
      }
      arguments.emplace_back(argument.name, reference);
    }
    Invocation call = kernel.bind(arguments);
    if (kernel.info().is_cooperative) call = std::move(call).cooperative();
    stream_ << std::move(call).dispatch(run.dispatch[0], run.dispatch[1], run.dispatch[2]);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (arguments[i].argument.range != nullptr) stream_ << buffers[i].download(run.arguments[i].bytes);
    }
    stream_.synchronize();
  }

  Device device_;
  Stream stream_;
  const ir::Module& module_;
  const std::string& source_;
  const std::string name_;
  std::map<std::pair<std::string, std::map<std::uint32_t, std::uint64_t>>, DynamicShader> shaders_;
};

struct Counts {
  unsigned runs = 0;
  unsigned failures = 0;
};

void report(Counts& counts, const std::string& where, const std::string& wrong) {
  ++counts.runs;
  if (wrong.empty()) return;
  ++counts.failures;
  fmt::print(stderr, "{}: {}\n", where, wrong);
}

void check_file(const std::filesystem::path& path, const std::vector<Setting>& settings, Counts& counts) {
  const std::string source = test::read_text(path);
  const std::string name = path.filename();
  const Result<std::unique_ptr<ir::Module>> module = ir::parse_verified(source, name);
  if (!module) {
    report(counts, name, print(module.diagnostics()));
    return;
  }
  const std::vector<test::ParsedRun> runs = test::parse_runs(**module, source);
  for (const Setting& setting : settings) {
    FileOnDevice file(setting, **module, source, name);
    for (const test::ParsedRun& parsed : runs) {
      if (parsed.run.interpreter_only) continue;
      const std::string where = fmt::format("{}:{} ({})", name, parsed.run.line, to_string(setting));
      try {
        report(counts, where, parsed.error.empty() ? file.check(parsed.run) : parsed.error);
      } catch (const std::exception& error) {
        report(counts, where, error.what());
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: text_runs DEVICE WIDTH [FILTER]\n");
    return 2;
  }
  const std::string device = argv[1];
  std::uint32_t width = 0;
  std::from_chars(argv[2], argv[2] + std::string_view(argv[2]).size(), width);
  const std::string filter = argc > 3 ? argv[3] : "";
  const std::vector<Setting> settings{{device, width, 1, Effort::minimal, Form::coroutines},
                                      {device, width, 2, Effort::reduced, Form::automatic},
                                      {device, width, 2, Effort::full, Form::fission}};
  Counts counts;
  for (const std::filesystem::path& path : test::weft_files("text/run")) {
    if (path.string().find(filter) != std::string::npos) check_file(path, settings, counts);
  }
  fmt::print("{} runs, {} failures\n", counts.runs, counts.failures);
  return counts.failures == 0 && counts.runs > 0 ? 0 : 1;
}
