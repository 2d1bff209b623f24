#include "backend/local_stream.h"

#include "backend/local_command.h"
#include "backend/local_graph.h"
#include "runtime/fault.h"
#include "runtime/support/log.h"

#include <weft/error.h>

#include <fmt/format.h>

namespace weft::backend {
namespace {

KernelFault to_exception(const runtime::KernelFault& fault) {
  KernelFault::Details details;
  switch (fault.kind) {
    case abi::SiteKind::assertion: details.kind = KernelFault::Kind::assertion; break;
    case abi::SiteKind::unreachable: details.kind = KernelFault::Kind::unreachable; break;
    case abi::SiteKind::out_of_memory: details.kind = KernelFault::Kind::out_of_memory; break;
    case abi::SiteKind::bounds: details.kind = KernelFault::Kind::out_of_bounds; break;
    case abi::SiteKind::barrier: details.kind = KernelFault::Kind::broken_barrier; break;
    case abi::SiteKind::uninitialised: details.kind = KernelFault::Kind::uninitialised_read; break;
    case abi::SiteKind::wait: details.kind = KernelFault::Kind::endless_wait; break;
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
  LocalCommand local = to_local(command);
  if (local.uses.empty()) {
    queue_->submit(std::move(local.command));
  } else {
    queue_->submit(std::move(local.command), local.uses);
  }
}

void LocalStream::submit(const WeftGraphLaunch& launch) {
  const LocalGraph graph(launch);
  queue_->submit_graph(graph.nodes(), graph.uses());
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
  if (outcome.cancelled) {
    throw DispatchCancelled(fmt::format("the {} was cancelled before its end", outcome.cancelled_command));
  }
}

}  // namespace weft::backend
