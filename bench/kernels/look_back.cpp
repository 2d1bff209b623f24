// Prefix sum in one launch (Merrill and Garland: Single-pass parallel prefix scan with decoupled look-back, 2016): a
// block tells its own sum, looks back at the blocks before it until one knows the sum of all up to it, then tells that.
// A block's state is one word, a number below 2^30 and what it is.
#include <atomic>

#include "bench/kernels/scan.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kOwn = 1U << 30;  // the number is the sum of the block
constexpr std::uint32_t kAll = 2U << 30;  // the number is the sum of all blocks up to this one
constexpr std::uint32_t kNumber = kOwn - 1;

std::uint32_t look_back(std::span<std::uint32_t> states, std::uint32_t block) {
  std::uint32_t before = 0;
  while (block > 0) {
    const std::uint32_t state = std::atomic_ref(states[block - 1]).load(std::memory_order_acquire);
    before += state & kNumber;
    if (state >= kAll) {
      break;
    }
    block -= state >> 30;  // by one once it is known, else look again
  }
  return before;
}

void scan(std::span<Data> buffers, const Threads& threads) {
  const std::uint32_t* in = buffers[0].as<std::uint32_t>().data();
  std::uint32_t* out = buffers[1].as<std::uint32_t>().data();
  const std::span<std::uint32_t> states = buffers[2].as<std::uint32_t>();
  std::ranges::fill(states, 0U);
  threads.for_each(static_cast<std::uint32_t>(states.size()), [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t b = begin; b < end; ++b) {
      const std::uint32_t* own = in + std::size_t{b} * kScanBlock;
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < kScanBlock; ++i) {
        sum += own[i];
      }
      const std::atomic_ref state(states[b]);
      state.store(kOwn | sum, std::memory_order_release);
      const std::uint32_t before = look_back(states, b);
      state.store(kAll | (before + sum), std::memory_order_release);
      scan_block(own, out + std::size_t{b} * kScanBlock, before);
    }
  });
}

auto record_clear() {
  return Kernel1D{"look_back_clear", block_size(kScanBlock),
                  [](BufferVar<uint>, BufferVar<uint>, BufferVar<uint> states) { states.write(dispatch_id().x, 0u); }};
}

auto record() {
  return Kernel1D{"look_back", block_size(kScanBlock), warp_size(kScanWarp),
                  [](BufferVar<uint> in, BufferVar<uint> out, BufferVar<uint> states) {
                    BlockScan scan;
                    Shared<uint> before;
                    UInt sum = scan(in.read(dispatch_id().x));
                    $if(thread_id().x == kScanBlock - 1) {
                      UInt block = block_id().x;
                      UInt total;
                      states.atomic(block).store(kOwn | sum);
                      $while(block > 0u) {
                        UInt state = states.atomic(block - 1u).load();
                        total += state & kNumber;
                        $if(state >= kAll) { $break; };
                        block -= state >> 30u;
                      };
                      states.atomic(block_id().x).store(kAll | (total + sum));
                      before = total;
                    };
                    sync_block();
                    out.write(dispatch_id().x, before + sum);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? kScanBlock * kScanBlock : 4U << 20;
  const std::uint32_t blocks = n / kScanBlock;
  const Size3 block{kScanBlock, 1, 1};
  Problem p;
  p.buffers = {scan_input(n), Data::zeros<std::uint32_t>(n), Data::zeros<std::uint32_t>(blocks)};
  p.results = {{.buffer = 1, .as = Compare::words}};
  p.launches = {{"look_back_clear", {blocks, 1, 1}, block, {}}, {"look_back", {n, 1, 1}, block, {}}};
  p.kernels = {weft_kernel("look_back_clear", record_clear), weft_kernel("look_back", record)};
  p.hand = scan;
  p.source = "look_back";
  return p;
}

const Registration kLookBack{190, "look_back", "prefix sum of 4M numbers by decoupled look-back", make};

}  // namespace
}  // namespace weft::bench
