#include "backend/local_command.h"

#include "backend/builtin_device.h"
#include "backend/dispatch.h"
#include "backend/local_memory.h"

#include <weft/error.h>

#include <cstring>
#include <functional>

namespace weft::backend {
namespace {

using runtime::Access;
using runtime::Use;

// Lets go of the command's user when the last holder does.
std::shared_ptr<void> make_owner(const WeftCommand& command) {
  return {command.user, [release = command.release](void* user) { release(user); }};
}

std::byte* data_of(const WeftRange& range) {
  return reinterpret_cast<const LocalMemory*>(range.buffer)->data() + range.offset_bytes;
}

// --- what commands touch

Use use_of_memory(const void* data, std::uint64_t size_bytes, Access access) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return {0, address, address + size_bytes, access};
}

std::vector<Use> uses_of(const WeftDispatch& dispatch) {
  const auto& kernel = *reinterpret_cast<const BuiltinKernel*>(dispatch.kernel);
  std::vector<Use> uses;
  uses.reserve(kernel.info().argument_count + 1);
  bool writes = false;
  for (std::uint32_t i = 0; i < kernel.info().argument_count; ++i) {
    const std::uint32_t access = kernel.info().arguments[i].access;
    if (access == 0) continue;
    const bool is_written = (access & WEFT_ACCESS_WRITE) != 0;
    writes |= is_written;
    uses.push_back(use_of(dispatch.arguments[i].range, is_written ? Access::update : Access::read));
  }
  if (!writes || kernel.prints()) return {};
  if (dispatch.size_source.buffer != nullptr) uses.push_back(use_of(dispatch.size_source, Access::read));
  return uses;
}

std::vector<Use> uses_of(const WeftCommand& command) {
  const WeftTransfer& transfer = command.transfer;
  switch (static_cast<WeftCommandKind>(command.kind)) {
    case WEFT_COMMAND_DISPATCH: return uses_of(command.dispatch);
    case WEFT_COMMAND_UPLOAD:
      return {use_of(transfer.target, Access::write),
              use_of_memory(transfer.host_data, transfer.target.size_bytes, Access::read)};
    case WEFT_COMMAND_DOWNLOAD:
      return {use_of(transfer.source, Access::read),
              use_of_memory(transfer.host_target, transfer.source.size_bytes, Access::write)};
    case WEFT_COMMAND_COPY: return {use_of(transfer.source, Access::read), use_of(transfer.target, Access::write)};
    case WEFT_COMMAND_FILL: return {use_of(transfer.target, Access::write)};
    case WEFT_COMMAND_HOST:
    case WEFT_COMMAND_SIGNAL:
    case WEFT_COMMAND_WAIT:
    case WEFT_COMMAND_NOTHING: break;
  }
  return {};
}

// --- what they do

// Doubles what is filled, so that any pattern is copied in large pieces.
void fill(std::byte* target, std::size_t size, std::span<const std::byte> pattern) {
  std::size_t done = pattern.size();
  std::memcpy(target, pattern.data(), done);
  while (done < size) {
    const std::size_t step = std::min(done, size - done);
    std::memcpy(target + done, target, step);
    done += step;
  }
}

std::function<void()> transfer_function(std::uint32_t kind, const WeftTransfer& transfer) {
  const std::size_t target_size = transfer.target.size_bytes;
  const std::size_t source_size = transfer.source.size_bytes;
  if (kind == WEFT_COMMAND_UPLOAD) {
    return [target = data_of(transfer.target), source = transfer.host_data, target_size] {
      std::memcpy(target, source, target_size);
    };
  }
  if (kind == WEFT_COMMAND_DOWNLOAD) {
    return [target = transfer.host_target, source = data_of(transfer.source), source_size] {
      std::memcpy(target, source, source_size);
    };
  }
  if (kind == WEFT_COMMAND_COPY) {
    return [target = data_of(transfer.target), source = data_of(transfer.source), target_size] {
      std::memmove(target, source, target_size);
    };
  }
  const auto* const bytes = static_cast<const std::byte*>(transfer.pattern);
  return
      [target = data_of(transfer.target), target_size,
       pattern = std::vector<std::byte>(bytes, bytes + transfer.pattern_bytes)] { fill(target, target_size, pattern); };
}

std::shared_ptr<runtime::Command> make_command(const WeftCommand& command) {
  const auto event = [&] { return reinterpret_cast<const LocalEvent*>(command.point.event)->event; };
  switch (static_cast<WeftCommandKind>(command.kind)) {
    case WEFT_COMMAND_DISPATCH: return make_dispatch(command);
    case WEFT_COMMAND_UPLOAD:
    case WEFT_COMMAND_DOWNLOAD:
    case WEFT_COMMAND_COPY:
    case WEFT_COMMAND_FILL:
      return std::make_shared<runtime::TransferCommand>(transfer_function(command.kind, command.transfer));
    case WEFT_COMMAND_HOST:
      return std::make_shared<runtime::HostCommand>([host = command.host, user = command.user] { host(user); });
    case WEFT_COMMAND_SIGNAL: return std::make_shared<runtime::SignalCommand>(event(), command.point.value);
    case WEFT_COMMAND_WAIT: return std::make_shared<runtime::WaitCommand>(event(), command.point.value);
    case WEFT_COMMAND_NOTHING: return std::make_shared<runtime::Junction>();
  }
  throw UsageError("a command of unknown kind");
}

std::uint64_t nanoseconds(runtime::CommandTimes::Clock::time_point time) {
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(time.time_since_epoch()).count());
}

runtime::Command::Observer make_observer(const WeftCommand& command) {
  return [profile = command.profile, user = command.user](const runtime::CommandTimes& times) {
    const WeftProfile out{nanoseconds(times.submitted), nanoseconds(times.started), nanoseconds(times.ended),
                          times.threads, times.skipped ? 1U : 0U};
    profile(user, &out);
  };
}

}  // namespace

Use use_of(const WeftRange& range, Access access) { return use_of_memory(data_of(range), range.size_bytes, access); }

std::shared_ptr<runtime::Command> to_local(const WeftCommand& command, std::shared_ptr<void> owner) {
  std::shared_ptr<runtime::Command> out = make_command(command);
  out->set_label(command.label);
  if (command.profile != nullptr) out->set_observer(make_observer(command));
  out->set_owner(std::move(owner));
  return out;
}

LocalCommand to_local(const WeftCommand& command) {
  std::shared_ptr<void> owner = make_owner(command);
  std::vector<Use> uses = uses_of(command);
  return {to_local(command, std::move(owner)), std::move(uses)};
}

}  // namespace weft::backend
