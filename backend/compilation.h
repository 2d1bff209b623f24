// Compiling on the workers: each compilation is a piece of work of its own, with nothing shared but the linker's lock.
#pragma once

#include "backend/shader_state.h"
#include "runtime/executor.h"
#include "runtime/fork_guard.h"

#include <weft/compilation.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>

namespace weft::detail {

class CompilationState final : public runtime::Work {
 public:
  using Compile = std::function<std::shared_ptr<ShaderState>()>;

  // Asks the device's workers to run `compile` once.
  static std::shared_ptr<CompilationState> start(const DeviceState& device, Compile compile);

  explicit CompilationState(Compile compile) : compile_(std::move(compile)) {}

  // Compiles, unless somebody has begun to.
  void run() noexcept override;

  std::shared_ptr<ShaderState> wait();
  bool is_ready() const { return stage_.load(std::memory_order_acquire) == Stage::done; }

 private:
  enum class Stage : int { open, running, done };

  const runtime::ForkGuard fork_guard_;
  // Who moves it from open to running owns the members below until done, which releases the result to all others.
  std::atomic<Stage> stage_ = Stage::open;
  Compile compile_;
  std::shared_ptr<ShaderState> shader_;
  std::exception_ptr exception_;
};

}  // namespace weft::detail
