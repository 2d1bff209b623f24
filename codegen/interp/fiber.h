// A function on a stack of its own, which can stop in its middle and go on later, on another thread if that is wanted.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <span>

namespace weft::interp {

class Fiber {
 public:
  // `stack` outlives the fiber. The function runs within resume() alone, and must have ended before the fiber dies.
  Fiber(std::span<std::byte> stack, std::function<void()> function);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the function until it ends or suspends itself. Passes on what it throws.
  void resume();
  // From inside the function: back to who resumed it.
  void suspend();
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  static void enter();
  void run();
  void switch_to(ucontext_t& from, const ucontext_t& to, bool into);

  const std::span<std::byte> stack_;
  const std::function<void()> function_;
  std::exception_ptr exception_;
  ucontext_t inside_{};
  ucontext_t outside_{};
  bool has_ended_ = false;
  // What sanitizers are told of stacks.
  [[maybe_unused]] const void* outer_stack_ = nullptr;
  [[maybe_unused]] std::size_t outer_stack_bytes_ = 0;
  [[maybe_unused]] void* inner_thread_ = nullptr;
  [[maybe_unused]] void* outer_thread_ = nullptr;
};

}  // namespace weft::interp
