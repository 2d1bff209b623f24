// Streams: commands go to the backend's stream, and what they hold goes when it releases them.
#include "backend/command_state.h"
#include "backend/errors.h"
#include "backend/graph_launch.h"

#include <weft/error.h>
#include <weft/stream.h>

#include <fmt/format.h>

#include <atomic>
#include <chrono>

namespace weft {
namespace detail {

using backend::ErrorSink;

struct StreamState {
  explicit StreamState(std::shared_ptr<DeviceState> owner) : device(std::move(owner)) {
    const ErrorSink errors;
    handle = device->backend.create_stream(device->handle, errors.interface());
    if (handle == nullptr) errors.raise("creating a stream");
  }
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;
  ~StreamState() {
    device->backend.destroy_stream(handle);
    if (exception->take() != nullptr) {
      device->log(LogLevel::error, "a function of the host threw on a stream that was not synchronised any more");
    }
  }

  const std::shared_ptr<DeviceState> device;
  const std::shared_ptr<HostException> exception = std::make_shared<HostException>();
  const std::shared_ptr<ProfileLog> profiles = std::make_shared<ProfileLog>();
  std::atomic<bool> is_profiling{false};  // orders nothing
  WeftStream* handle = nullptr;
};

CommandProfile to_command_profile(const std::string& what, const WeftProfile& profile) {
  using std::chrono::nanoseconds;
  CommandProfile out;
  out.command = what;
  out.submitted = std::chrono::steady_clock::time_point(nanoseconds(profile.submitted_ns));
  out.queued = nanoseconds(profile.started_ns - profile.submitted_ns);
  out.run = nanoseconds(profile.ended_ns - profile.started_ns);
  out.threads = profile.threads;
  out.skipped = profile.skipped != 0;
  return out;
}

std::shared_ptr<StreamState> make_stream(std::shared_ptr<DeviceState> device) {
  return std::make_shared<StreamState>(std::move(device));
}

namespace {

// --- what the backend calls; no exception may reach it
void release(void* user) { delete static_cast<CommandState*>(user); }

void run_host(void* user) {
  auto& state = *static_cast<CommandState*>(user);
  try {
    state.host();
  } catch (...) {
    state.exception->set(std::current_exception());
  }
}

int report_progress(void* user, std::uint64_t done, std::uint64_t total) {
  auto& state = *static_cast<CommandState*>(user);
  try {
    return state.progress(done, total) ? 1 : 0;
  } catch (...) {
    state.exception->set(std::current_exception());
    return 0;
  }
}

void add_profile(void* user, const WeftProfile* profile) {
  const auto& state = *static_cast<CommandState*>(user);
  state.profiles->add(to_command_profile(state.what, *profile));
}

// Transients, inputs and uniforms mean something in a graph alone.
void check_is_no_graphs(const CommandState& command) {
  for (const std::shared_ptr<BufferMemory>& memory : command.memories) check_is_no_placeholder(*memory, command.what);
  if (command.uniforms.empty()) return;
  throw UsageError(command.uniforms.front().label + " is a uniform of a graph; only commands of that graph may use it");
}

}  // namespace
}  // namespace detail

Command::Command(std::unique_ptr<detail::CommandState> state) : state_(std::move(state)) {}
Command::Command(Command&& other) noexcept = default;
Command& Command::operator=(Command&& other) noexcept = default;
Command::~Command() = default;

DispatchCommand DispatchCommand::on_progress(std::function<bool(std::uint64_t, std::uint64_t)> progress) && {
  if (state_ == nullptr) throw UsageError("a command is given a progress callback that was submitted before");
  state_->progress = std::move(progress);
  return std::move(*this);
}

Command host_callback(std::function<void()> function) {
  if (!function) throw UsageError("a host callback without a function");
  auto state = std::make_unique<detail::CommandState>();
  state->what = "host callback";
  state->host = std::move(function);
  state->command.kind = WEFT_COMMAND_HOST;
  return Command(std::move(state));
}

Stream::Chain::~Chain() { stream_->flush(); }

Stream::Chain& Stream::Chain::operator<<(Command command) {
  stream_->submit(std::move(command));
  return *this;
}

Stream::Chain& Stream::Chain::operator<<(Synchronize) {
  stream_->synchronize();
  return *this;
}

Stream::Chain Stream::operator<<(Command command) {
  submit(std::move(command));
  return Chain(*this);
}

Stream& Stream::operator<<(Synchronize) {
  synchronize();
  return *this;
}

detail::StreamState& Stream::state() const {
  if (state_ == nullptr) throw UsageError("a stream is used that was never created, or was moved from");
  return *state_;
}

void Stream::submit(Command command) {
  const detail::StreamState& stream = state();
  std::unique_ptr<detail::CommandState> pending = std::move(command.state_);
  if (pending == nullptr) throw UsageError("a command is submitted that was submitted before, or was moved from");
  if (pending->device != nullptr)
    check_same_device(*pending->device, "the " + pending->what, *stream.device, "the stream");
  detail::check_is_no_graphs(*pending);
  if (pending->does_nothing) return;
  if (pending->launch != nullptr) {
    const bool is_profiling = stream.is_profiling.load(std::memory_order_relaxed);
    detail::submit_launch(pending->launch, stream.handle, stream.exception, is_profiling ? stream.profiles : nullptr);
    return;
  }
  WeftCommand raw = pending->command;
  raw.release = detail::release;
  if (pending->host) raw.host = detail::run_host;
  if (pending->progress) raw.dispatch.progress = detail::report_progress;
  if (stream.is_profiling.load(std::memory_order_relaxed)) {
    pending->profiles = stream.profiles;
    raw.profile = detail::add_profile;
  }
  raw.label = pending->what.c_str();
  pending->exception = stream.exception;
  raw.user = pending.release();
  const backend::ErrorSink errors;
  const WeftResult result = stream.device->backend.submit(stream.handle, &raw, errors.interface());
  if (result != WEFT_OK) errors.raise(result, "submitting a command");
}

void Stream::flush() {
  if (state_ != nullptr) state_->device->backend.flush(state_->handle);
}

void Stream::synchronize() {
  const detail::StreamState& stream = state();
  const backend::ErrorSink errors;
  const WeftResult result = stream.device->backend.synchronise(stream.handle, errors.interface());
  if (std::exception_ptr exception = stream.exception->take()) std::rethrow_exception(exception);
  if (result != WEFT_OK) errors.raise(result, "synchronising a stream");
}

void Stream::cancel() {
  const detail::StreamState& stream = state();
  stream.device->backend.cancel(stream.handle);
}

void Stream::set_profiling(bool on) { state().is_profiling.store(on, std::memory_order_relaxed); }

std::vector<CommandProfile> Stream::take_profiles() { return state().profiles->take(); }

}  // namespace weft
