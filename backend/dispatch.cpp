#include "backend/dispatch.h"

#include "backend/builtin_device.h"
#include "backend/local_memory.h"
#include "runtime/grid.h"

#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace weft::backend {
namespace {

using runtime::Size3;

const BuiltinKernel& kernel_of(const WeftDispatch& dispatch) {
  return *reinterpret_cast<const BuiltinKernel*>(dispatch.kernel);
}

Size3 size_of(const WeftDispatch& dispatch) { return {dispatch.size[0], dispatch.size[1], dispatch.size[2]}; }

runtime::Grid grid_of(const WeftKernelInfo& kernel, const Size3& size, bool in_blocks) {
  const Size3 block{kernel.block_size[0], kernel.block_size[1], kernel.block_size[2]};
  Result<runtime::Grid> grid = in_blocks ? runtime::grid_of_blocks(size, block) : runtime::grid_of_lanes(size, block);
  if (!grid) {
    throw UsageError(
        fmt::format("dispatch of kernel '{}': {}", kernel.name, grid.diagnostics().items().front().message));
  }
  return *grid;
}

// A dispatch of a given size.
class DispatchMaker {
 public:
  explicit DispatchMaker(const WeftCommand& command)
      : kernel_(kernel_of(command.dispatch)),
        arguments_(kernel_.pack({command.dispatch.arguments, kernel_.info().argument_count})),
        in_blocks_(command.dispatch.in_blocks != 0),
        options_{command.dispatch.memory_limit_bytes, command.dispatch.host_wakes != 0},
        progress_(command.dispatch.progress),
        user_(command.user) {
    if (kernel_.info().is_cooperative != 0 && command.dispatch.is_cooperative == 0) {
      throw UsageError(
          fmt::format("dispatch of kernel '{}': its blocks wait for each other, and it is not dispatched cooperatively",
                      kernel_.info().name));
    }
  }

  const WeftKernelInfo& kernel() const { return kernel_.info(); }
  bool in_blocks() const { return in_blocks_; }

  std::shared_ptr<runtime::Command> make(const Size3& size) const {
    const runtime::Grid grid = grid_of(kernel_.info(), size, in_blocks_);
    if (progress_ == nullptr) return kernel_.make_dispatch(grid, arguments_, options_, {});
    // The function needs the command that it may cancel, which is made with the function.
    auto self = std::make_shared<std::weak_ptr<runtime::Command>>();
    runtime::ProgressOptions progress;
    progress.function = [self, report = progress_, user = user_](std::uint64_t done, std::uint64_t total) {
      if (report(user, done, total) != 0) return;
      if (const auto dispatch = self->lock()) dispatch->cancel();
    };
    std::shared_ptr<runtime::Command> result = kernel_.make_dispatch(grid, arguments_, options_, std::move(progress));
    *self = result;
    return result;
  }

 private:
  const BuiltinKernel& kernel_;  // lives until the command is released
  const std::vector<std::byte> arguments_;
  const bool in_blocks_;
  const runtime::CooperativeOptions options_;
  const WeftProgress progress_;
  void* const user_;
};

// Becomes the dispatch of the size that it reads when it begins.
class IndirectDispatch final : public runtime::Command {
 public:
  IndirectDispatch(const WeftCommand& command)
      : maker_(command),
        limit_(size_of(command.dispatch)),
        source_(reinterpret_cast<const LocalMemory*>(command.dispatch.size_source.buffer)->data() +
                command.dispatch.size_source.offset_bytes) {}

  Step start(const runtime::Ticket& ticket, Caller caller) override {
    try {
      const std::shared_ptr<Command> dispatch = become_dispatch();
      return dispatch == nullptr ? Step::finished : dispatch->start(ticket, caller);
    } catch (...) {
      outcome_.exception = std::current_exception();
      return Step::finished;
    }
  }
  Step help() override {
    const std::shared_ptr<Command> dispatch = this->dispatch();
    return dispatch == nullptr ? Step::idle : dispatch->help();
  }
  void cancel() override {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
    if (dispatch_ != nullptr) dispatch_->cancel();
  }
  runtime::Outcome take_outcome() override {
    if (dispatch_ != nullptr) return dispatch_->take_outcome();
    return std::move(outcome_);
  }
  std::optional<std::uint64_t> stuck_since() const override {
    const std::shared_ptr<Command> dispatch = this->dispatch();
    return dispatch == nullptr ? std::nullopt : dispatch->stuck_since();
  }
  unsigned thread_count() const override {
    const std::shared_ptr<Command> dispatch = this->dispatch();
    return dispatch == nullptr ? 1 : dispatch->thread_count();
  }

 private:
  std::shared_ptr<Command> dispatch() const {
    const std::lock_guard lock(mutex_);
    return dispatch_;
  }
  std::shared_ptr<Command> become_dispatch();
  Size3 read_size() const;

  const DispatchMaker maker_;
  const Size3 limit_;
  const std::byte* const source_;
  mutable std::mutex mutex_;  // guards dispatch_ while the command runs, and is_cancelled_
  std::shared_ptr<Command> dispatch_;
  bool is_cancelled_ = false;
  runtime::Outcome outcome_;
};

Size3 IndirectDispatch::read_size() const {
  Size3 size;
  std::memcpy(size.data(), source_, sizeof size);
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] <= limit_[i]) continue;
    throw UsageError(fmt::format(
        "dispatch of kernel '{}': the size ({}) {} that it read from a buffer is beyond its limit ({})",
        maker_.kernel().name, fmt::join(size, ", "), maker_.in_blocks() ? "blocks" : "lanes", fmt::join(limit_, ", ")));
  }
  return size;
}

// Null if there is nothing to run.
std::shared_ptr<runtime::Command> IndirectDispatch::become_dispatch() {
  const Size3 size = read_size();
  const std::lock_guard lock(mutex_);
  outcome_.cancelled = is_cancelled_;
  if (is_cancelled_ || std::ranges::find(size, 0U) != size.end()) return nullptr;
  dispatch_ = maker_.make(size);
  dispatch_->set_label(label());
  return dispatch_;
}

}  // namespace

std::shared_ptr<runtime::Command> make_dispatch(const WeftCommand& command) {
  if (command.dispatch.size_source.buffer != nullptr) return std::make_shared<IndirectDispatch>(command);
  return DispatchMaker(command).make(size_of(command.dispatch));
}

}  // namespace weft::backend
