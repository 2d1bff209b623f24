#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr float kCenter = 0.6F;
constexpr float kAround = 0.1F;

void stencil(std::span<Data> buffers, const Threads& threads, std::uint32_t n) {
  const float* in = buffers[0].as<float>().data();
  float* out = buffers[1].as<float>().data();
  threads.for_each(n - 2, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t y = begin + 1; y < end + 1; ++y) {
      for (std::size_t x = 1; x < n - 1; ++x) {
        const float* at = in + y * n + x;
        out[y * n + x] = kCenter * at[0] + kAround * (at[-1] + at[1] + at[-static_cast<std::ptrdiff_t>(n)] + at[n]);
      }
    }
  });
}

auto record() {
  return Kernel2D{"stencil", block_size(32, 8), [](BufferVar<float> in, BufferVar<float> out, UInt n) {
                    UInt x = dispatch_id().x;
                    UInt y = dispatch_id().y;
                    $if(x > 0u && x < n - 1u && y > 0u && y < n - 1u) {
                      UInt i = y * n + x;
                      out.write(i, kCenter * in.read(i) +
                                       kAround * (in.read(i - 1u) + in.read(i + 1u) + in.read(i - n) + in.read(i + n)));
                    };
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 64 : 4096;
  Problem p;
  p.buffers = {Data::filled<float>(std::size_t{n} * n, random_float), Data::zeros<float>(std::size_t{n} * n)};
  p.results = {{.buffer = 1, .tolerance = 1e-5}};
  p.launches = {{"stencil", {n, n, 1}, {32, 8, 1}, {n}}};
  p.kernels = {weft_kernel("stencil", record)};
  p.hand = [n](std::span<Data> buffers, const Threads& threads) { stencil(buffers, threads, n); };
  p.source = "stencil";
  return p;
}

const Registration kStencil{220, "stencil", "5-point stencil, 4096 x 4096 floats, edges left out", make};

}  // namespace
}  // namespace weft::bench
