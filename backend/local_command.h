// Commands of the C interface as commands of a runtime queue, and what they touch.
#pragma once

#include "runtime/command.h"
#include "runtime/event.h"
#include "runtime/hazards.h"

#include <weft/backend.h>

#include <memory>
#include <vector>

namespace weft::backend {

// What a WeftEvent of the built-in devices is.
struct LocalEvent {
  const std::shared_ptr<runtime::Event> event = std::make_shared<runtime::Event>();
};

struct LocalCommand {
  std::shared_ptr<runtime::Command> command;
  // All the memory that it touches, by address: buffers as well as the host's. Nothing: it keeps its place among all
  // other commands, as do functions of the host, signals, waits, and kernels that print or write no buffer.
  std::vector<runtime::Use> uses;
};

// Takes over the command, which is released with what comes back, or at once if this throws: UsageError for a dispatch
// that is too large.
LocalCommand to_local(const WeftCommand& command);

// The same for a command that somebody else releases, when `owner` and its copies are gone.
std::shared_ptr<runtime::Command> to_local(const WeftCommand& command, std::shared_ptr<void> owner);

runtime::Use use_of(const WeftRange& range, runtime::Access access);

}  // namespace weft::backend
