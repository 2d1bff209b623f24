// Lanes with large arrays of their own, which live across two barriers: 72 KiB for each of 64 lanes.
#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kBlock = 64;
constexpr std::uint32_t kElements = 18432;
constexpr std::uint32_t kFirst = 1024;

void private_arrays(std::span<Data> buffers, const Threads& threads) {
  const std::span<std::uint32_t> out = buffers[0].as<std::uint32_t>();
  threads.for_each(static_cast<std::uint32_t>(out.size()) / kBlock, [=](std::uint32_t begin, std::uint32_t end) {
    Data room = Data::zeros<std::uint32_t>(std::size_t{kElements} * kBlock);
    std::uint32_t* array = room.as<std::uint32_t>().data();
    for (std::uint32_t block = begin; block < end; ++block) {
      for (std::uint32_t i = 0; i < kElements; ++i) {
        for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
          array[i * kBlock + lane] = i * 1664525 ^ lane * 22695477;
        }
      }
      const std::uint32_t* told = array + std::size_t{block % kFirst} * kBlock;
      std::uint32_t sums[kBlock];
      for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
        sums[lane] = told[(lane + 1) % kBlock];
      }
      for (std::uint32_t i = 0; i < kElements; ++i) {
        for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
          sums[lane] = sums[lane] * 3 + array[i * kBlock + lane];
        }
      }
      std::ranges::copy(sums, &out[std::size_t{block} * kBlock]);
    }
  });
}

auto record() {
  return Kernel1D{"private_arrays", block_size(kBlock), [](BufferVar<uint> out) {
                    Shared<uint, kBlock> told;
                    Var<std::array<uint, kElements>> array;
                    UInt lane = thread_id().x;
                    $for(i, kElements) { array[i] = i * 1664525u ^ lane * 22695477u; };
                    told[lane] = array[block_id().x % kFirst];
                    sync_block();
                    UInt sum = told[(lane + 1u) % kBlock];
                    sync_block();
                    $for(i, kElements) { sum = sum * 3u + array[i]; };
                    out.write(dispatch_id().x, sum);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t lanes = scale == Scale::tiny ? kBlock : 16 * kBlock;
  Problem p;
  p.buffers = {Data::zeros<std::uint32_t>(lanes)};
  p.results = {{.buffer = 0, .as = Compare::words}};
  p.launches = {{"private_arrays", {lanes, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("private_arrays", record)};
  p.hand = private_arrays;
  p.source = "private_arrays";
  return p;
}

const Registration kPrivateArrays{250, "private_arrays",
                                  "16 blocks of 64 lanes with 18,432 numbers each, across two barriers", make};

}  // namespace
}  // namespace weft::bench
