// Prefix sum in three launches: of blocks, of the blocks' sums, and adding those.
#include "bench/kernels/scan.h"

namespace weft::bench {
namespace {

void scan(std::span<Data> buffers, const Threads& threads) {
  const std::uint32_t* in = buffers[0].as<std::uint32_t>().data();
  std::uint32_t* out = buffers[1].as<std::uint32_t>().data();
  const std::span<std::uint32_t> sums = buffers[2].as<std::uint32_t>();
  const auto blocks = static_cast<std::uint32_t>(sums.size());
  threads.for_each(blocks, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t b = begin; b < end; ++b) {
      sums[b] = scan_block(in + std::size_t{b} * kScanBlock, out + std::size_t{b} * kScanBlock, 0);
    }
  });
  std::uint32_t before = 0;
  for (std::uint32_t b = 0; b < blocks; b += kScanBlock) {
    before = scan_block(&sums[b], &sums[b], before);
  }
  threads.for_each(blocks, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t b = std::max(begin, 1U); b < end; ++b) {
      for (std::uint32_t i = 0; i < kScanBlock; ++i) {
        out[std::size_t{b} * kScanBlock + i] += sums[b - 1];
      }
    }
  });
}

auto record_blocks() {
  return Kernel1D{"scan_blocks", block_size(kScanBlock), warp_size(kScanWarp),
                  [](BufferVar<uint> in, BufferVar<uint> out, BufferVar<uint> sums) {
                    BlockScan scan;
                    UInt sum = scan(in.read(dispatch_id().x));
                    out.write(dispatch_id().x, sum);
                    $if(thread_id().x == kScanBlock - 1) { sums.write(block_id().x, sum); };
                  }};
}

auto record_sums() {
  return Kernel1D{"scan_sums", block_size(kScanBlock), warp_size(kScanWarp),
                  [](BufferVar<uint>, BufferVar<uint>, BufferVar<uint> sums, UInt blocks) {
                    BlockScan scan;
                    Shared<uint> before;
                    UInt lane = thread_id().x;
                    $if(lane == 0u) { before = 0u; };
                    $for(first, 0u, blocks, kScanBlock) {
                      UInt sum = scan(sums.read(first + lane)) + before;
                      sums.write(first + lane, sum);
                      sync_block();
                      $if(lane == kScanBlock - 1) { before = sum; };
                      sync_block();
                    };
                  }};
}

auto record_add() {
  return Kernel1D{"scan_add", block_size(kScanBlock), [](BufferVar<uint>, BufferVar<uint> out, BufferVar<uint> sums) {
                    $if(block_id().x > 0u) {
                      UInt i = dispatch_id().x;
                      out.write(i, out.read(i) + sums.read(block_id().x - 1u));
                    };
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? kScanBlock * kScanBlock : 4U << 20;
  const std::uint32_t blocks = n / kScanBlock;
  const Size3 block{kScanBlock, 1, 1};
  Problem p;
  p.buffers = {scan_input(n), Data::zeros<std::uint32_t>(n), Data::zeros<std::uint32_t>(blocks)};
  p.results = {{.buffer = 1, .as = Compare::words}};
  p.launches = {
      {"scan_blocks", {n, 1, 1}, block, {}}, {"scan_sums", block, block, {blocks}}, {"scan_add", {n, 1, 1}, block, {}}};
  p.kernels = {weft_kernel("scan_blocks", record_blocks), weft_kernel("scan_sums", record_sums),
               weft_kernel("scan_add", record_add)};
  p.hand = scan;
  p.source = "scan";
  return p;
}

const Registration kScan{180, "scan", "prefix sum of 4M numbers with warp operations, three launches", make};

}  // namespace
}  // namespace weft::bench
