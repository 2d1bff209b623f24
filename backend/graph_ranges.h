// The ranges of buffers that a command names, in a fixed order, and how it touches them.
#pragma once

#include "runtime/hazards.h"

#include <weft/backend.h>

#include <span>

namespace weft::detail {

// Calls visit(range, access) for each: a dispatch's arguments in `arguments`, all others in the command itself.
// `kernel` is that of a dispatch.
template <typename Command, typename Argument, typename Visit>
void for_each_range(Command& command, std::span<Argument> arguments, const WeftKernelInfo* kernel, Visit visit) {
  using runtime::Access;
  switch (static_cast<WeftCommandKind>(command.kind)) {
    case WEFT_COMMAND_DISPATCH:
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (kernel->arguments[i].kind == WEFT_ARGUMENT_VALUE) continue;
        const bool is_written = (kernel->arguments[i].access & WEFT_ACCESS_WRITE) != 0;
        visit(arguments[i].range, is_written ? Access::update : Access::read);
      }
      if (command.dispatch.size_source.buffer != nullptr) visit(command.dispatch.size_source, Access::read);
      break;
    case WEFT_COMMAND_UPLOAD:
    case WEFT_COMMAND_FILL: visit(command.transfer.target, Access::write); break;
    case WEFT_COMMAND_DOWNLOAD: visit(command.transfer.source, Access::read); break;
    case WEFT_COMMAND_COPY:
      visit(command.transfer.source, Access::read);
      visit(command.transfer.target, Access::write);
      break;
    case WEFT_COMMAND_HOST:
    case WEFT_COMMAND_SIGNAL:
    case WEFT_COMMAND_WAIT:
    case WEFT_COMMAND_NOTHING: break;
  }
}

}  // namespace weft::detail
