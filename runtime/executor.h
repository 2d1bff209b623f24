// Who runs work beside the calling thread: Weft's own workers (workers.h), or threads that a host brings.
#pragma once

#include <memory>

namespace weft::runtime {

// Something that several threads may take part in. run() returns when there is nothing left to do for the thread that
// called it, possibly at once; it does not throw.
class Work {
 public:
  virtual ~Work() = default;
  virtual void run() noexcept = 0;
};

// Any thread may call any of these at any time. An executor ends with whoever lets go of it last, which may be one of
// its own threads.
class Executor {
 public:
  virtual ~Executor() = default;

  // How many threads may run one dispatch at a time, the caller's own among them; at least 1.
  virtual unsigned concurrency() const = 0;

  // Asks for work->run() to be called on up to `threads` threads, each once, soon. It does not wait and never runs the
  // work on the calling thread. Late calls are harmless. A dispatch does not rely on them: whoever waits for it does
  // all that nobody else has begun. Work that nobody waits for needs one thread to come.
  virtual void invite(std::shared_ptr<Work> work, unsigned threads) = 0;

  // Other work than `mine` waits for a thread: a worker that asks between two chunks of blocks gives way to it.
  virtual bool has_other_work(const Work& mine) const {
    static_cast<void>(mine);
    return false;
  }
};

}  // namespace weft::runtime
