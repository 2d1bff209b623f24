#include "backend/compilation.h"

#include <weft/error.h>

namespace weft::detail {

std::shared_ptr<CompilationState> CompilationState::start(const DeviceState& device, Compile compile) {
  auto state = std::make_shared<CompilationState>(std::move(compile));
  device.executor().invite(state, 1);
  return state;
}

void CompilationState::run() noexcept {
  Stage expected = Stage::open;
  if (!stage_.compare_exchange_strong(expected, Stage::running, std::memory_order_acquire)) return;
  try {
    shader_ = compile_();
  } catch (...) {
    exception_ = std::current_exception();
  }
  compile_ = nullptr;  // it holds the kernel's IR, and the device
  stage_.store(Stage::done, std::memory_order_release);
  stage_.notify_all();
}

std::shared_ptr<ShaderState> CompilationState::wait() {
  run();
  if (!is_ready()) fork_guard_.check();  // the thread that compiles it may be the parent's
  for (Stage seen = stage_.load(std::memory_order_acquire); seen != Stage::done;) {
    stage_.wait(seen, std::memory_order_acquire);
    seen = stage_.load(std::memory_order_acquire);
  }
  if (exception_ != nullptr) std::rethrow_exception(exception_);
  return shader_;
}

std::shared_ptr<ShaderState> wait_for(const std::shared_ptr<CompilationState>& state) {
  if (state == nullptr) throw UsageError("a shader is asked for that nobody compiles");
  return state->wait();
}

bool is_ready(const std::shared_ptr<CompilationState>& state) { return state != nullptr && state->is_ready(); }

}  // namespace weft::detail
