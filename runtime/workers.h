// Weft's own worker threads: an Executor with a queue of invitations. Threads are made when an invitation finds no idle
// one, up to the pool's size; an idle one spins a little before it parks, as the next dispatch of a stream follows at
// once.
#pragma once

#include "runtime/executor.h"

#include <memory>

namespace weft::runtime {

class WorkerPool final : public Executor {
 public:
  // `threads` of 0 means default_worker_count().
  explicit WorkerPool(unsigned threads = 0);

  // Waits for what is running; invitations that nobody has taken up are dropped. May be called on a worker.
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned concurrency() const override;
  void invite(std::shared_ptr<Work> work, unsigned threads) override;
  bool has_other_work(const Work& mine) const override;

  // Threads made so far.
  unsigned thread_count() const;

 private:
  struct State;
  static void serve(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;  // shared with the threads
};

// WEFT_THREADS, or else what the machine and its cgroup allow.
unsigned default_worker_count();

// The pool that devices share unless they are told otherwise: made on first use, gone with its last user.
std::shared_ptr<Executor> default_executor();

}  // namespace weft::runtime
