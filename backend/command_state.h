// A command between being made and being finished: what the backend is handed, and all that must live until then.
#pragma once

#include "backend/buffer_state.h"
#include "backend/device_state.h"

#include <weft/backend.h>
#include <weft/stream.h>
#include <weft/uniform.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

struct ShaderState;
struct GraphLaunch;

// The first exception that functions of the host let out since it was last taken.
class HostException {
 public:
  void set(std::exception_ptr exception) {
    const std::lock_guard lock(mutex_);
    if (!exception_) exception_ = std::move(exception);
  }
  std::exception_ptr take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(exception_, nullptr);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

// The profiles of a stream's commands that nobody has taken yet.
class ProfileLog {
 public:
  void add(CommandProfile profile) {
    const std::lock_guard lock(mutex_);
    profiles_.push_back(std::move(profile));
  }
  std::vector<CommandProfile> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(profiles_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<CommandProfile> profiles_;
};

// An argument whose value is a graph's to give.
struct UniformArgument {
  UniformRef uniform;
  std::size_t offset = 0;  // of the value among the command's
  std::size_t size_bytes = 0;
  std::string label;  // "argument 2 ('factor') of kernel 'scale'"
};

struct CommandState {
  std::string what;                     // for messages: "upload of 100 f32"
  std::shared_ptr<DeviceState> device;  // null for what runs on any device
  bool does_nothing = false;            // of no size: checked, but not handed on
  WeftCommand command{};
  std::vector<std::shared_ptr<BufferMemory>> memories;
  std::shared_ptr<ShaderState> shader;
  std::shared_ptr<const void> owner;  // of host data, or of an event
  std::vector<std::byte> values;      // of a dispatch's arguments, or the pattern of a fill
  std::vector<WeftArgument> arguments;
  std::function<void()> host;
  std::function<bool(std::uint64_t, std::uint64_t)> progress;
  // For graphs:
  std::vector<UniformArgument> uniforms;  // in place of values
  std::shared_ptr<GraphLaunch> launch;    // null unless the command is one
  // Of the stream, from submission on.
  std::shared_ptr<HostException> exception;
  std::shared_ptr<ProfileLog> profiles;  // null if the command is not profiled
};

// What the backend says of how the command went.
CommandProfile to_command_profile(const std::string& what, const WeftProfile& profile);

}  // namespace weft::detail
