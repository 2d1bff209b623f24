#include "bench/framework/registry.h"
#include "bench/framework/simd.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kBlock = 256;

// The tree of one block, as the kernel has it.
float block_sum(const float* in) {
  Floats tile[kBlock / kLanes];
  std::memcpy(tile, in, sizeof tile);
  for (std::uint32_t d = kBlock / kLanes / 2; d > 0; d /= 2) {
    for (std::uint32_t i = 0; i < d; ++i) {
      tile[i] += tile[i + d];
    }
  }
  alignas(Floats) float rest[kLanes];
  std::memcpy(rest, tile, sizeof rest);
  for (int d = kLanes / 2; d > 0; d /= 2) {
    for (int i = 0; i < d; ++i) {
      rest[i] += rest[i + d];
    }
  }
  return rest[0];
}

void reduction(std::span<Data> buffers, const Threads& threads) {
  const float* in = buffers[0].as<float>().data();
  const std::span<float> sums = buffers[1].as<float>();
  threads.for_each(static_cast<std::uint32_t>(sums.size()), [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t b = begin; b < end; ++b) {
      sums[b] = block_sum(in + static_cast<std::size_t>(kBlock) * b);
    }
  });
}

auto record() {
  return Kernel1D{"reduction", block_size(kBlock), [](BufferVar<float> in, BufferVar<float> sums) {
                    Shared<float, kBlock> tile;
                    UInt lane = thread_id().x;
                    tile[lane] = in.read(dispatch_id().x);
                    sync_block();
                    UInt d = kBlock / 2;
                    $while(d > 0u) {
                      $if(lane < d) { tile[lane] += tile[lane + d]; };
                      sync_block();
                      d >>= 1u;
                    };
                    $if(lane == 0u) { sums.write(block_id().x, tile[0u]); };
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 4096 : 16U << 20;
  Problem p;
  p.buffers = {Data::filled<float>(n, random_float), Data::zeros<float>(n / kBlock)};
  p.results = {{.buffer = 1, .tolerance = 1e-5}};
  p.launches = {{"reduction", {n, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("reduction", record)};
  p.hand = reduction;
  p.source = "reduction";
  return p;
}

const Registration kReduction{140, "reduction", "sums of 256 floats each by a tree in shared memory, 16M floats", make};

}  // namespace
}  // namespace weft::bench
