// Blocks that wait for each other: a barrier of the grid, and a chain of counters in the worst order.
#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kBlock = 256;

std::uint32_t block_count(Scale scale) { return scale == Scale::tiny ? 16 : 4096; }

// --- grid_sync: each block writes, and after the barrier reads what the block half a grid away wrote

void exchange_by_hand(std::span<Data> buffers, const Threads& threads) {
  const std::span<const float> in = buffers[0].as<float>();
  const std::span<float> tmp = buffers[1].as<float>();
  const std::span<float> out = buffers[2].as<float>();
  const auto n = static_cast<std::uint32_t>(in.size());
  threads.for_each(n, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = begin; i < end; ++i) tmp[i] = in[i] * 2;
  });
  threads.for_each(n, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = (in[i] + 1) + tmp[(i + n / 2) & (n - 1)];
  });
}

auto record_exchange() {
  return Kernel1D{"grid_sync", block_size(kBlock), [](BufferVar<float> in, BufferVar<float> tmp, BufferVar<float> out) {
                    UInt i = dispatch_id().x;
                    UInt blocks = grid_size().x;
                    Float x = in.read(i);
                    tmp.write(i, x * 2.f);
                    Float sum = x + 1.f;
                    grid_sync();
                    UInt other = (block_id().x + blocks / 2u) & (blocks - 1u);
                    out.write(i, sum + tmp.read(other * kBlock + thread_id().x));
                  }};
}

Problem make_exchange(Scale scale) {
  const std::uint32_t n = block_count(scale) * kBlock;
  Problem p;
  p.buffers = {Data::filled<float>(n, random_float), Data::zeros<float>(n), Data::zeros<float>(n)};
  p.results = {{.buffer = 2, .as = Compare::words}};
  p.launches = {{"grid_sync", {n, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("grid_sync", record_exchange)};
  p.hand = exchange_by_hand;
  return p;
}

// --- wait_chain: each block waits for the one that starts after it

void chain_by_hand(std::span<Data> buffers, const Threads&) {
  const std::span<std::uint32_t> done = buffers[0].as<std::uint32_t>();
  const std::span<std::uint32_t> out = buffers[1].as<std::uint32_t>();
  for (std::size_t block = out.size() / kBlock; block-- > 0;) {
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      out[block * kBlock + lane] = done[block + 1] + static_cast<std::uint32_t>(lane);
    }
    done[block] = done[block + 1] + 1;
  }
}

auto record_chain() {
  return Kernel1D{"wait_chain", block_size(kBlock), [](BufferVar<uint> done, BufferVar<uint> out) {
                    UInt next = block_id().x + 1u;
                    wait_until(done, next, 1u);
                    UInt count = done.read(next);
                    out.write(dispatch_id().x, count + thread_id().x);
                    sync_block();
                    $if(thread_id().x == 0u) { done.atomic(block_id().x).store(count + 1u); };
                  }};
}

Problem make_chain(Scale scale) {
  const std::uint32_t blocks = block_count(scale);
  Problem p;
  p.buffers = {Data::filled<std::uint32_t>(blocks + 1, [=](std::uint32_t i) { return i == blocks ? 1U : 0U; }),
               Data::zeros<std::uint32_t>(std::size_t{blocks} * kBlock)};
  p.results = {{.buffer = 1, .as = Compare::words}};
  p.launches = {{"wait_chain", {blocks * kBlock, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("wait_chain", record_chain)};
  p.hand = chain_by_hand;
  p.restores = true;
  return p;
}

const Registration kGridSync{284, "grid_sync", "4,096 blocks of 256 lanes, one barrier of the grid", make_exchange};
const Registration kWaitChain{286, "wait_chain", "4,096 blocks, each waiting for the one that starts after it",
                              make_chain};

}  // namespace
}  // namespace weft::bench
