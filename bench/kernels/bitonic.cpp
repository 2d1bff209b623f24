// Bitonic sort. A block sorts or merges twice as many numbers as it has lanes in shared memory; steps that reach
// further go through the buffer, one launch each.
#include "bench/framework/registry.h"
#include "bench/framework/simd.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kLanesOfBlock = 512;
constexpr std::uint32_t kChunk = 2 * kLanesOfBlock;

// --- by hand: the same network, 16 pairs at once

template <int kStep>
UInts partners(UInts x) {
  return [&]<int... i>(std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(x, x, (i ^ kStep)...);
  }(std::make_integer_sequence<int, kLanes>());
}

UInts lane_numbers() {
  UInts v;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    v[i] = i;
  }
  return v;
}

// Steps closer than a pack; `first` is the place of the pack's first number.
template <int kStep>
UInts exchange_in_pack(UInts x, std::uint32_t first, std::uint32_t k) {
  const UInts other = partners<kStep>(x);
  const UInts place = lane_numbers() + first;
  const auto is_low = (place & kStep) == 0;
  const auto ascends = (place & k) == 0;
  return is_low == ascends ? __builtin_elementwise_min(x, other) : __builtin_elementwise_max(x, other);
}

void exchange(std::uint32_t* low, std::uint32_t* high, bool ascends) {
  const auto a = load_pack<UInts>(low);
  const auto b = load_pack<UInts>(high);
  const UInts small = __builtin_elementwise_min(a, b);
  const UInts large = __builtin_elementwise_max(a, b);
  store(low, ascends ? small : large);
  store(high, ascends ? large : small);
}

// Steps j, j / 2 ... 1 of phase k, on a chunk whose first number's place is `first`.
void merge_chunk(std::uint32_t* chunk, std::uint32_t first, std::uint32_t k, std::uint32_t j) {
  for (; j >= kLanes; j /= 2) {
    for (std::uint32_t i = 0; i < kChunk; i += kLanes) {
      if ((i & j) == 0) {
        exchange(chunk + i, chunk + i + j, ((first + i) & k) == 0);
      }
    }
  }
  for (std::uint32_t i = 0; i < kChunk; i += kLanes) {
    auto x = load_pack<UInts>(chunk + i);
    const std::uint32_t place = first + i;
    switch (j) {
      case 8: x = exchange_in_pack<8>(x, place, k); [[fallthrough]];
      case 4: x = exchange_in_pack<4>(x, place, k); [[fallthrough]];
      case 2: x = exchange_in_pack<2>(x, place, k); [[fallthrough]];
      default: x = exchange_in_pack<1>(x, place, k);
    }
    store(chunk + i, x);
  }
}

void exchange_far(std::uint32_t* data, const Threads& threads, std::uint32_t n, std::uint32_t k, std::uint32_t j) {
  threads.for_each(n / 2 / kLanes, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t t = begin * kLanes; t < end * kLanes; t += kLanes) {
      const std::uint32_t i = 2 * t - (t & (j - 1));
      exchange(data + i, data + i + j, (i & k) == 0);
    }
  });
}

void sort(std::span<Data> buffers, const Threads& threads) {
  const std::span<std::uint32_t> numbers = buffers[0].as<std::uint32_t>();
  std::uint32_t* data = numbers.data();
  const auto n = static_cast<std::uint32_t>(numbers.size());
  const auto for_each_chunk = [&](const auto& f) {
    threads.for_each(n / kChunk, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t first = begin * kChunk; first < end * kChunk; first += kChunk) {
        f(first);
      }
    });
  };
  for_each_chunk([=](std::uint32_t first) {
    for (std::uint32_t k = 2; k <= kChunk; k *= 2) {
      merge_chunk(data + first, first, k, k / 2);
    }
  });
  for (std::uint32_t k = 2 * kChunk; k <= n; k *= 2) {
    for (std::uint32_t j = k / 2; j >= kChunk; j /= 2) {
      exchange_far(data, threads, n, k, j);
    }
    for_each_chunk([=](std::uint32_t first) { merge_chunk(data + first, first, k, kChunk / 2); });
  }
}

// --- in the DSL

// The pair of a lane in a step over distance j: the place of its lower number.
Callable pair_place{"pair_place", [](UInt t, UInt j) { return 2u * t - (t & (j - 1u)); }};

auto record_far() {
  return Kernel1D{"bitonic_far", block_size(256), [](BufferVar<uint> data, UInt k, UInt j) {
                    UInt i = pair_place(dispatch_id().x, j);
                    UInt a = data.read(i);
                    UInt b = data.read(i + j);
                    $if((a > b) == ((i & k) == 0u)) {
                      data.write(i, b);
                      data.write(i + j, a);
                    };
                  }};
}

struct Chunk {
  Shared<uint, kChunk> tile;
  UInt lane = thread_id().x;
  UInt first = block_id().x * kChunk;

  void load(const BufferVar<uint>& data) {
    tile[lane] = data.read(first + lane);
    tile[lane + kLanesOfBlock] = data.read(first + lane + kLanesOfBlock);
    sync_block();
  }
  void merge(const UInt& k, UInt j) {
    $while(j > 0u) {
      UInt i = pair_place(lane, j);
      UInt a = tile[i];
      UInt b = tile[i + j];
      $if((a > b) == (((first + i) & k) == 0u)) {
        tile[i] = b;
        tile[i + j] = a;
      };
      sync_block();
      j >>= 1u;
    };
  }
  void store(const BufferVar<uint>& data) {
    data.write(first + lane, tile[lane]);
    data.write(first + lane + kLanesOfBlock, tile[lane + kLanesOfBlock]);
  }
};

auto record_sort() {
  return Kernel1D{"bitonic_sort", block_size(kLanesOfBlock), [](BufferVar<uint> data) {
                    Chunk chunk;
                    chunk.load(data);
                    UInt k = 2u;
                    $while(k <= kChunk) {
                      chunk.merge(k, k >> 1u);
                      k <<= 1u;
                    };
                    chunk.store(data);
                  }};
}

auto record_merge() {
  return Kernel1D{"bitonic_merge", block_size(kLanesOfBlock), [](BufferVar<uint> data, UInt k) {
                    Chunk chunk;
                    chunk.load(data);
                    chunk.merge(k, kChunk / 2);
                    chunk.store(data);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 4096 : 1U << 20;
  const Size3 half{n / 2, 1, 1};
  Problem p;
  p.buffers = {Data::filled<std::uint32_t>(n, scramble)};
  p.results = {{.buffer = 0, .as = Compare::words}};
  p.launches = {{"bitonic_sort", half, {kLanesOfBlock, 1, 1}, {}}};
  for (std::uint32_t k = 2 * kChunk; k <= n; k *= 2) {
    for (std::uint32_t j = k / 2; j >= kChunk; j /= 2) {
      p.launches.push_back({"bitonic_far", half, {256, 1, 1}, {k, j}});
    }
    p.launches.push_back({"bitonic_merge", half, {kLanesOfBlock, 1, 1}, {k}});
  }
  p.kernels = {weft_kernel("bitonic_sort", record_sort), weft_kernel("bitonic_far", record_far),
               weft_kernel("bitonic_merge", record_merge)};
  p.hand = sort;
  p.source = "bitonic";
  p.restores = true;
  return p;
}

const Registration kBitonic{170, "bitonic", "bitonic sort of 1M numbers, 1024 a block in shared memory", make};

}  // namespace
}  // namespace weft::bench
