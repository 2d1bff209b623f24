#include "bench/kernels/bounds.h"

#include <cmath>
#include <cstring>

namespace weft::bench {

namespace {

constexpr std::ptrdiff_t kLanes = 16;
using Floats = float __attribute__((vector_size(4 * kLanes)));
using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));

Floats load(const float* from) {
  Floats v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
void store(float* to, Floats v) { std::memcpy(to, &v, sizeof v); }

Floats iota() {
  Floats v;
  for (int i = 0; i < kLanes; ++i) {
    v[i] = static_cast<float>(i);
  }
  return v;
}

bool any(Ints mask) {
  bool result = false;
  for (int i = 0; i < kLanes; ++i) {
    result |= mask[i] != 0;
  }
  return result;
}

}  // namespace

void bound_reduction(const float* in, float* out, std::uint32_t blocks) {
  for (std::uint32_t b = 0; b < blocks; ++b) {
    float tile[256];
    std::memcpy(tile, in + 256 * static_cast<std::size_t>(b), sizeof tile);
    for (int d = 128; d >= kLanes; d /= 2) {
      for (int i = 0; i < d; i += kLanes) {
        store(tile + i, load(tile + i) + load(tile + i + d));
      }
    }
    for (int d = kLanes / 2; d > 0; d /= 2) {
      for (int i = 0; i < d; ++i) {
        tile[i] += tile[i + d];
      }
    }
    out[b] = tile[0];
  }
}

void bound_matmul(const float* a, const float* b, float* c, std::uint32_t n) {
  for (std::uint32_t by = 0; by < n; by += 16) {
    for (std::uint32_t bx = 0; bx < n; bx += 16) {
      Floats sum[16] = {};
      for (std::uint32_t t = 0; t < n; t += 16) {
        float tile_a[16][16];
        Floats tile_b[16];
        for (std::uint32_t y = 0; y < 16; ++y) {
          std::memcpy(tile_a[y], a + static_cast<std::size_t>(by + y) * n + t, sizeof tile_a[y]);
          tile_b[y] = load(b + static_cast<std::size_t>(t + y) * n + bx);
        }
        for (int y = 0; y < 16; ++y) {
          for (int k = 0; k < 16; ++k) {
            sum[y] = __builtin_elementwise_fma(Floats{} + tile_a[y][k], tile_b[k], sum[y]);
          }
        }
      }
      for (std::uint32_t y = 0; y < 16; ++y) {
        store(c + static_cast<std::size_t>(by + y) * n + bx, sum[y]);
      }
    }
  }
}

void bound_mandelbrot(std::uint32_t* out, std::uint32_t n) {
  const float scale = 3.0F / static_cast<float>(n);
  for (std::uint32_t y = 0; y < n; ++y) {
    const float cy = static_cast<float>(y) * scale - 1.5F;
    for (std::uint32_t x = 0; x < n; x += kLanes) {
      const Floats cx = (iota() + static_cast<float>(x)) * scale - 2.25F;
      Floats zx{};
      Floats zy{};
      Ints steps{};
      for (int i = 0; i < 256; ++i) {
        const Floats x2 = zx * zx;
        const Floats y2 = zy * zy;
        const Ints inside = x2 + y2 <= 4.0F;
        if (!any(inside)) {
          break;
        }
        steps -= inside;
        zy = __builtin_elementwise_fma(zx + zx, zy, Floats{} + cy);
        zx = x2 - y2 + cx;
      }
      std::memcpy(out + static_cast<std::size_t>(y) * n + x, &steps, sizeof steps);
    }
  }
}

void bound_nbody(const float* const position[3], const float* mass, float* const acceleration[3], std::uint32_t n) {
  constexpr int kPacks = 4;  // side by side, to hide latency
  for (std::uint32_t i = 0; i < n; i += kLanes * kPacks) {
    Floats own[kPacks][3];
    Floats sum[kPacks][3] = {};
    for (int p = 0; p < kPacks; ++p) {
      for (int d = 0; d < 3; ++d) {
        own[p][d] = load(position[d] + i + kLanes * p);
      }
    }
    for (std::uint32_t j = 0; j < n; ++j) {
      for (int p = 0; p < kPacks; ++p) {
        const Floats dx = position[0][j] - own[p][0];
        const Floats dy = position[1][j] - own[p][1];
        const Floats dz = position[2][j] - own[p][2];
        const Floats r2 = dx * dx + dy * dy + dz * dz + 1e-4F;
        const Floats r = 1.0F / __builtin_elementwise_sqrt(r2);  // estimate and one step, by -ffast-math
        const Floats w = r * r * r * mass[j];
        sum[p][0] += dx * w;
        sum[p][1] += dy * w;
        sum[p][2] += dz * w;
      }
    }
    for (int p = 0; p < kPacks; ++p) {
      for (int d = 0; d < 3; ++d) {
        store(acceleration[d] + i + kLanes * p, sum[p][d]);
      }
    }
  }
}

}  // namespace weft::bench
