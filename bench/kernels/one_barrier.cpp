#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kBlock = 256;

void reverse(std::span<Data> buffers, const Threads& threads) {
  const std::span<const float> in = buffers[0].as<float>();
  const std::span<float> out = buffers[1].as<float>();
  threads.for_each(static_cast<std::uint32_t>(in.size()) / kBlock, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t first = std::size_t{begin} * kBlock; first < std::size_t{end} * kBlock; first += kBlock) {
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        out[first + lane] = in[first + kBlock - 1 - lane];
      }
    }
  });
}

auto record() {
  return Kernel1D{"one_barrier", block_size(kBlock), [](BufferVar<float> in, BufferVar<float> out) {
                    Shared<float, kBlock> tile;
                    UInt lane = thread_id().x;
                    tile[lane] = in.read(dispatch_id().x);
                    sync_block();
                    out.write(dispatch_id().x, tile[kBlock - 1 - lane]);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 4096 : 4U << 20;
  Problem p;
  p.buffers = {Data::filled<float>(n, random_float), Data::zeros<float>(n)};
  p.results = {{.buffer = 1, .as = Compare::words}};
  p.launches = {{"one_barrier", {n, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("one_barrier", record)};
  p.hand = reverse;
  p.source = "one_barrier";
  return p;
}

const Registration kOneBarrier{280, "one_barrier", "4M floats, each block's reversed through shared memory", make};

}  // namespace
}  // namespace weft::bench
