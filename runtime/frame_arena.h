// The memory that coroutine frames and large locals of a block live in: a bump allocator over a 4 MiB buffer and, when
// that is not enough, over overflow chunks of max(request + alignment, 4 MiB).
//
// Chunks are linked and never move, so neither do frames; many frames share a chunk; later blocks use the same chunks
// again in the same order, so a repeated block finds the same addresses without a heap call. A new block moves
// cursors only. Freeing one frame is not an operation: a block's memory is given up as a whole, by the next block of
// the same scope. Scopes nest: mark() opens one inside a running block, release() returns to where the mark was taken.
//
// An arena belongs to one thread at a time (see thread_resources.h). A request either gives memory or says why not;
// it never aborts. Under the address sanitizer everything that is not handed out is poisoned.
#pragma once

#include "runtime/abi/abi.h"
#include "runtime/support/check.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace weft::runtime {

enum class ArenaFailure : std::uint8_t {
  none,
  bad_alignment,  // not a power of two
  size_overflow,  // the size, or the sum of the sizes, does not fit the address space
  limit_reached,  // an overflow chunk would exceed set_arena_limit_bytes()
  out_of_memory,  // the operating system refused
};

// A phrase for messages, "the operating system has no more memory" for instance.
const char* describe(ArenaFailure failure);

// Bytes mapped by all arenas of the process together.
std::uint64_t arena_bytes();

// Overflow chunks that would take arena_bytes() above the limit are refused; buffers are always granted, so a limit of
// 0 forbids overflow chunks altogether. The default is no limit. Any thread, at any time.
void set_arena_limit_bytes(std::uint64_t limit);
inline constexpr std::uint64_t kNoArenaLimit = UINT64_MAX;

class FrameArena {
 public:
  static constexpr std::uint64_t kBufferBytes = std::uint64_t{4} << 20;

  struct Allocation {
    std::byte* data = nullptr;  // null if and only if there is a failure
    ArenaFailure failure = ArenaFailure::none;
  };

  struct Frames {
    const abi::FrameRun* runs = nullptr;  // ends with a run of no packs; null if and only if there is a failure
    ArenaFailure failure = ArenaFailure::none;
    std::uint64_t failed_pack = 0;  // the pack whose frame could not be had
  };

  struct Usage {
    std::uint64_t bytes_in_use = 0;      // from the first to the last byte handed out, paddings included
    std::uint64_t high_water_bytes = 0;  // the most bytes_in_use has ever been
    std::uint64_t chunk_bytes = 0;       // buffer and overflow chunks
    std::uint32_t overflow_chunks = 0;   // held, in use or not
    std::uint32_t heap_allocations = 0;  // made since the arena exists; the buffer is not counted
  };

  // The most that was alive at a time.
  struct Peak {
    std::uint64_t bytes = 0;
    std::uint64_t frames = 0;
  };

  class Mark;

  FrameArena();
  ~FrameArena();
  FrameArena(const FrameArena&) = delete;
  FrameArena& operator=(const FrameArena&) = delete;

  // The arena behind a block context's cursor.
  static FrameArena& of(abi::ArenaCursor* cursor) { return *reinterpret_cast<FrameArena*>(cursor); }
  abi::ArenaCursor* cursor() { return &cursor_; }

  // Starts a block: everything that the scope's preceding block had is free again. That block must have ended.
  void begin_block();
  // The running block completed or was abandoned; its memory stays valid until the scope's next block begins.
  void end_block();

  // `size` bytes at a multiple of max(`align`, abi::kMinFrameAlign). A size of zero gives an address to nothing.
  Allocation allocate(std::uint64_t size, std::uint64_t align);

  // One frame for each of `count` packs, where asking for one by one would put them; neighbours abi::frame_stride(size,
  // align) apart are one run. The list belongs to the arena and is valid as long as the frames are.
  Frames frames(std::uint64_t size, std::uint64_t align, std::uint64_t count);

  // Opens a scope for nested execution; marks are released innermost first, with no block running in their scope.
  Mark mark();
  void release(const Mark& mark);

  // Gives the overflow chunks and the buffer's pages back. No block may be running and no mark be open.
  void trim();

  Usage usage() const;
  // Since the last call.
  Peak take_peak();
  bool is_idle() const { return !block_active_ && depth_ == 0; }
  // A request failed since the arena was trimmed last.
  bool has_failed() const { return has_failed_; }

 private:
  struct Chunk {
    Chunk* next = nullptr;
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
    std::byte* used_end = nullptr;  // where the cursor stood when a later chunk was taken
  };

  struct Position {
    Chunk* chunk = nullptr;
    std::byte* cursor = nullptr;
    std::uint64_t used_before = 0;  // bytes used in the chunks in front of it
    std::uint64_t frames = 0;       // alive
    std::size_t run_lists = 0;
  };

  Position position() const { return {current_, cursor_.cursor, used_before_, frames_, run_lists_used_}; }
  std::uint64_t bytes_in_use() const {
    return used_before_ + static_cast<std::uint64_t>(cursor_.cursor - current_->begin);
  }
  void rewind(const Position& to);
  void note_high_water();
  bool bump(std::uint64_t size, std::uint64_t align, std::byte*& data);
  Allocation allocate_elsewhere(std::uint64_t size, std::uint64_t align);
  bool take_kept_chunk(std::uint64_t size, std::uint64_t align);
  ArenaFailure add_chunk(std::uint64_t size, std::uint64_t align);
  void enter(Chunk* chunk);
  void release_chunks();
  Frames collect_runs(std::vector<abi::FrameRun>& runs, std::uint64_t size, std::uint64_t align, std::uint64_t count);
  std::uint64_t take_neighbours(std::byte* frame, std::uint64_t size, std::uint64_t stride, std::uint64_t count);
  Frames failed_frames(ArenaFailure failure, std::uint64_t pack);

  abi::ArenaCursor cursor_{};  // first: generated code and helpers find the arena by it
  Chunk buffer_;               // the first chunk; the chunks behind current_ are unused
  Chunk* current_ = &buffer_;
  std::uint64_t used_before_ = 0;
  std::uint64_t high_water_ = 0;
  std::uint64_t frames_ = 0;  // alive
  Peak peak_;                 // since take_peak()
  Position scope_;            // where blocks of the innermost scope begin
  std::deque<std::vector<abi::FrameRun>> run_lists_;
  std::size_t run_lists_used_ = 0;
  std::uint32_t depth_ = 0;  // open marks
  std::uint32_t heap_allocations_ = 0;
  bool block_active_ = false;
  bool has_failed_ = false;
};

class FrameArena::Mark {
  friend class FrameArena;
  Position outer_scope_;
  std::uint32_t depth_ = 0;
  bool block_active_ = false;
};

inline void FrameArena::note_high_water() {
  const std::uint64_t used = bytes_in_use();
  if (used > peak_.bytes) peak_.bytes = used;
  if (frames_ > peak_.frames) peak_.frames = frames_;
  if (used > high_water_) high_water_ = used;
}

inline void FrameArena::begin_block() {
  WEFT_CHECK(!block_active_);
  rewind(scope_);
  block_active_ = true;
}

inline void FrameArena::end_block() {
  WEFT_CHECK(block_active_);
  note_high_water();
  block_active_ = false;
}

}  // namespace weft::runtime
