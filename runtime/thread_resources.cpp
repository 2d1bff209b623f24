#include "runtime/thread_resources.h"

#include "runtime/pages.h"

#include <pthread.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace weft::runtime {
namespace {

constexpr std::uint64_t kSharedAlign = 64;
constexpr std::uint64_t kFirstSharedBytes = std::uint64_t{64} << 10;

// Shared memory of threads that run no blocks.
alignas(kSharedAlign) std::byte no_shared_memory[kSharedAlign];

// All threads' resources. Never destroyed: threads may end after static destruction.
struct Registry {
  Registry() {
    // A child of fork() must not find the lock held by a thread that it does not have.
    WEFT_CHECK_EQ(pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                                 [] { instance().mutex.unlock(); }),
                  0);
  }

  static Registry& instance() {
    static Registry* const registry = new Registry;
    return *registry;
  }

  std::mutex mutex;
  std::vector<ThreadResources*> threads;
  std::atomic<std::uint64_t> trims{0};  // requests so far
};

// Ends the resources with the thread. What a thread makes after its thread-local objects are gone, and what is in use
// when the process exits from within a block, is left to the process.
thread_local ThreadResources* resources_of_thread = nullptr;
struct Owner {
  ~Owner() {
    if (resources_of_thread != nullptr && !resources_of_thread->is_running()) {
      delete std::exchange(resources_of_thread, nullptr);
    }
  }
  void touch() {}
};
thread_local Owner owner;

}  // namespace

ThreadResources& ThreadResources::current() {
  if (resources_of_thread == nullptr) [[unlikely]] {
    owner.touch();
    resources_of_thread = new ThreadResources;
  }
  return *resources_of_thread;
}

ThreadResources::ThreadResources() {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  trims_seen_ = registry.trims.load(std::memory_order_relaxed);
  registry.threads.push_back(this);
}

ThreadResources::~ThreadResources() {
  WEFT_CHECK_EQ(depth_, 0u);
  {
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    std::erase(registry.threads, this);
  }
  if (shared_ != nullptr) unmap_pages(shared_, shared_bytes_);
}

std::byte* ThreadResources::reserve_shared(std::uint64_t bytes) {
  if (bytes == 0) return no_shared_memory;
  if (bytes <= shared_bytes_) return shared_;
  if (shared_ != nullptr) unmap_pages(shared_, shared_bytes_);
  shared_bytes_ = std::max(bytes, kFirstSharedBytes);
  shared_ = map_pages(shared_bytes_);
  if (shared_ == nullptr) shared_bytes_ = 0;
  return shared_;
}

void ThreadResources::trim() {
  arena_.trim();
  if (shared_ != nullptr) unmap_pages(std::exchange(shared_, nullptr), std::exchange(shared_bytes_, 0));
}

void ThreadResources::enter() { in_use_.lock(); }

// Pairs with trim_thread_memory(), which counts first and then tries the lock: either it gets the lock, or this thread
// sees the new count after letting the lock go.
void ThreadResources::leave() {
  const std::atomic<std::uint64_t>& trims = Registry::instance().trims;
  std::uint64_t seen;
  do {
    seen = trims.load(std::memory_order_seq_cst);
    if (seen != trims_seen_ || arena_.has_failed()) trim();
    trims_seen_ = seen;
    in_use_.unlock();
  } while (trims.load(std::memory_order_seq_cst) != seen && in_use_.try_lock());
}

void trim_thread_memory() {
  Registry& registry = Registry::instance();
  const std::uint64_t trims = registry.trims.fetch_add(1, std::memory_order_seq_cst) + 1;
  const std::lock_guard lock(registry.mutex);
  for (ThreadResources* thread : registry.threads) {
    const std::unique_lock in_use(thread->in_use_, std::try_to_lock);
    if (!in_use) continue;
    thread->trims_seen_ = trims;
    thread->trim();
  }
}

BlockScope::BlockScope(std::uint64_t shared_bytes) : resources_(ThreadResources::current()) {
  if (resources_.depth_++ == 0) {
    resources_.enter();
    shared_ = resources_.reserve_shared(shared_bytes);
    trims_followed_ = resources_.trims_seen_;
    return;
  }
  outer_mark_ = arena().mark();
  shared_ = shared_bytes == 0 ? no_shared_memory : arena().allocate(shared_bytes, kSharedAlign).data;
  block_mark_ = arena().mark();
}

BlockScope::~BlockScope() {
  if (!is_outermost()) {
    arena().release(*block_mark_);
    arena().release(*outer_mark_);
  }
  if (--resources_.depth_ == 0) resources_.leave();
}

void BlockScope::at_block_boundary() {
  const std::uint64_t trims = Registry::instance().trims.load(std::memory_order_relaxed);
  if (!is_outermost() || trims == trims_followed_) [[likely]]
    return;
  trims_followed_ = trims;
  arena().trim();
}

}  // namespace weft::runtime
