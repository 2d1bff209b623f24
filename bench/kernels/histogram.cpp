#include "bench/framework/registry.h"

#include <array>
#include <atomic>

namespace weft::bench {
namespace {

constexpr std::uint32_t kBins = 256;   // as many as lanes of a block
constexpr std::uint32_t kTurns = 256;  // numbers of a lane
constexpr std::uint32_t kBlockNumbers = kBins * kTurns;

void histogram(std::span<Data> buffers, const Threads& threads) {
  const std::span<const std::uint32_t> in = buffers[0].as<std::uint32_t>();
  const std::span<std::uint32_t> bins = buffers[1].as<std::uint32_t>();
  threads.for_each(static_cast<std::uint32_t>(in.size()) / kBlockNumbers, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t block = begin; block < end; ++block) {
      std::array<std::uint32_t, kBins> counts{};
      for (const std::uint32_t x : in.subspan(std::size_t{block} * kBlockNumbers, kBlockNumbers)) {
        ++counts[x % kBins];
      }
      for (std::uint32_t i = 0; i < kBins; ++i) {
        std::atomic_ref(bins[i]).fetch_add(counts[i], std::memory_order_relaxed);
      }
    }
  });
}

auto record() {
  return Kernel1D{"histogram", block_size(kBins), [](BufferVar<uint> in, BufferVar<uint> bins) {
                    Shared<uint, kBins> counts;
                    UInt lane = thread_id().x;
                    UInt first = block_id().x * kBlockNumbers + lane;
                    counts[lane] = 0u;
                    sync_block();
                    $for(i, kTurns) { counts.atomic(in.read(first + i * kBins) % kBins).fetch_add(1u); };
                    sync_block();
                    bins.atomic(lane).fetch_add(counts[lane]);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 2 * kBlockNumbers : 16U << 20;
  Problem p;
  p.buffers = {Data::filled<std::uint32_t>(n, scramble), Data::zeros<std::uint32_t>(kBins)};
  p.results = {{.buffer = 1, .as = Compare::words}};
  p.launches = {{"histogram", {n / kTurns, 1, 1}, {kBins, 1, 1}, {}}};
  p.kernels = {weft_kernel("histogram", record)};
  p.hand = histogram;
  p.source = "histogram";
  return p;
}

const Registration kHistogram{160, "histogram", "256 bins of 16M numbers, by atomics in shared memory", make};

}  // namespace
}  // namespace weft::bench
