// What a thread that runs blocks needs: a frame arena and the block's shared memory, one of each per thread, made when
// the thread first runs a block and gone with the thread.
//
// A thread runs blocks inside a BlockScope. Scopes nest, as a block may lead to another dispatch on the same thread: an
// inner scope starts at a mark of the arena. Between scopes any thread may take the memory away (trim).
#pragma once

#include "runtime/frame_arena.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace weft::runtime {

class ThreadResources {
 public:
  static ThreadResources& current();

  FrameArena& arena() { return arena_; }

  // The thread, which must be the calling one, is in a BlockScope.
  bool is_running() const { return depth_ > 0; }

  ThreadResources();
  ~ThreadResources();
  ThreadResources(const ThreadResources&) = delete;
  ThreadResources& operator=(const ThreadResources&) = delete;

 private:
  friend class BlockScope;
  friend void trim_thread_memory();

  std::byte* reserve_shared(std::uint64_t bytes);
  void enter();
  void leave();
  void trim();

  FrameArena arena_;
  std::byte* shared_ = nullptr;
  std::uint64_t shared_bytes_ = 0;
  std::mutex in_use_;             // held while the thread is in a scope; guards all the others
  std::uint32_t depth_ = 0;       // scopes that the thread is in; its own business
  std::uint64_t trims_seen_ = 0;  // requests to trim that were followed
};

// From here to the end of the scope the running thread runs blocks that share one piece of shared memory.
class BlockScope {
 public:
  explicit BlockScope(std::uint64_t shared_bytes);
  ~BlockScope();
  BlockScope(const BlockScope&) = delete;
  BlockScope& operator=(const BlockScope&) = delete;

  FrameArena& arena() { return resources_.arena_; }

  // Aligned to 64; null only if there is no memory for the bytes asked.
  std::byte* shared() { return shared_; }

  // Between two blocks: gives frames back if trim_thread_memory() asks for it.
  void at_block_boundary();

 private:
  bool is_outermost() const { return !outer_mark_.has_value(); }

  ThreadResources& resources_;
  std::optional<FrameArena::Mark> outer_mark_;  // in front of shared memory that comes from the arena
  std::optional<FrameArena::Mark> block_mark_;
  std::byte* shared_;
  std::uint64_t trims_followed_ =
      0;  // requests that the arena has followed; the shared memory waits for the scope's end
};

// The running thread's arena.
inline FrameArena& thread_arena() { return ThreadResources::current().arena(); }

// Makes every thread give back what its blocks do not need: at once if it runs none, else at its next block boundary
// (frames) or when it is done (shared memory).
void trim_thread_memory();

}  // namespace weft::runtime
