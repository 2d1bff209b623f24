#include "bench/framework/registry.h"
#include "bench/framework/simd.h"

namespace weft::bench {
namespace {

constexpr std::int32_t kSteps = 256;

// A row of the image; several packs side by side hide the latency of one's chain.
template <int kPacks>
void mandelbrot_row(std::uint32_t* out, std::uint32_t n, std::uint32_t y) {
  const float scale = 3.0F / static_cast<float>(n);
  const Floats cy = splat(static_cast<float>(y) * scale - 1.5F);
  for (std::uint32_t x = 0; x < n; x += kLanes * kPacks) {
    Floats cx[kPacks];
    Floats zx[kPacks] = {};
    Floats zy[kPacks] = {};
    Ints steps[kPacks] = {};
    for (int p = 0; p < kPacks; ++p) {
      cx[p] = (iota() + static_cast<float>(x + kLanes * p)) * scale - 2.25F;
    }
    for (int i = 0; i < kSteps; ++i) {
      Ints inside[kPacks];
      Ints some{};
      for (int p = 0; p < kPacks; ++p) {
        const Floats x2 = zx[p] * zx[p];
        const Floats y2 = zy[p] * zy[p];
        inside[p] = x2 + y2 <= 4.0F;
        some |= inside[p];
        steps[p] -= inside[p];
        zy[p] = fma(zx[p] + zx[p], zy[p], cy);
        zx[p] = x2 - y2 + cx[p];
      }
      if (!any(some)) {
        break;
      }
    }
    for (int p = 0; p < kPacks; ++p) {
      store(out + static_cast<std::size_t>(y) * n + x + kLanes * p, steps[p]);
    }
  }
}

void mandelbrot(std::span<Data> buffers, const Threads& threads, std::uint32_t n) {
  std::uint32_t* out = buffers[0].as<std::uint32_t>().data();
  threads.for_each(n, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t y = begin; y < end; ++y) {
      mandelbrot_row<2>(out, n, y);
    }
  });
}

auto record() {
  return Kernel2D{"mandelbrot", block_size(16, 16), [](BufferVar<uint> out, UInt n) {
                    Float scale = 3.f / cast<float>(n);
                    Float cx = cast<float>(dispatch_id().x) * scale - 2.25f;
                    Float cy = cast<float>(dispatch_id().y) * scale - 1.5f;
                    Float zx;
                    Float zy;
                    UInt steps;
                    $while(steps < static_cast<uint>(kSteps)) {
                      Float x2 = zx * zx;
                      Float y2 = zy * zy;
                      $if(x2 + y2 > 4.f) { $break; };
                      zy = (zx + zx) * zy + cy;
                      zx = x2 - y2 + cx;
                      steps += 1u;
                    };
                    out.write(dispatch_id().y * n + dispatch_id().x, steps);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 64 : 2048;
  Problem p;
  p.buffers = {Data::zeros<std::uint32_t>(std::size_t{n} * n)};
  // Where a point is near the edge, a step more or less hangs on rounding.
  p.results = {{.buffer = 0, .as = Compare::words, .may_differ = 0.02}};
  p.launches = {{"mandelbrot", {n, n, 1}, {16, 16, 1}, {n}}};
  p.kernels = {weft_kernel("mandelbrot", record)};
  p.hand = [n](std::span<Data> buffers, const Threads& threads) { mandelbrot(buffers, threads, n); };
  p.source = "mandelbrot";
  return p;
}

const Registration kMandelbrot{110, "mandelbrot", "2048 x 2048 points, 256 iterations", make};

}  // namespace
}  // namespace weft::bench
