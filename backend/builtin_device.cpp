#include "backend/builtin_device.h"

#include "backend/errors.h"
#include "backend/local_command.h"
#include "backend/local_memory.h"
#include "backend/local_stream.h"
#include "runtime/abi/abi.h"
#include "runtime/resident_memory.h"
#include "runtime/thread_resources.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

namespace weft::backend {
namespace {

constexpr std::uint64_t kMaxTimeout = 100ULL * 365 * 24 * 3600 * 1'000'000'000;  // which a clock can add

BuiltinDevice& device_of(WeftDevice* handle) { return *reinterpret_cast<BuiltinDevice*>(handle); }
LocalStream& stream_of(WeftStream* handle) { return *reinterpret_cast<LocalStream*>(handle); }

WeftKernel* to_handle(std::unique_ptr<BuiltinKernel> kernel) { return reinterpret_cast<WeftKernel*>(kernel.release()); }

void destroy_device(WeftDevice* device) { delete &device_of(device); }

void trim(WeftDevice* /*device*/) {
  runtime::trim_thread_memory();
  runtime::trim_resident_memory();
}

WeftBuffer* create_buffer(WeftDevice* /*device*/, std::uint64_t size_bytes, const WeftErrors* errors) {
  return guarded(errors, [&] { return reinterpret_cast<WeftBuffer*>(new LocalMemory(size_bytes)); });
}

void destroy_buffer(WeftDevice* /*device*/, WeftBuffer* buffer) { delete reinterpret_cast<LocalMemory*>(buffer); }

WeftKernel* compile(WeftDevice* device, const WeftModule* module, const WeftKernelOptions* options,
                    const WeftErrors* errors) {
  return guarded(errors, [&] { return to_handle(device_of(device).compile(*module, *options)); });
}

WeftKernel* load(WeftDevice* device, const void* bytes, std::size_t size_bytes, const char* name,
                 const WeftErrors* errors) {
  return guarded(errors, [&] {
    return to_handle(device_of(device).load({static_cast<const std::byte*>(bytes), size_bytes}, name));
  });
}

const WeftKernelInfo* kernel_info(const WeftKernel* kernel) {
  return &reinterpret_cast<const BuiltinKernel*>(kernel)->info();
}

void destroy_kernel(WeftDevice* /*device*/, WeftKernel* kernel) { delete reinterpret_cast<BuiltinKernel*>(kernel); }

WeftStream* create_stream(WeftDevice* device, const WeftErrors* errors) {
  return guarded(errors, [&] { return reinterpret_cast<WeftStream*>(new LocalStream(device_of(device).executor())); });
}

void destroy_stream(WeftStream* stream) { delete &stream_of(stream); }

WeftResult submit(WeftStream* stream, const WeftCommand* command, const WeftErrors* errors) {
  return guarded_result(errors, [&] { stream_of(stream).submit(*command); });
}

WeftResult submit_graph(WeftStream* stream, const WeftGraphLaunch* launch, const WeftErrors* errors) {
  return guarded_result(errors, [&] { stream_of(stream).submit(*launch); });
}

void flush(WeftStream* stream) { stream_of(stream).flush(); }

WeftResult synchronise(WeftStream* stream, const WeftErrors* errors) {
  return guarded_result(errors, [&] { stream_of(stream).synchronise(); });
}

void cancel(WeftStream* stream) { stream_of(stream).cancel(); }

LocalEvent& event_of(WeftEvent* handle) { return *reinterpret_cast<LocalEvent*>(handle); }

WeftEvent* create_event(WeftDevice* /*device*/, const WeftErrors* errors) {
  return guarded(errors, [] { return reinterpret_cast<WeftEvent*>(new LocalEvent); });
}

void close_event(WeftEvent* event) { event_of(event).event->close(); }
void destroy_event(WeftDevice* /*device*/, WeftEvent* event) { delete &event_of(event); }
std::uint64_t event_value(WeftEvent* event) { return event_of(event).event->value(); }
void signal_event(WeftEvent* event, std::uint64_t value) { event_of(event).event->signal(value); }

WeftResult wait_event(WeftEvent* event, std::uint64_t value, std::uint64_t timeout_ns, int* reached,
                      const WeftErrors* errors) {
  return guarded_result(errors, [&] {
    std::optional<std::chrono::nanoseconds> timeout;
    if (timeout_ns < UINT64_MAX) timeout = std::chrono::nanoseconds(std::min<std::uint64_t>(timeout_ns, kMaxTimeout));
    *reached = event_of(event).event->wait(value, timeout) ? 1 : 0;
  });
}

}  // namespace

std::vector<std::byte> BuiltinKernel::pack(std::span<const WeftArgument> arguments) const {
  std::vector<std::byte> block(places_.size_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const WeftArgument& argument = arguments[i];
    const WeftArgumentInfo& asked = info().arguments[i];
    std::byte* const place = block.data() + places_.offsets[i];
    if (asked.kind == WEFT_ARGUMENT_VALUE) {
      std::memcpy(place, argument.value, asked.size_bytes);
      continue;
    }
    const auto& memory = *reinterpret_cast<const LocalMemory*>(argument.range.buffer);
    const abi::BufferArgument buffer{memory.data() + argument.range.offset_bytes,
                                     argument.range.size_bytes / asked.element_bytes};
    std::memcpy(place, &buffer, sizeof buffer);
  }
  return block;
}

std::shared_ptr<runtime::Command> make_cooperative(const std::shared_ptr<const runtime::Kernel>& kernel,
                                                   const runtime::Grid& grid, std::span<const std::byte> arguments,
                                                   const runtime::CooperativeOptions& options,
                                                   runtime::ProgressOptions progress) {
  const runtime::ResidentNeed need = runtime::resident_need(*kernel->info, grid.block_count);
  if (const auto problem = runtime::refusal(need, options.memory_limit_bytes)) {
    throw OutOfMemoryError(fmt::format("dispatch of kernel '{}': {}", kernel->info->name, *problem));
  }
  return runtime::CooperativeDispatch::create(kernel, grid, arguments, options, std::move(progress));
}

WeftBackend builtin_table() {
  WeftBackend table{};
  table.version = WEFT_BACKEND_VERSION;
  table.destroy_device = destroy_device;
  table.trim = trim;
  table.create_buffer = create_buffer;
  table.destroy_buffer = destroy_buffer;
  table.compile = compile;
  table.load = load;
  table.kernel_info = kernel_info;
  table.destroy_kernel = destroy_kernel;
  table.create_stream = create_stream;
  table.destroy_stream = destroy_stream;
  table.submit = submit;
  table.submit_graph = submit_graph;
  table.flush = flush;
  table.synchronise = synchronise;
  table.cancel = cancel;
  table.create_event = create_event;
  table.close_event = close_event;
  table.destroy_event = destroy_event;
  table.event_value = event_value;
  table.signal_event = signal_event;
  table.wait_event = wait_event;
  return table;
}

}  // namespace weft::backend
