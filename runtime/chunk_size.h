// How many neighbouring blocks a thread takes at a time. Large enough that taking them costs nothing beside running
// them, small enough that cancelling, progress and other streams need not wait, and that all threads end together.
#pragma once

#include <algorithm>
#include <cstdint>

namespace weft::runtime {

inline constexpr double kChunkNanoseconds = 50'000;
inline constexpr std::uint64_t kChunkGrowth = 8;

struct ChunkHistory {
  std::uint64_t blocks = 0;  // in this thread's latest chunk; 0 before the first
  double nanoseconds = 0;    // that it took
};

// `remaining` blocks, at least 1, are left for `threads` threads. The first chunk is one block: what a block costs is
// measured, not assumed; from there the size grows by kChunkGrowth at most, so that one cheap block does not mislead.
inline std::uint64_t chunk_size(std::uint64_t remaining, unsigned threads, const ChunkHistory& last) {
  if (last.blocks == 0) return 1;
  const double per_block = std::max(last.nanoseconds, 1.0) / static_cast<double>(last.blocks);
  const auto by_time = static_cast<std::uint64_t>(kChunkNanoseconds / per_block);
  const std::uint64_t by_growth = last.blocks * kChunkGrowth;
  const std::uint64_t fair = threads > 1 ? remaining / (std::uint64_t{2} * threads) : remaining;
  return std::clamp<std::uint64_t>(std::min({by_time, by_growth, fair}), 1, remaining);
}

}  // namespace weft::runtime
