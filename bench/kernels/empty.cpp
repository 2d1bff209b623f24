// What a dispatch costs without work: the round trip of one block, and a million blocks.
#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kBlock = 32;

Problem make(std::uint32_t blocks) {
  Problem p;
  p.buffers = {Data::zeros<std::uint32_t>(kBlock)};
  p.launches = {{"empty", {blocks * kBlock, 1, 1}, {kBlock, 1, 1}, {}}};
  p.kernels = {weft_kernel("empty", [] { return Kernel1D{"empty", block_size(kBlock), [](BufferVar<uint>) {}}; })};
  p.source = "empty";
  return p;
}

const Registration kEmpty{270, "empty", "a dispatch of one block that does nothing, round trip",
                          [](Scale) { return make(1); }};
const Registration kEmptyBlocks{271, "empty/blocks", "1M blocks of 32 lanes that do nothing",
                                [](Scale scale) { return make(scale == Scale::tiny ? 1024 : 1U << 20); }};

}  // namespace
}  // namespace weft::bench
