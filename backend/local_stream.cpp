#include "backend/local_stream.h"

#include "backend/builtin_device.h"
#include "backend/local_memory.h"
#include "runtime/fault.h"
#include "runtime/support/log.h"

#include <weft/error.h>

#include <cstring>
#include <functional>
#include <vector>

namespace weft::backend {
namespace {

// What a submitted command's host is told when the last holder lets go of it.
std::shared_ptr<void> make_release(const WeftCommand& command) {
  return {command.user, [release = command.release](void* user) { release(user); }};
}

std::byte* data_of(const WeftRange& range) {
  return reinterpret_cast<const LocalMemory*>(range.buffer)->data() + range.offset_bytes;
}

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

std::function<void()> transfer_function(const WeftCommand& command) {
  const WeftTransfer& transfer = command.transfer;
  const std::size_t target_size = transfer.target.size_bytes;
  const std::size_t source_size = transfer.source.size_bytes;
  switch (static_cast<WeftCommandKind>(command.kind)) {
    case WEFT_COMMAND_UPLOAD:
      return [target = data_of(transfer.target), source = transfer.host_data, target_size] {
        std::memcpy(target, source, target_size);
      };
    case WEFT_COMMAND_DOWNLOAD:
      return [target = transfer.host_target, source = data_of(transfer.source), source_size] {
        std::memcpy(target, source, source_size);
      };
    case WEFT_COMMAND_COPY:
      return [target = data_of(transfer.target), source = data_of(transfer.source), target_size] {
        std::memmove(target, source, target_size);
      };
    case WEFT_COMMAND_FILL: {
      const auto* const bytes = static_cast<const std::byte*>(transfer.pattern);
      return [target = data_of(transfer.target), target_size,
              pattern = std::vector<std::byte>(bytes, bytes + transfer.pattern_bytes)] {
        fill(target, target_size, pattern);
      };
    }
    case WEFT_COMMAND_HOST: return [host = command.host, user = command.user] { host(user); };
    case WEFT_COMMAND_DISPATCH: break;
  }
  throw UsageError("a command of unknown kind");
}

runtime::Grid grid_of(const WeftDispatch& dispatch, const WeftKernelInfo& kernel) {
  const runtime::Size3 size{dispatch.size[0], dispatch.size[1], dispatch.size[2]};
  const runtime::Size3 block{kernel.block_size[0], kernel.block_size[1], kernel.block_size[2]};
  Result<runtime::Grid> grid =
      dispatch.in_blocks != 0 ? runtime::grid_of_blocks(size, block) : runtime::grid_of_lanes(size, block);
  if (!grid) {
    throw UsageError("dispatch of kernel '" + std::string(kernel.name) +
                     "': " + grid.diagnostics().items().front().message);
  }
  return *grid;
}

std::shared_ptr<runtime::Command> make_dispatch(const WeftCommand& command, std::shared_ptr<void> release) {
  const WeftDispatch& dispatch = command.dispatch;
  const auto& kernel = *reinterpret_cast<const BuiltinKernel*>(dispatch.kernel);
  const runtime::Grid grid = grid_of(dispatch, kernel.info());
  const std::vector<std::byte> arguments = kernel.pack({dispatch.arguments, kernel.info().argument_count});
  if (dispatch.progress == nullptr) return kernel.make_dispatch(grid, arguments, {}, std::move(release));

  // The function needs the command that it may cancel, which is made with the function.
  auto self = std::make_shared<std::weak_ptr<runtime::Command>>();
  runtime::ProgressOptions progress;
  progress.function = [self, report = dispatch.progress, user = command.user](std::uint64_t done, std::uint64_t total) {
    if (report(user, done, total) != 0) return;
    if (const auto dispatch = self->lock()) dispatch->cancel();
  };
  std::shared_ptr<runtime::Command> result =
      kernel.make_dispatch(grid, arguments, std::move(progress), std::move(release));
  *self = result;
  return result;
}

KernelFault to_exception(const runtime::KernelFault& fault) {
  KernelFault::Details details;
  switch (fault.kind) {
    case abi::SiteKind::assertion: details.kind = KernelFault::Kind::assertion; break;
    case abi::SiteKind::unreachable: details.kind = KernelFault::Kind::unreachable; break;
    case abi::SiteKind::out_of_memory: details.kind = KernelFault::Kind::out_of_memory; break;
    case abi::SiteKind::bounds: details.kind = KernelFault::Kind::out_of_bounds; break;
    case abi::SiteKind::barrier: details.kind = KernelFault::Kind::broken_barrier; break;
    case abi::SiteKind::uninitialised: details.kind = KernelFault::Kind::uninitialised_read; break;
    case abi::SiteKind::print: break;
  }
  details.kernel = fault.kernel;
  details.message = fault.message;
  details.file = fault.file;
  details.line = fault.line;
  details.column = fault.column;
  details.block = fault.block;
  details.lane = fault.lane;
  details.dispatch_lanes = fault.dispatch_lanes;
  return {to_string(fault), std::move(details)};
}

}  // namespace

LocalStream::~LocalStream() {
  try {
    synchronise();
  } catch (const std::exception& error) {
    log_error("a stream ended with a failure that nobody has seen: {}", error.what());
  }
}

void LocalStream::submit(const WeftCommand& command) {
  std::shared_ptr<void> release = make_release(command);
  if (command.kind == WEFT_COMMAND_DISPATCH) {
    queue_->submit(make_dispatch(command, std::move(release)));
    return;
  }
  queue_->submit(std::make_shared<runtime::HostCommand>(
      [function = transfer_function(command), release = std::move(release)] { function(); }));
}

void LocalStream::flush() noexcept {
  try {
    queue_->flush();
  } catch (const runtime::ForkedProcessError& error) {
    log_debug("{}", error.what());  // synchronising throws it
  }
}

void LocalStream::synchronise() {
  const runtime::Outcome outcome = queue_->synchronize();
  if (outcome.fault) throw to_exception(*outcome.fault);
  if (outcome.exception) std::rethrow_exception(outcome.exception);
  if (outcome.cancelled) throw DispatchCancelled("a dispatch was cancelled before all its blocks had run");
}

}  // namespace weft::backend
