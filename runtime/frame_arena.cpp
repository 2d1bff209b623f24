// The frame arena's chunks. What keeps addresses the same from block to block: the chunks up to current_ are in the
// order in which they came into use, and a chunk that is skipped because it is too small moves behind the one that is
// taken.
#include "runtime/frame_arena.h"

#include "runtime/pages.h"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>
#include <type_traits>
#include <utility>

namespace weft::runtime {
namespace {

constexpr std::uint64_t kChunkHeaderBytes = 64;
constexpr std::uint64_t kMaxRequestBytes = std::uint64_t{1} << 47;
constexpr std::size_t kFirstRunListEntries = 16;

// Counters only: they order nothing.
std::atomic<std::uint64_t> total_bytes{0};
std::atomic<std::uint64_t> total_limit{kNoArenaLimit};

// What the cursor points to when not even the buffer could be had.
alignas(abi::kMinFrameAlign) std::byte nothing[1];

bool reserve_bytes(std::uint64_t bytes) {
  const std::uint64_t limit = total_limit.load(std::memory_order_relaxed);
  std::uint64_t total = total_bytes.load(std::memory_order_relaxed);
  do {
    if (bytes > limit || total > limit - bytes) return false;
  } while (!total_bytes.compare_exchange_weak(total, total + bytes, std::memory_order_relaxed));
  return true;
}

void return_bytes(std::uint64_t bytes) { total_bytes.fetch_sub(bytes, std::memory_order_relaxed); }

#if __has_feature(address_sanitizer)
constexpr bool kPoisons = true;
#else
constexpr bool kPoisons = false;
#endif

void poison(std::byte* begin, std::byte* end) {
  ASAN_POISON_MEMORY_REGION(begin, static_cast<std::size_t>(end - begin));
}

void unpoison(std::byte* begin, std::uint64_t bytes) { ASAN_UNPOISON_MEMORY_REGION(begin, bytes); }

}  // namespace

const char* describe(ArenaFailure failure) {
  switch (failure) {
    case ArenaFailure::none: return "no failure";
    case ArenaFailure::bad_alignment: return "the alignment is not a power of two";
    case ArenaFailure::size_overflow: return "the size does not fit the address space";
    case ArenaFailure::limit_reached: return "the limit of arena memory is reached";
    case ArenaFailure::out_of_memory: return "the operating system has no more memory";
  }
  WEFT_CHECK(false);
}

std::uint64_t arena_bytes() { return total_bytes.load(std::memory_order_relaxed); }

void set_arena_limit_bytes(std::uint64_t limit) { total_limit.store(limit, std::memory_order_relaxed); }

FrameArena::FrameArena() {
  static_assert(std::is_standard_layout_v<FrameArena>, "of() relies on the cursor being at offset 0");
  buffer_.begin = map_pages(kBufferBytes);
  if (buffer_.begin != nullptr) {
    buffer_.end = buffer_.begin + kBufferBytes;
    total_bytes.fetch_add(kBufferBytes, std::memory_order_relaxed);
    poison(buffer_.begin, buffer_.end);
  } else {
    buffer_.begin = buffer_.end = nothing;
  }
  cursor_ = {buffer_.begin, buffer_.end};
  scope_ = position();
  run_lists_.emplace_back().reserve(kFirstRunListEntries);
}

FrameArena::~FrameArena() {
  WEFT_CHECK(is_idle());
  release_chunks();
  if (buffer_.begin == nothing) return;
  unmap_pages(buffer_.begin, kBufferBytes);
  return_bytes(kBufferBytes);
}

bool FrameArena::bump(std::uint64_t size, std::uint64_t align, std::byte*& data) {
  const auto available = static_cast<std::uint64_t>(cursor_.end - cursor_.cursor);
  const std::uint64_t padding = -reinterpret_cast<std::uintptr_t>(cursor_.cursor) & (align - 1);
  if (padding > available || size > available - padding) return false;
  data = cursor_.cursor + padding;
  cursor_.cursor = data + size;
  unpoison(data, size);
  return true;
}

FrameArena::Allocation FrameArena::allocate(std::uint64_t size, std::uint64_t align) {
  if (!std::has_single_bit(align)) return {nullptr, ArenaFailure::bad_alignment};
  align = std::max<std::uint64_t>(align, abi::kMinFrameAlign);
  Allocation result;
  if (bump(size, align, result.data)) return result;
  result = allocate_elsewhere(size, align);
  has_failed_ |= result.data == nullptr;
  return result;
}

FrameArena::Allocation FrameArena::allocate_elsewhere(std::uint64_t size, std::uint64_t align) {
  if (size > kMaxRequestBytes || align > kMaxRequestBytes) return {nullptr, ArenaFailure::size_overflow};
  if (!take_kept_chunk(size, align)) {
    const ArenaFailure failure = add_chunk(size, align);
    if (failure != ArenaFailure::none) return {nullptr, failure};
  }
  Allocation result;
  WEFT_CHECK(bump(size, align, result.data));
  return result;
}

// Looks for a chunk of an earlier block that holds the request, and makes it the one that follows current_.
bool FrameArena::take_kept_chunk(std::uint64_t size, std::uint64_t align) {
  for (Chunk** link = &current_->next; *link != nullptr; link = &(*link)->next) {
    Chunk* chunk = *link;
    const std::uint64_t padding = -reinterpret_cast<std::uintptr_t>(chunk->begin) & (align - 1);
    if (padding + size > static_cast<std::uint64_t>(chunk->end - chunk->begin)) continue;
    *link = chunk->next;
    enter(chunk);
    return true;
  }
  return false;
}

ArenaFailure FrameArena::add_chunk(std::uint64_t size, std::uint64_t align) {
  const std::uint64_t payload = std::max(size + align, kBufferBytes);
  if (!reserve_bytes(payload)) return ArenaFailure::limit_reached;
  std::byte* pages = map_pages(kChunkHeaderBytes + payload);
  if (pages == nullptr) {
    return_bytes(payload);
    return ArenaFailure::out_of_memory;
  }
  static_assert(sizeof(Chunk) <= kChunkHeaderBytes);
  auto* chunk = new (pages) Chunk;
  chunk->begin = pages + kChunkHeaderBytes;
  chunk->end = chunk->begin + payload;
  ++heap_allocations_;
  poison(chunk->begin, chunk->end);
  enter(chunk);
  return ArenaFailure::none;
}

// Links `chunk` behind current_ and makes it current.
void FrameArena::enter(Chunk* chunk) {
  used_before_ = bytes_in_use();
  current_->used_end = cursor_.cursor;
  chunk->next = current_->next;
  current_->next = chunk;
  current_ = chunk;
  cursor_ = {chunk->begin, chunk->end};
}

void FrameArena::rewind(const Position& to) {
  note_high_water();
  current_->used_end = cursor_.cursor;
  for (Chunk* chunk = to.chunk; chunk != current_; chunk = chunk->next) {
    poison(chunk->next->begin, chunk->next->used_end);
  }
  poison(to.cursor, to.chunk->used_end);
  current_ = to.chunk;
  cursor_ = {to.cursor, to.chunk->end};
  used_before_ = to.used_before;
  frames_ = to.frames;
  run_lists_used_ = to.run_lists;
}

FrameArena::Frames FrameArena::frames(std::uint64_t size, std::uint64_t align, std::uint64_t count) {
  if (count > UINT32_MAX) return failed_frames(ArenaFailure::size_overflow, 0);
  if (!std::has_single_bit(align)) return failed_frames(ArenaFailure::bad_alignment, 0);
  try {
    if (run_lists_used_ == run_lists_.size()) {
      run_lists_.emplace_back().reserve(kFirstRunListEntries);
      ++heap_allocations_;
    }
    std::vector<abi::FrameRun>& runs = run_lists_[run_lists_used_];
    const std::size_t capacity = runs.capacity();
    const Frames result = collect_runs(runs, size, align, count);
    if (runs.capacity() != capacity) ++heap_allocations_;
    if (result.runs != nullptr) {
      ++run_lists_used_;
      frames_ += count;
    }
    return result;
  } catch (const std::bad_alloc&) {
    return failed_frames(ArenaFailure::out_of_memory, 0);
  }
}

FrameArena::Frames FrameArena::collect_runs(std::vector<abi::FrameRun>& runs, std::uint64_t size, std::uint64_t align,
                                            std::uint64_t count) {
  runs.clear();
  const std::uint64_t stride = abi::frame_stride(size, align);
  std::uint64_t pack = 0;
  while (pack < count) {
    const auto [frame, failure] = allocate(size, align);
    if (frame == nullptr) return failed_frames(failure, pack);
    const std::uint64_t more = take_neighbours(frame, size, stride, count - pack - 1);
    const bool continues = !runs.empty() && frame == runs.back().base + runs.back().pack_count * stride;
    if (!continues) runs.push_back({frame, static_cast<std::uint32_t>(pack), 0});
    runs.back().pack_count += static_cast<std::uint32_t>(1 + more);
    pack += 1 + more;
  }
  runs.push_back({nullptr, static_cast<std::uint32_t>(count), 0});
  return {runs.data(), ArenaFailure::none, 0};
}

// Allocates up to `count` frames right behind `frame`, which was allocated last: as many as asking one by one would put
// there. Returns their number.
std::uint64_t FrameArena::take_neighbours(std::byte* frame, std::uint64_t size, std::uint64_t stride,
                                          std::uint64_t count) {
  const auto left = static_cast<std::uint64_t>(cursor_.end - frame) - size;
  const std::uint64_t taken = stride == 0 ? count : std::min(count, left / stride);
  cursor_.cursor = frame + taken * stride + size;
  if constexpr (kPoisons) {
    for (std::uint64_t i = 1; i <= taken; ++i) unpoison(frame + i * stride, size);
  }
  return taken;
}

FrameArena::Frames FrameArena::failed_frames(ArenaFailure failure, std::uint64_t pack) {
  has_failed_ = true;
  return {nullptr, failure, pack};
}

FrameArena::Mark FrameArena::mark() {
  Mark mark;
  mark.outer_scope_ = scope_;
  mark.depth_ = depth_++;
  mark.block_active_ = block_active_;
  scope_ = position();
  block_active_ = false;
  return mark;
}

void FrameArena::release(const Mark& mark) {
  WEFT_CHECK(!block_active_);
  WEFT_CHECK(mark.depth_ + 1 == depth_);
  rewind(scope_);
  scope_ = mark.outer_scope_;
  block_active_ = mark.block_active_;
  --depth_;
}

void FrameArena::trim() {
  WEFT_CHECK(is_idle());
  rewind(scope_);
  release_chunks();
  if (buffer_.begin != nothing) discard_pages(buffer_.begin, kBufferBytes);
  run_lists_.resize(1);
  has_failed_ = false;
}

void FrameArena::release_chunks() {
  for (Chunk* chunk = buffer_.next; chunk != nullptr;) {
    Chunk* next = chunk->next;
    const auto payload = static_cast<std::uint64_t>(chunk->end - chunk->begin);
    unmap_pages(reinterpret_cast<std::byte*>(chunk), kChunkHeaderBytes + payload);
    return_bytes(payload);
    chunk = next;
  }
  buffer_.next = nullptr;
}

FrameArena::Peak FrameArena::take_peak() {
  note_high_water();
  return std::exchange(peak_, {});
}

FrameArena::Usage FrameArena::usage() const {
  Usage usage;
  usage.bytes_in_use = bytes_in_use();
  usage.high_water_bytes = std::max(high_water_, usage.bytes_in_use);
  usage.heap_allocations = heap_allocations_;
  usage.chunk_bytes = static_cast<std::uint64_t>(buffer_.end - buffer_.begin);
  for (const Chunk* chunk = buffer_.next; chunk != nullptr; chunk = chunk->next) {
    usage.chunk_bytes += static_cast<std::uint64_t>(chunk->end - chunk->begin);
    ++usage.overflow_chunks;
  }
  return usage;
}

}  // namespace weft::runtime
