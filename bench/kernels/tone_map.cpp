// Tone mapping of pixels of four floats to 8 bits each, by the curve of Narkowicz (ACES filmic tone mapping curve,
// 2015) and a gamma of 2.2, in blocks of three shapes.
#include "bench/framework/registry.h"
#include "bench/framework/simd_math.h"

namespace weft::bench {
namespace {

constexpr float kExposure = 1.5F;
constexpr float kGamma = 1 / 2.2F;

UInts mapped(Floats x) {
  x = x * kExposure;
  const Floats curve = x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F);
  const Floats level = pow(min(max(curve, splat(0)), splat(1)), splat(kGamma));
  return __builtin_convertvector(level * 255.F + 0.5F, UInts);
}

// A channel of 16 pixels, of which each has four floats.
Floats channel(const float* pixels, int c) {
  const auto a = load(pixels), b = load(pixels + 16), d = load(pixels + 32), e = load(pixels + 48);
  switch (c) {
    case 0: {
      const auto low = __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28);
      const auto high = __builtin_shufflevector(d, e, 0, 4, 8, 12, 16, 20, 24, 28);
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    case 1: {
      const auto low = __builtin_shufflevector(a, b, 1, 5, 9, 13, 17, 21, 25, 29);
      const auto high = __builtin_shufflevector(d, e, 1, 5, 9, 13, 17, 21, 25, 29);
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    default: {
      const auto low = __builtin_shufflevector(a, b, 2, 6, 10, 14, 18, 22, 26, 30);
      const auto high = __builtin_shufflevector(d, e, 2, 6, 10, 14, 18, 22, 26, 30);
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
  }
}

void tone_map(std::span<Data> buffers, const Threads& threads) {
  const float* in = buffers[0].as<float>().data();
  const std::span<std::uint32_t> out = buffers[1].as<std::uint32_t>();
  threads.for_each(static_cast<std::uint32_t>(out.size() / kLanes), [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = std::size_t{begin} * kLanes; i < std::size_t{end} * kLanes; i += kLanes) {
      const float* pixels = in + 4 * i;
      store(&out[i], mapped(channel(pixels, 0)) | mapped(channel(pixels, 1)) << 8 | mapped(channel(pixels, 2)) << 16 |
                         0xFF000000U);
    }
  });
}

auto record(std::uint32_t block_width, std::uint32_t block_height) {
  return Kernel2D{"tone_map", block_size(block_width, block_height),
                  [](BufferVar<float4> in, BufferVar<uint> out, UInt width) {
                    UInt i = dispatch_id().y * width + dispatch_id().x;
                    Float3 x = in.read(i).xyz() * kExposure;
                    Float3 curve = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
                    Float3 level = pow(saturate(curve), make_float3(kGamma, kGamma, kGamma));
                    UInt3 bits = cast<uint3>(level * 255.f + 0.5f);
                    out.write(i, bits.x | bits.y << 8u | bits.z << 16u | 0xFF000000u);
                  }};
}

Problem make(Scale scale, std::uint32_t block_width, std::uint32_t block_height) {
  const std::uint32_t width = scale == Scale::tiny ? 64 : 1920;
  const std::uint32_t height = scale == Scale::tiny ? 32 : 1080;
  const std::size_t pixels = std::size_t{width} * height;
  Problem p;
  p.buffers = {Data::filled<float>(pixels * 4, random_float), Data::zeros<std::uint32_t>(pixels)};
  // A level that is near the half hangs on rounding.
  p.results = {{.buffer = 1, .as = Compare::words, .may_differ = 1e-3}};
  p.launches = {{"tone_map", {width, height, 1}, {block_width, block_height, 1}, {width}}};
  p.kernels = {weft_kernel("tone_map", [=] { return record(block_width, block_height); })};
  p.hand = tone_map;
  p.source = "tone_map";
  return p;
}

const Registration kToneMap8{210, "tone_map/8x8", "tone mapping of 4 floats to 8 bits, 1920 x 1080, blocks of 8 x 8",
                             [](Scale scale) { return make(scale, 8, 8); }};
const Registration kToneMap16{211, "tone_map/16x8", "the same, blocks of 16 x 8",
                              [](Scale scale) { return make(scale, 16, 8); }};
const Registration kToneMap32{212, "tone_map/32x8", "the same, blocks of 32 x 8",
                              [](Scale scale) { return make(scale, 32, 8); }};

}  // namespace
}  // namespace weft::bench
