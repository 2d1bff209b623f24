// What a Device is: a backend's device and the table to use it by. Everything that it makes holds it.
#pragma once

#include "runtime/executor.h"

#include <weft/backend.h>
#include <weft/device.h>

#include <memory>
#include <mutex>
#include <string>

namespace weft::detail {

struct DeviceState {
  // Throws DeviceError.
  DeviceState(const WeftBackend& backend, const DeviceOptions& options);
  ~DeviceState();
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  // As in messages: "device cpu #1", the number being that of the process's devices.
  std::string label() const;

  // The device's own sink, or the process's.
  void log(LogLevel level, std::string_view text) const;

  const WeftBackend& backend;
  const std::string name;
  const unsigned number;
  const LogSink log_sink;
  WeftHost host{};
  WeftDevice* handle = nullptr;

  // The threads that compile beside the application's own, as many as the device may have.
  runtime::Executor& executor() const;

 private:
  const unsigned threads_;  // as asked for
  mutable std::once_flag executor_made_;
  mutable std::shared_ptr<runtime::Executor> executor_;
};

// Throws UsageError, naming both, unless `user`, such as "the stream", is on the same device as `used`.
void check_same_device(const DeviceState& used_device, std::string_view used, const DeviceState& user_device,
                       std::string_view user);

}  // namespace weft::detail
