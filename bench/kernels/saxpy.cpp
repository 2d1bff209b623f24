#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr float kA = 1.5F;

void saxpy(std::span<Data> buffers, const Threads& threads) {
  const float* x = buffers[0].as<float>().data();
  float* y = buffers[1].as<float>().data();
  threads.for_each(static_cast<std::uint32_t>(buffers[0].as<float>().size()),
                   [=](std::uint32_t begin, std::uint32_t end) {
                     for (std::uint32_t i = begin; i < end; ++i) {
                       y[i] = kA * x[i] + y[i];
                     }
                   });
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 4096 : 16U << 20;
  Problem p;
  p.buffers = {Data::filled<float>(n, random_float),
               Data::filled<float>(n, [](std::size_t i) { return random_float(i + 1000); })};
  p.results = {{.buffer = 1, .tolerance = 1e-6}};
  p.launches = {{"saxpy", {n, 1, 1}, {256, 1, 1}, {kA}}};
  p.kernels = {weft_kernel("saxpy", [] {
    return Kernel1D{"saxpy", block_size(256), [](BufferVar<float> x, BufferVar<float> y, Float a) {
                      UInt i = dispatch_id().x;
                      y.write(i, a * x.read(i) + y.read(i));
                    }};
  })};
  p.hand = saxpy;
  p.source = "saxpy";
  return p;
}

const Registration kSaxpy{100, "saxpy", "y = a x + y, 16M floats", make};

}  // namespace
}  // namespace weft::bench
