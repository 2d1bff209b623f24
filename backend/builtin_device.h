// What the devices that are built in have in common: buffers in the host's memory, streams made of the runtime's
// command queues, and the C table in front. They differ in how a kernel becomes something that runs.
#pragma once

#include "backend/kernel_info.h"
#include "backend/module_handle.h"
#include "runtime/command.h"
#include "runtime/cooperative_dispatch.h"
#include "runtime/executor.h"
#include "runtime/grid.h"
#include "runtime/progress.h"

#include <weft/backend.h>
#include <weft/log.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft::backend {

class BuiltinKernel {
 public:
  virtual ~BuiltinKernel() = default;

  const WeftKernelInfo& info() const { return description_->info(); }

  // The argument block of a dispatch.
  std::vector<std::byte> pack(std::span<const WeftArgument> arguments) const;

  // A command that runs the kernel over the grid; cooperatively if the kernel waits between blocks. Throws
  // OutOfMemoryError.
  virtual std::shared_ptr<runtime::Command> make_dispatch(const runtime::Grid& grid,
                                                          std::span<const std::byte> arguments,
                                                          const runtime::CooperativeOptions& options,
                                                          runtime::ProgressOptions progress) const = 0;

  // The kernel prints, so that its place among other commands can be seen.
  virtual bool prints() const = 0;

 protected:
  // Where in the argument block each argument is, and how large the block is.
  struct ArgumentPlaces {
    std::vector<std::uint64_t> offsets;
    std::uint64_t size_bytes = 0;
  };
  BuiltinKernel(std::shared_ptr<const KernelDescription> description, ArgumentPlaces places)
      : description_(std::move(description)), places_(std::move(places)) {}

 private:
  const std::shared_ptr<const KernelDescription> description_;
  const ArgumentPlaces places_;
};

// A dispatch of a kernel whose blocks wait for each other. Throws OutOfMemoryError.
std::shared_ptr<runtime::Command> make_cooperative(const std::shared_ptr<const runtime::Kernel>& kernel,
                                                   const runtime::Grid& grid, std::span<const std::byte> arguments,
                                                   const runtime::CooperativeOptions& options,
                                                   runtime::ProgressOptions progress);

class BuiltinDevice {
 public:
  BuiltinDevice(const WeftHost& host, std::shared_ptr<runtime::Executor> executor)
      : host_(host), executor_(std::move(executor)) {}
  virtual ~BuiltinDevice() = default;
  BuiltinDevice(const BuiltinDevice&) = delete;
  BuiltinDevice& operator=(const BuiltinDevice&) = delete;

  // Both throw CompileError.
  virtual std::unique_ptr<BuiltinKernel> compile(const WeftModule& module, const WeftKernelOptions& options) = 0;
  virtual std::unique_ptr<BuiltinKernel> load(std::span<const std::byte> bytes, const std::string& name) = 0;

  const std::shared_ptr<runtime::Executor>& executor() const { return executor_; }

 protected:
  bool wants_log(LogLevel level) const { return host_.wants_log(host_.user, static_cast<std::uint32_t>(level)) != 0; }
  void log(LogLevel level, const std::string& text) const {
    host_.log(host_.user, static_cast<std::uint32_t>(level), text.c_str());
  }

 private:
  const WeftHost& host_;
  const std::shared_ptr<runtime::Executor> executor_;
};

// The table of a built-in backend but for its name, description and create_device.
WeftBackend builtin_table();

inline WeftDevice* to_handle(BuiltinDevice* device) { return reinterpret_cast<WeftDevice*>(device); }

}  // namespace weft::backend
