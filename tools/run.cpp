// weftc run: dispatches a kernel over arrays from files or generators, and saves, prints and times what comes out.
#include "tools/argument.h"
#include "tools/commands.h"
#include "tools/kernel_flags.h"
#include "tools/report.h"
#include "tools/source.h"

#include "backend/shader_file.h"
#include "runtime/support/files.h"
#include "runtime/workers.h"

#include <weft/device.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <span>

namespace weft::tools {
namespace {

struct RunOptions {
  KernelFlags flags;
  std::vector<std::string> arguments;
  std::string dispatch;
  std::string blocks;
  std::vector<std::string> saves;
  std::vector<std::string> prints;
  bool interp = false;
  std::uint32_t threads = 0;
  std::uint32_t repeat = 1;
  bool time = false;
  bool json = false;
};

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

std::array<std::uint64_t, 3> read_size(std::string_view text, std::string_view option) {
  std::array<std::uint64_t, 3> size{1, 1, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [after, error] = std::from_chars(at, end, size[i]);
    if (error != std::errc()) break;
    at = after;
    if (at == end) return size;
    if (*at++ != ',') break;
  }
  throw UsageFailure(fmt::format("{} {}: expected X or X,Y or X,Y,Z", option, text));
}

Device make_device(const RunOptions& options) {
  DeviceOptions device;
  device.threads = options.threads;
  device.cpu = options.flags.cpu;
  return Device(options.interp ? "interp" : "", device);
}

DynamicShader compile(const Device& device, const RunOptions& options, const Source& source) {
  const std::unique_ptr<ir::Module> module = read_module(source);
  const ir::Function& kernel = choose_kernel(*module, source, options.flags.kernel);
  return device.compile_text(source.text, options.flags.shader_options(*module), kernel.name, source.name);
}

DynamicShader load(const Device& device, const RunOptions& options) {
  const Source source = read_source(options.flags.file);
  if (backend::is_shader_file(std::as_bytes(std::span(source.text)))) {
    if (options.flags.asks_for_compilation()) {
      throw UsageFailure(source.name + " is compiled already: options of compilation do not apply to it");
    }
    return device.load_shader(options.flags.file);
  }
  if (!options.flags.specs.empty()) return compile(device, options, source);
  try {
    // By its text alone, so that a kernel that the cache has is not even parsed.
    return device.compile_text(source.text, options.flags.shader_options(ir::Module()), options.flags.kernel,
                               source.name);
  } catch (const CompileError&) {
    return compile(device, options, source);  // says what is wrong with the command line, if that is it
  }
}

// The kernel's arguments, on the device.
class BoundArguments {
 public:
  BoundArguments(const Device& device, const std::vector<KernelArgument>& arguments) : arguments_(arguments) {
    for (const KernelArgument& argument : arguments_) {
      buffers_.push_back(argument.is_buffer ? device.create_byte_buffer(argument.bytes.size()) : ByteBuffer());
    }
  }

  // Sets all buffers to what the command line says.
  void upload(Stream& stream) const {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].is_buffer) stream << buffers_[i].upload(arguments_[i].bytes);
    }
    stream.synchronize();
  }

  std::vector<std::byte> download(Stream& stream, std::size_t index) const {
    std::vector<std::byte> bytes(arguments_[index].bytes.size());
    stream << buffers_[index].download(bytes) << synchronize();
    return bytes;
  }

  Invocation bind(const DynamicShader& shader) const {
    std::vector<NamedArgument> named;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const KernelArgument& argument = arguments_[i];
      detail::ArgumentRef reference{{argument.type.size_bytes, nullptr, argument.type.text}};
      if (argument.is_buffer) {
        reference.range = &buffers_[i].range();
      } else {
        reference.value = argument.bytes.data();
      }
      named.emplace_back(argument.name, reference);
    }
    return shader.bind(named);
  }

 private:
  const std::vector<KernelArgument>& arguments_;
  std::vector<ByteBuffer> buffers_;
};

std::size_t index_of_buffer(const std::vector<KernelArgument>& arguments, std::string_view name,
                            std::string_view option) {
  const auto found = std::ranges::find(arguments, name, &KernelArgument::name);
  if (found == arguments.end() || !found->is_buffer) {
    throw UsageFailure(fmt::format("{} {}: the kernel has no buffer of this name", option, name));
  }
  return static_cast<std::size_t>(found - arguments.begin());
}

// NAME=FILE of --save, NAME[:COUNT] of --print, checked before the kernel runs.
struct Output {
  std::size_t argument;
  std::string file;
  std::uint64_t count = 0;
};

std::vector<Output> read_saves(const RunOptions& options, const std::vector<KernelArgument>& arguments) {
  std::vector<Output> outputs;
  for (const std::string& text : options.saves) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      throw UsageFailure(fmt::format("--save {}: expected NAME=FILE", text));
    }
    outputs.push_back({index_of_buffer(arguments, text.substr(0, equals), "--save"), text.substr(equals + 1)});
  }
  return outputs;
}

// The COUNT of --print, which begins there in its text.
std::uint64_t read_count(const std::string& text, std::size_t begin) {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + begin, end, count);
  if (error != std::errc() || after != end) throw UsageFailure(fmt::format("--print {}: expected NAME[:COUNT]", text));
  return count;
}

std::vector<Output> read_prints(const RunOptions& options, const std::vector<KernelArgument>& arguments) {
  constexpr std::uint64_t kPrinted = 16;
  std::vector<Output> outputs;
  for (const std::string& text : options.prints) {
    const std::size_t colon = text.find(':');
    const std::uint64_t count = colon == std::string::npos ? kPrinted : read_count(text, colon + 1);
    outputs.push_back({index_of_buffer(arguments, text.substr(0, colon), "--print"), {}, count});
  }
  return outputs;
}

DispatchCommand sized(Invocation invocation, const RunOptions& options) {
  if (!options.blocks.empty()) {
    const auto [x, y, z] = read_size(options.blocks, "--blocks");
    return std::move(invocation).dispatch_blocks(x, y, z);
  }
  const auto [x, y, z] = read_size(options.dispatch, "--dispatch");
  return std::move(invocation).dispatch(x, y, z);
}

std::uint64_t lane_count(const RunOptions& options, const ShaderInfo& info) {
  const bool in_blocks = !options.blocks.empty();
  const auto [x, y, z] = in_blocks ? read_size(options.blocks, "--blocks") : read_size(options.dispatch, "--dispatch");
  const std::uint64_t block = std::uint64_t{info.block_size[0]} * info.block_size[1] * info.block_size[2];
  return x * y * z * (in_blocks ? block : 1);
}

RunReport run_kernel(const RunOptions& options) {
  RunReport report;
  const Device device = make_device(options);
  const auto compile_begin = std::chrono::steady_clock::now();
  const DynamicShader shader = load(device, options);
  report.compile_ms = milliseconds_since(compile_begin);
  report.kernel = shader.info();
  report.device = device.name();
  report.lanes = lane_count(options, shader.info());
  report.workers = device.name() == "interp" ? 1
                   : options.threads != 0    ? options.threads
                                             : runtime::default_worker_count();
  report.has_times = options.time;

  const std::vector<KernelArgument> arguments = read_arguments(shader.info(), options.arguments);
  const std::vector<Output> saves = read_saves(options, arguments);
  const std::vector<Output> prints = read_prints(options, arguments);
  for (const KernelArgument& argument : arguments)
    report.buffer_bytes += argument.is_buffer ? argument.bytes.size() : 0;
  Stream stream = device.create_stream();
  const BoundArguments bound(device, arguments);
  for (std::uint32_t i = 0; i < options.repeat; ++i) {
    bound.upload(stream);  // so that each run does the same
    Invocation invocation = bound.bind(shader);
    if (shader.info().is_cooperative) invocation = std::move(invocation).cooperative();
    DispatchCommand dispatch = sized(std::move(invocation), options);
    const auto begin = std::chrono::steady_clock::now();
    stream << std::move(dispatch) << synchronize();
    report.run_ms.push_back(milliseconds_since(begin));
  }
  for (const Output& save : saves) {
    write_array(save.file, arguments[save.argument].type, bound.download(stream, save.argument));
  }
  for (const Output& print : prints) {
    report.arrays.push_back({arguments[print.argument].name, arguments[print.argument].type,
                             bound.download(stream, print.argument), print.count});
  }
  return report;
}

ExitCode run(const RunOptions& options) {
  if (options.dispatch.empty() && options.blocks.empty()) {
    throw UsageFailure("say how many lanes to run by --dispatch X[,Y[,Z]], or how many blocks by --blocks");
  }
  const RunReport report = run_kernel(options);
  fmt::print("{}", options.json ? to_json(report) : to_text(report));
  return ExitCode::ok;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a kernel over arrays");
  options->flags.add_to(*command);
  command
      ->add_option("--arg", options->arguments,
                   "An argument: NAME=@FILE.npy, NAME=@FILE (raw bytes), NAME=zeros:TYPE:COUNT, iota:TYPE:COUNT, "
                   "random:TYPE:COUNT[:SEED], fill:TYPE:COUNT:VALUE, or a value such as NAME=2.5 or NAME=1,2,3")
      ->type_name("NAME=WHAT")
      ->allow_extra_args(false);
  CLI::Option* dispatch = command->add_option("--dispatch", options->dispatch, "Size in lanes")->type_name("X[,Y[,Z]]");
  command->add_option("--blocks", options->blocks, "Size in blocks")->type_name("X[,Y[,Z]]")->excludes(dispatch);
  command
      ->add_option("--save", options->saves, "Write a buffer to an array file (.npy), or its bytes to any other file")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->add_option("--print", options->prints, "Print the first elements of a buffer, 16 unless COUNT is given")
      ->type_name("NAME[:COUNT]")
      ->allow_extra_args(false);
  command->add_flag("--interp", options->interp, "Run the reference interpreter instead of compiled code");
  command->add_option("--threads", options->threads, "Number of threads; as many as the machine allows if not given")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
  command->add_option("--repeat", options->repeat, "Run so many times, each from the same arguments")
      ->check(CLI::Range(1, 1000000).description(""))
      ->type_name("N");
  command->add_flag("--time", options->time, "Report times: of compiling, median and least of the runs");
  command->add_flag("--json", options->json, "Report as JSON");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace weft::tools
