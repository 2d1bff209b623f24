#include "codegen/interp/fiber.h"

#include <utility>

#include "runtime/support/check.h"

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define WEFT_ASAN_FIBERS 1
#endif
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define WEFT_TSAN_FIBERS 1
#endif

namespace weft::interp {

namespace {

// The fiber that the thread enters: a context's function can be handed whole numbers only.
thread_local Fiber* resumed = nullptr;

}  // namespace

Fiber::Fiber(std::span<std::byte> stack, std::function<void()> function)
    : stack_(stack), function_(std::move(function)) {
  WEFT_CHECK_EQ(getcontext(&inside_), 0);
  inside_.uc_stack.ss_sp = stack_.data();
  inside_.uc_stack.ss_size = stack_.size();
  inside_.uc_link = nullptr;
  makecontext(&inside_, &Fiber::enter, 0);
#ifdef WEFT_TSAN_FIBERS
  inner_thread_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef WEFT_TSAN_FIBERS
  __tsan_destroy_fiber(inner_thread_);
#endif
}

void Fiber::enter() { resumed->run(); }

void Fiber::run() {
#ifdef WEFT_ASAN_FIBERS
  __sanitizer_finish_switch_fiber(nullptr, &outer_stack_, &outer_stack_bytes_);
#endif
  try {
    function_();
  } catch (...) {
    exception_ = std::current_exception();
  }
  has_ended_ = true;
  switch_to(inside_, outside_, false);
  WEFT_UNREACHABLE("a fiber that has ended is resumed");
}

void Fiber::resume() {
  WEFT_CHECK(!has_ended_);
#ifdef WEFT_TSAN_FIBERS
  outer_thread_ = __tsan_get_current_fiber();
#endif
  resumed = this;
  switch_to(outside_, inside_, true);
  if (exception_) {
    std::rethrow_exception(std::exchange(exception_, nullptr));
  }
}

void Fiber::suspend() { switch_to(inside_, outside_, false); }

void Fiber::switch_to(ucontext_t& from, const ucontext_t& to, [[maybe_unused]] bool into) {
#ifdef WEFT_ASAN_FIBERS
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(has_ended_ ? nullptr : &fake_stack, into ? stack_.data() : outer_stack_,
                                 into ? stack_.size() : outer_stack_bytes_);
#endif
#ifdef WEFT_TSAN_FIBERS
  __tsan_switch_to_fiber(into ? inner_thread_ : outer_thread_, 0);
#endif
  WEFT_CHECK_EQ(swapcontext(&from, &to), 0);
#ifdef WEFT_ASAN_FIBERS
  if (into) {
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
  } else {
    __sanitizer_finish_switch_fiber(fake_stack, &outer_stack_, &outer_stack_bytes_);
  }
#endif
}

}  // namespace weft::interp
