// A Gaussian blur of 5 x 5 points, of an image with a border of as many as the blur reaches, in blocks of three shapes:
// packs that are two rows, one row, and half a row of a block.
#include <array>

#include "bench/framework/registry.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kReach = 2;
constexpr std::array<float, 5> kWeights{1.F / 16, 4.F / 16, 6.F / 16, 4.F / 16, 1.F / 16};

void blur(std::span<Data> buffers, const Threads& threads, std::uint32_t width, std::uint32_t height) {
  const float* in = buffers[0].as<float>().data();
  float* out = buffers[1].as<float>().data();
  const std::size_t stride = width + 2 * kReach;
  threads.for_each(height, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t y = begin; y < end; ++y) {
      for (std::uint32_t x = 0; x < width; ++x) {
        float sum = 0;
        for (std::size_t dy = 0; dy < kWeights.size(); ++dy) {
          for (std::size_t dx = 0; dx < kWeights.size(); ++dx) {
            sum += kWeights[dy] * kWeights[dx] * in[(y + dy) * stride + x + dx];
          }
        }
        out[static_cast<std::size_t>(y) * width + x] = sum;
      }
    }
  });
}

Problem make(Scale scale, std::uint32_t block_width, std::uint32_t block_height) {
  const std::uint32_t width = scale == Scale::tiny ? 64 : 1920;
  const std::uint32_t height = scale == Scale::tiny ? 32 : 1080;
  Problem p;
  p.buffers = {Data::filled<float>(std::size_t{width + 2 * kReach} * (height + 2 * kReach), random_float),
               Data::zeros<float>(std::size_t{width} * height)};
  p.results = {{.buffer = 1, .tolerance = 1e-5}};
  p.launches = {{"blur", {width, height, 1}, {block_width, block_height, 1}, {width}}};
  p.kernels = {weft_kernel("blur", [=] {
    return Kernel2D{"blur", block_size(block_width, block_height),
                    [](BufferVar<float> in, BufferVar<float> out, UInt width) {
                      UInt first = dispatch_id().y * (width + 2 * kReach) + dispatch_id().x;
                      Float sum;
                      for (uint dy = 0; dy < kWeights.size(); ++dy) {
                        for (uint dx = 0; dx < kWeights.size(); ++dx) {
                          sum += kWeights[dy] * kWeights[dx] * in.read(first + dy * (width + 2 * kReach) + dx);
                        }
                      }
                      out.write(dispatch_id().y * width + dispatch_id().x, sum);
                    }};
  })};
  p.hand = [=](std::span<Data> buffers, const Threads& threads) { blur(buffers, threads, width, height); };
  p.source = "blur";
  return p;
}

const Registration kBlur8{200, "blur/8x8", "5 x 5 Gaussian blur, 1920 x 1080, blocks of 8 x 8",
                          [](Scale scale) { return make(scale, 8, 8); }};
const Registration kBlur16{201, "blur/16x8", "the same, blocks of 16 x 8",
                           [](Scale scale) { return make(scale, 16, 8); }};
const Registration kBlur32{202, "blur/32x8", "the same, blocks of 32 x 8",
                           [](Scale scale) { return make(scale, 32, 8); }};

}  // namespace
}  // namespace weft::bench
