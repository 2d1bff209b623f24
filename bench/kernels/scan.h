// What both prefix sums share: the sum of a block's numbers before each, by hand and with warp operations.
#pragma once

#include "bench/framework/registry.h"
#include "bench/framework/simd.h"

namespace weft::bench {

inline constexpr std::uint32_t kScanBlock = 256;
inline constexpr std::uint32_t kScanWarp = 32;

// x[0] + ... + x[i] at i.
inline UInts scan_pack(UInts x) {
  constexpr UInts kZero{};
  x += __builtin_shufflevector(x, kZero, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  x += __builtin_shufflevector(x, kZero, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
  x += __builtin_shufflevector(x, kZero, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  x += __builtin_shufflevector(x, kZero, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7);
  return x;
}

// Of a block's numbers, each with those before it, plus `before`; gives the last.
inline std::uint32_t scan_block(const std::uint32_t* in, std::uint32_t* out, std::uint32_t before) {
  for (std::uint32_t i = 0; i < kScanBlock; i += kLanes) {
    const UInts sums = scan_pack(load_pack<UInts>(in + i)) + before;
    store(out + i, sums);
    before = sums[kLanes - 1];
  }
  return before;
}

// By all lanes of a block: x and those of the lanes before it.
class BlockScan {
 public:
  Expr<uint> operator()(const UInt& x) {
    UInt lane = thread_id().x;
    UInt before = warp_prefix_sum(x);
    $if(warp_lane_id() == kScanWarp - 1) { totals_[lane / kScanWarp] = before + x; };
    sync_block();
    UInt sum = before + x;
    $for(w, lane / kScanWarp) { sum += totals_[w]; };
    return sum + 0u;
  }

 private:
  Shared<uint, kScanBlock / kScanWarp> totals_;
};

// Small enough that the sum of all fits.
inline Data scan_input(std::uint32_t n) {
  return Data::filled<std::uint32_t>(n, [](std::size_t i) { return scramble(i) % 16; });
}

}  // namespace weft::bench
