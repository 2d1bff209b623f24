// What the arena's tests share: an arena asked through weft_arena_frames and weft_arena_allocate, the functions that
// kernels call, and questions about the frames that come out.
#pragma once

#include "runtime/dispatch_state.h"
#include "runtime/frame_arena.h"
#include "runtime/helpers.h"
#include "runtime/thread_resources.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace weft::runtime::test {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kBuffer = FrameArena::kBufferBytes;

inline constexpr std::uint64_t kFrame = 73'728;

inline abi::KernelInfo make_info() {
  abi::KernelInfo info{};
  info.abi_version = abi::kAbiVersion;
  info.name = "frames";
  info.pack_width = 1;
  std::ranges::fill(info.block_size, 1u);
  return info;
}

// A worker's view of one dispatch, with an arena of its own unless it is given one.
class Worker {
 public:
  explicit Worker(FrameArena* arena = nullptr)
      : own_arena_(arena == nullptr ? std::make_unique<FrameArena>() : nullptr),
        arena_(arena == nullptr ? *own_arena_ : *arena) {
    context_.arena = arena_.cursor();
  }

  FrameArena& arena() { return arena_; }
  FrameArena::Usage usage() const { return arena_.usage(); }

  // One address per pack, or none after a fault.
  std::vector<std::byte*> frames(std::uint64_t size, std::uint64_t align, std::uint64_t count) {
    std::vector<std::byte*> result;
    const abi::FrameRun* run = weft_arena_frames(&context_, size, align, count);
    if (run == nullptr) return result;
    for (; run->pack_count != 0; ++run) {
      CHECK(run->first_pack == result.size());
      for (std::uint32_t i = 0; i < run->pack_count; ++i) {
        result.push_back(run->base + i * abi::frame_stride(size, align));
      }
    }
    return result;
  }

  std::byte* allocate(std::uint64_t size, std::uint64_t align = 16) {
    return static_cast<std::byte*>(weft_arena_allocate(&context_, size, align));
  }

  // The next block, whose predecessor has ended.
  void next_block() {
    if (in_block_) arena_.end_block();
    arena_.begin_block();
    in_block_ = true;
  }

  ~Worker() {
    if (in_block_) arena_.end_block();
  }

  const std::optional<KernelFault>& fault() const { return state_.fault(); }

 private:
  abi::KernelInfo info_ = make_info();
  DispatchState state_{info_, grid_of_lanes({1, 1, 1}, {1, 1, 1}).value()};
  std::unique_ptr<FrameArena> own_arena_;
  FrameArena& arena_;
  abi::BlockContext context_ = state_.make_context(nullptr);
  bool in_block_ = false;
};

inline bool are_aligned(const std::vector<std::byte*>& frames, std::uint64_t align) {
  return std::ranges::all_of(frames,
                             [&](std::byte* frame) { return reinterpret_cast<std::uintptr_t>(frame) % align == 0; });
}

inline bool are_disjoint(std::vector<std::byte*> frames, std::uint64_t size) {
  std::ranges::sort(frames);
  return std::ranges::adjacent_find(frames, [&](std::byte* a, std::byte* b) {
           return static_cast<std::uint64_t>(b - a) < size;
         }) == frames.end();
}

inline std::byte pattern(std::size_t frame) { return static_cast<std::byte>(frame * 37 + 11); }

inline void fill(const std::vector<std::byte*>& frames, std::uint64_t size) {
  for (std::size_t i = 0; i < frames.size(); ++i) std::memset(frames[i], static_cast<int>(pattern(i)), size);
}

// Every byte of every frame is what fill() wrote.
inline bool are_intact(const std::vector<std::byte*>& frames, std::uint64_t size) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!std::all_of(frames[i], frames[i] + size, [&](std::byte b) { return b == pattern(i); })) return false;
  }
  return true;
}

// Restores "no limit" at the end of a test.
struct LimitScope {
  explicit LimitScope(std::uint64_t limit) { set_arena_limit_bytes(limit); }
  ~LimitScope() { set_arena_limit_bytes(kNoArenaLimit); }
};

}  // namespace weft::runtime::test
