// A stream of the devices that are built in: commands of the C interface become commands of a runtime queue.
#pragma once

#include "runtime/command_queue.h"

#include <weft/backend.h>

#include <memory>

namespace weft::backend {

class LocalStream {
 public:
  explicit LocalStream(std::shared_ptr<runtime::Executor> executor)
      : queue_(runtime::CommandQueue::create(std::move(executor))) {}
  // Finishes what was submitted.
  ~LocalStream();
  LocalStream(const LocalStream&) = delete;
  LocalStream& operator=(const LocalStream&) = delete;

  // Throws UsageError for a dispatch that is too large, ForkedProcessError.
  void submit(const WeftCommand& command);
  void submit(const WeftGraphLaunch& launch);
  void flush() noexcept;
  // Throws KernelFault, DispatchCancelled, ForkedProcessError, SelfWaitError.
  void synchronise();
  void cancel() { queue_->cancel(); }

 private:
  const std::shared_ptr<runtime::CommandQueue> queue_;
};

}  // namespace weft::backend
