// What the runtime's tests share: kernels written by hand as C++ block functions, and a queue to run them on. The
// argument block of such a kernel is one pointer to whatever the test wants its blocks to see.
#pragma once

#include "runtime/command_queue.h"
#include "runtime/dispatch.h"
#include "runtime/thread_resources.h"
#include "runtime/workers.h"

#include <catch2/catch.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <thread>

namespace weft::runtime::test {

inline constexpr std::array<abi::SiteInfo, 3> kSites = {{
    {"index < particles.size()", "", "renderer/particles.cpp", 41, 7, abi::SiteKind::assertion, 0},
    {"", "", "renderer/particles.cpp", 12, 1, abi::SiteKind::out_of_memory, 0},
    {"no such material", "", "", 0, 0, abi::SiteKind::unreachable, 0},
}};

inline std::shared_ptr<HostCommand> host(std::function<void()> function) {
  return std::make_shared<HostCommand>(std::move(function));
}

// A kernel and its description in one allocation.
struct HandKernel : Kernel {
  abi::KernelInfo description{};
};

inline std::shared_ptr<HandKernel> make_kernel(abi::BlockFunction function, Size3 block_size = {32, 1, 1}) {
  auto kernel = std::make_shared<HandKernel>();
  abi::KernelInfo& info = kernel->description;
  info.abi_version = abi::kAbiVersion;
  info.name = "kinetic";
  info.pack_width = 16;
  info.warp_size = 32;
  std::ranges::copy(block_size, info.block_size);
  info.argument_bytes = sizeof(void*);
  info.frame_align = 64;
  info.sites = kSites.data();
  info.site_count = kSites.size();
  kernel->info = &info;
  kernel->function = function;
  return kernel;
}

// What the kernel's argument points to.
template <typename T>
T& seen_by(const abi::BlockContext* context) {
  return **reinterpret_cast<T* const*>(context->arguments);
}

inline std::uint64_t block_number(const abi::BlockContext* context) {
  const auto& [x, y, z] = context->block_id;
  return (std::uint64_t{z} * context->grid_size[1] + y) * context->grid_size[0] + x;
}

template <typename T>
std::shared_ptr<Dispatch> make_dispatch(const std::shared_ptr<HandKernel>& kernel, Size3 lanes, T& seen,
                                        ProgressOptions progress = {}) {
  T* pointer = &seen;
  const Grid grid = grid_of_lanes(lanes, std::to_array(kernel->description.block_size)).value();
  return Dispatch::create(kernel, grid, std::as_bytes(std::span(&pointer, 1)), std::move(progress));
}

// A queue on a pool of its own. Its end asserts that nothing is left behind: no frame, no shared memory, no command.
class Launcher {
 public:
  explicit Launcher(unsigned workers)
      : pool_(std::make_shared<WorkerPool>(workers)), queue_(CommandQueue::create(pool_)) {}

  ~Launcher() {
    CHECK(queue_->synchronize().ok());
    CHECK(becomes_sole_owner(queue_));
    queue_.reset();
    CHECK(becomes_sole_owner(pool_));
    pool_.reset();  // joins the threads, whose memory ends with them
    trim_thread_memory();
    CHECK(arena_bytes() <= FrameArena::kBufferBytes);  // this thread's
  }

  CommandQueue& queue() { return *queue_; }
  std::shared_ptr<CommandQueue> shared_queue() { return queue_; }
  const std::shared_ptr<WorkerPool>& pool() { return pool_; }

  // Runs one dispatch to its end.
  template <typename T>
  Outcome run(const std::shared_ptr<HandKernel>& kernel, Size3 lanes, T& seen) {
    queue_->submit(make_dispatch(kernel, lanes, seen));
    return queue_->synchronize();
  }

 private:
  // An invited thread may hold on to work for a moment after it has become pointless.
  template <typename T>
  static bool becomes_sole_owner(const std::shared_ptr<T>& object) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (object.use_count() > 1 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return object.use_count() == 1;
  }

  std::shared_ptr<WorkerPool> pool_;
  std::shared_ptr<CommandQueue> queue_;
};

}  // namespace weft::runtime::test
