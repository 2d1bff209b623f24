#include "runtime/workers.h"

#include "runtime/cpu_count.h"
#include "runtime/floating_point.h"
#include "runtime/fork_guard.h"
#include "runtime/spin.h"
#include "runtime/support/check.h"
#include "runtime/support/env.h"
#include "runtime/support/log.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace weft::runtime {
namespace {

struct Invitation {
  std::shared_ptr<Work> work;
  unsigned threads;  // still to come
};

}  // namespace

// Everything is guarded by `mutex`. An idle thread is in wait(): first spinning on `open`, then parked on `wake`.
struct WorkerPool::State {
  std::shared_ptr<Work> take();
  void wait(std::unique_lock<std::mutex>& lock);
  void spawn(const std::shared_ptr<State>& self, unsigned wanted);

  const ForkGuard fork_guard;
  unsigned size = 0;
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<Invitation> invitations;
  std::vector<std::thread> threads;
  unsigned idle = 0;
  unsigned parked = 0;
  bool stopping = false;
  std::atomic<bool> open{false};  // a hint to spinning threads that there is something under the lock: orders nothing
};

void WorkerPool::State::wait(std::unique_lock<std::mutex>& lock) {
  ++idle;
  lock.unlock();
  spin_until([this] { return open.load(std::memory_order_relaxed); });
  lock.lock();
  ++parked;
  wake.wait(lock, [this] { return stopping || !invitations.empty(); });
  --parked;
  --idle;
}

// The next work to take part in; null when the pool stops.
std::shared_ptr<Work> WorkerPool::State::take() {
  std::unique_lock lock(mutex);
  if (!stopping && invitations.empty()) wait(lock);
  if (stopping) return nullptr;
  Invitation& front = invitations.front();
  std::shared_ptr<Work> work = front.work;
  if (--front.threads == 0) invitations.pop_front();
  open.store(!invitations.empty(), std::memory_order_relaxed);
  return work;
}

void WorkerPool::State::spawn(const std::shared_ptr<State>& self, unsigned wanted) {
  const auto made = static_cast<unsigned>(threads.size());
  const unsigned missing = std::min(wanted > idle ? wanted - idle : 0, size - made);
  for (unsigned i = 0; i < missing; ++i) {
    try {
      threads.emplace_back([self] { serve(self); });
    } catch (const std::system_error& error) {
      log_warn("worker thread {} of {} could not be made: {}", threads.size() + 1, size, error.what());
      return;
    }
  }
}

void WorkerPool::serve(const std::shared_ptr<State>& state) {
  pthread_setname_np(pthread_self(), "weft-worker");
  set_floating_point_state(kKernelFloatingPoint);
  while (std::shared_ptr<Work> work = state->take()) work->run();
}

WorkerPool::WorkerPool(unsigned threads) : state_(std::make_shared<State>()) {
  state_->size = threads == 0 ? default_worker_count() : threads;
}

WorkerPool::~WorkerPool() {
  // The threads to join and the locks to take are the parent's; the threads' own references keep the state whole.
  if (state_->fork_guard.in_child()) return;
  std::vector<std::thread> threads;
  std::deque<Invitation> dropped;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->open.store(true, std::memory_order_relaxed);
    threads.swap(state_->threads);
    dropped.swap(state_->invitations);
  }
  state_->wake.notify_all();
  for (std::thread& thread : threads) {
    if (thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
}

unsigned WorkerPool::concurrency() const { return state_->size; }

void WorkerPool::invite(std::shared_ptr<Work> work, unsigned threads) {
  if (threads == 0) return;
  state_->fork_guard.check();
  unsigned parked = 0;
  {
    const std::lock_guard lock(state_->mutex);
    state_->invitations.push_back({std::move(work), threads});
    state_->open.store(true, std::memory_order_relaxed);
    unsigned wanted = 0;
    for (const Invitation& invitation : state_->invitations) wanted += invitation.threads;
    state_->spawn(state_, wanted);
    parked = state_->parked;
  }
  for (unsigned i = 0; i < std::min(parked, threads); ++i) state_->wake.notify_one();
}

bool WorkerPool::has_other_work(const Work& mine) const {
  if (!state_->open.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(state_->mutex);
  return std::ranges::any_of(state_->invitations, [&](const Invitation& i) { return i.work.get() != &mine; });
}

unsigned WorkerPool::thread_count() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<unsigned>(state_->threads.size());
}

unsigned default_worker_count() {
  const std::uint64_t asked = env::threads();
  if (asked == 0) return usable_cpus();
  return static_cast<unsigned>(std::min<std::uint64_t>(asked, kMaxWorkers));
}

std::shared_ptr<Executor> default_executor() {
  struct Shared {
    ForkGuard fork_guard;
    std::mutex mutex;
    std::weak_ptr<Executor> pool;
  };
  // Never destroyed: a device may outlive static destruction.
  static std::atomic<Shared*> current{new Shared};
  Shared* shared = current.load(std::memory_order_acquire);
  if (shared->fork_guard.in_child()) {
    // The parent's lock may be held by a thread that does not exist here. The acquire pairs with this exchange's
    // release.
    Shared* fresh = new Shared;
    if (!current.compare_exchange_strong(shared, fresh, std::memory_order_acq_rel)) {
      delete fresh;
    } else {
      shared = fresh;
    }
  }
  const std::lock_guard lock(shared->mutex);
  std::shared_ptr<Executor> pool = shared->pool.lock();
  if (pool == nullptr) shared->pool = pool = std::make_shared<WorkerPool>();
  return pool;
}

}  // namespace weft::runtime
