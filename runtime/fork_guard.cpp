#include "runtime/fork_guard.h"

#include "runtime/support/check.h"

#include <pthread.h>

#include <atomic>

namespace weft::runtime {
namespace {

// How many forks lie between the first process and this one. Written in a child when it has one thread: orders nothing.
std::atomic<std::uint32_t> generation{0};

std::uint32_t current_generation() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });
  WEFT_CHECK_EQ(registered, 0);
  return generation.load(std::memory_order_relaxed);
}

}  // namespace

ForkGuard::ForkGuard() : generation_(current_generation()) {}

bool ForkGuard::in_child() const { return generation.load(std::memory_order_relaxed) != generation_; }

}  // namespace weft::runtime
