// The device, and what it offers a backend as its host.
#include "backend/device_state.h"

#include "backend/buffer_state.h"
#include "backend/compilation.h"
#include "backend/compile.h"
#include "backend/errors.h"
#include "backend/graph_recording.h"
#include "backend/module_handle.h"
#include "backend/registry.h"
#include "backend/trace.h"
#include "runtime/support/check.h"
#include "runtime/support/env.h"
#include "runtime/support/log.h"
#include "runtime/workers.h"

#include <weft/device.h>
#include <weft/error.h>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <limits>

namespace weft {
namespace detail {

std::shared_ptr<StreamState> make_stream(std::shared_ptr<DeviceState> device);  // stream.cpp
std::shared_ptr<EventState> make_event(std::shared_ptr<DeviceState> device);    // event.cpp

namespace {

using backend::ErrorSink;

// --- WeftHost
void host_log(void* user, std::uint32_t level, const char* text) {
  static_cast<const DeviceState*>(user)->log(static_cast<LogLevel>(level), text);
}

int host_wants_log(void* /*user*/, std::uint32_t level) { return static_cast<LogLevel>(level) >= log_level() ? 1 : 0; }

const char* host_module_text(const WeftModule* module) { return module->text().c_str(); }

const WeftKernelInfo* host_module_info(const WeftModule* module) { return &module->description()->info(); }

unsigned next_device_number() {
  static std::atomic<unsigned> number{0};  // orders nothing
  return number.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::string chosen_name(std::string_view name) {
  if (!name.empty()) return std::string(name);
  std::string from_environment = env::device();
  return from_environment.empty() ? "cpu" : from_environment;
}

WeftDeviceOptions to_interface(const DeviceOptions& options) {
  WeftDeviceOptions out{};
  out.threads = options.threads;
  out.pack_width = options.width;
  out.effort = static_cast<std::uint32_t>(options.effort);
  out.form = static_cast<std::uint32_t>(options.form);
  out.cpu = options.cpu.c_str();
  out.cache = static_cast<std::uint32_t>(options.cache);
  out.cache_folder = options.cache_folder.c_str();
  out.cache_limit_bytes = options.cache_limit_bytes;
  return out;
}

}  // namespace

DeviceState::DeviceState(const WeftBackend& backend, const DeviceOptions& options)
    : backend(backend),
      name(backend.name),
      number(next_device_number()),
      log_sink(options.log),
      threads_(options.threads) {
  host = {WEFT_BACKEND_VERSION, this, host_log, host_wants_log, host_module_text, host_module_info};
  weft::backend::start_trace_of_environment();
  const WeftDeviceOptions raw = to_interface(options);
  const ErrorSink errors;
  handle = backend.create_device(&host, &raw, errors.interface());
  if (handle == nullptr) errors.raise(fmt::format("creating a device '{}'", name));
}

DeviceState::~DeviceState() { backend.destroy_device(handle); }

std::string DeviceState::label() const { return fmt::format("device {} #{}", name, number); }

runtime::Executor& DeviceState::executor() const {
  std::call_once(executor_made_, [this] {
    executor_ = threads_ == 0 ? runtime::default_executor() : std::make_shared<runtime::WorkerPool>(threads_);
  });
  return *executor_;
}

void DeviceState::log(LogLevel level, std::string_view text) const {
  if (level < log_level()) return;
  if (log_sink) {
    log_sink(level, text);
  } else {
    log_message(level, text);
  }
}

void check_same_device(const DeviceState& used_device, std::string_view used, const DeviceState& user_device,
                       std::string_view user) {
  if (&used_device == &user_device) return;
  throw UsageError(fmt::format("{} belongs to {}, {} to {}", used, used_device.label(), user, user_device.label()));
}

}  // namespace detail

Device::Device(std::string_view name, const DeviceOptions& options)
    : state_(std::make_shared<detail::DeviceState>(backend::find_backend(detail::chosen_name(name)), options)) {}

std::vector<std::string> Device::available() { return backend::backend_names(); }

const std::shared_ptr<detail::DeviceState>& Device::state() const {
  if (state_ == nullptr) throw UsageError("a device is used that was moved from");
  return state_;
}

const std::string& Device::name() const { return state()->name; }

Stream Device::create_stream() const { return Stream(detail::make_stream(state())); }

GraphBuilder Device::create_graph(GraphOrder order) const {
  return GraphBuilder(std::make_shared<detail::GraphRecording>(state(), order));
}

Event Device::create_event() const { return Event(detail::make_event(state())); }

std::shared_ptr<detail::ShaderState> Device::compile_module(const std::shared_ptr<const ir::Module>& module,
                                                            const ShaderOptions& options) const {
  if (module == nullptr) throw UsageError("a kernel is compiled that was moved from");
  const ir::Function* const kernel = module->find_kernel();
  WEFT_CHECK(kernel != nullptr, "a recorded module holds one kernel");
  return backend::compile_module(state(), *module, *kernel, options);
}

DynamicShader Device::compile_text(std::string_view text, const ShaderOptions& options, std::string_view kernel,
                                   std::string_view file) const {
  return DynamicShader(backend::compile_text(state(), text, options, kernel, file));
}

DynamicShader Device::load_shader(const std::filesystem::path& file, const ShaderOptions& options) const {
  return DynamicShader(backend::load_shader(state(), file, options));
}

std::shared_ptr<detail::CompilationState> Device::start_compilation(std::shared_ptr<const ir::Module> module,
                                                                    const ShaderOptions& options) const {
  return detail::CompilationState::start(*state(), [device = *this, module = std::move(module), options] {
    return device.compile_module(module, options);
  });
}

Compilation<DynamicShader> Device::compile_text_async(std::string text, const ShaderOptions& options,
                                                      std::string kernel, std::string file) const {
  return Compilation<DynamicShader>(detail::CompilationState::start(
      *state(), [state = state(), text = std::move(text), options, kernel = std::move(kernel), file = std::move(file)] {
        return backend::compile_text(state, text, options, kernel, file);
      }));
}

void Device::trim() const { state()->backend.trim(state()->handle); }

detail::BufferRange Device::make_buffer(std::uint64_t count, const detail::ElementType& type) const {
  if (count > std::numeric_limits<std::uint64_t>::max() / type.size_bytes) {
    throw OutOfMemoryError(
        fmt::format("a buffer of {} is larger than the address space", detail::count_text(count, type)));
  }
  const std::uint64_t size_bytes = count * type.size_bytes;
  return detail::make_range(std::make_shared<detail::BufferMemory>(state(), size_bytes),
                            "buffer of " + detail::count_text(count, type), size_bytes);
}

}  // namespace weft
