#include "bench/framework/registry.h"
#include "bench/framework/simd.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kTile = 16;

// One tile of C, by the tiles of A's row and B's column.
void multiply_tile(const float* a, const float* b, float* c, std::uint32_t n, std::uint32_t bx, std::uint32_t by) {
  Floats sum[kTile] = {};
  for (std::uint32_t t = 0; t < n; t += kTile) {
    float tile_a[kTile][kTile];
    for (std::uint32_t y = 0; y < kTile; ++y) {
      std::memcpy(tile_a[y], a + static_cast<std::size_t>(by + y) * n + t, sizeof tile_a[y]);
    }
    for (std::uint32_t k = 0; k < kTile; ++k) {
      const Floats row = load(b + static_cast<std::size_t>(t + k) * n + bx);
#pragma clang loop unroll(full)
      for (std::uint32_t y = 0; y < kTile; ++y) {
        sum[y] = fma(splat(tile_a[y][k]), row, sum[y]);
      }
    }
  }
  for (std::uint32_t y = 0; y < kTile; ++y) {
    store(c + static_cast<std::size_t>(by + y) * n + bx, sum[y]);
  }
}

void matmul(std::span<Data> buffers, const Threads& threads, std::uint32_t n) {
  const float* a = buffers[0].as<float>().data();
  const float* b = buffers[1].as<float>().data();
  float* c = buffers[2].as<float>().data();
  threads.for_each(n / kTile, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t by = begin * kTile; by < end * kTile; by += kTile) {
      for (std::uint32_t bx = 0; bx < n; bx += kTile) {
        multiply_tile(a, b, c, n, bx, by);
      }
    }
  });
}

// What a product of matrices can cost: 4 rows by 4 packs of C in registers, with a panel of B copied into the cache.
constexpr std::uint32_t kRows = 4;
constexpr std::uint32_t kColumns = 4 * kLanes;
constexpr std::uint32_t kDepth = 128;
using Panel = float[kDepth][kColumns];

void multiply_panel(const float* a, const Panel& panel, float* c, std::uint32_t n, std::uint32_t depth) {
  for (std::uint32_t y = 0; y < n; y += kRows) {
    Floats sum[kRows][kColumns / kLanes];
    for (std::uint32_t r = 0; r < kRows; ++r) {
      std::memcpy(sum[r], c + static_cast<std::size_t>(y + r) * n, sizeof sum[r]);
    }
    for (std::uint32_t k = 0; k < depth; ++k) {
      for (std::uint32_t r = 0; r < kRows; ++r) {
        const Floats factor = splat(a[static_cast<std::size_t>(y + r) * n + k]);
        for (std::uint32_t p = 0; p < kColumns / kLanes; ++p) {
          sum[r][p] = fma(factor, load(panel[k] + p * kLanes), sum[r][p]);
        }
      }
    }
    for (std::uint32_t r = 0; r < kRows; ++r) {
      std::memcpy(c + static_cast<std::size_t>(y + r) * n, sum[r], sizeof sum[r]);
    }
  }
}

void matmul_in_registers(std::span<Data> buffers, const Threads& threads, std::uint32_t n) {
  const float* a = buffers[0].as<float>().data();
  const float* b = buffers[1].as<float>().data();
  float* c = buffers[2].as<float>().data();
  threads.for_each(n / kColumns, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t x = begin * kColumns; x < end * kColumns; x += kColumns) {
      for (std::uint32_t y = 0; y < n; ++y) {
        std::memset(c + static_cast<std::size_t>(y) * n + x, 0, kColumns * sizeof(float));
      }
      for (std::uint32_t k = 0; k < n; k += kDepth) {
        const std::uint32_t depth = std::min(kDepth, n - k);
        alignas(64) Panel panel;
        for (std::uint32_t i = 0; i < depth; ++i) {
          std::memcpy(panel[i], b + static_cast<std::size_t>(k + i) * n + x, sizeof panel[i]);
        }
        multiply_panel(a + k, panel, c + x, n, depth);
      }
    }
  });
}

auto record() {
  return Kernel2D{"matmul", block_size(kTile, kTile),
                  [](BufferVar<float> a, BufferVar<float> b, BufferVar<float> c, UInt n) {
                    Shared<float, kTile * kTile> tile_a, tile_b;
                    UInt x = thread_id().x;
                    UInt y = thread_id().y;
                    UInt column = dispatch_id().x;
                    UInt row = dispatch_id().y;
                    Float sum;
                    $for(t, 0u, n, kTile) {
                      tile_a[y * kTile + x] = a.read(row * n + t + x);
                      tile_b[y * kTile + x] = b.read((t + y) * n + column);
                      sync_block();
                      $for(k, kTile) { sum += tile_a[y * kTile + k] * tile_b[k * kTile + x]; };
                      sync_block();
                    };
                    c.write(row * n + column, sum);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 64 : 1024;
  const std::size_t cells = std::size_t{n} * n;
  Problem p;
  p.buffers = {Data::filled<float>(cells, random_float),
               Data::filled<float>(cells, [](std::size_t i) { return random_float(i + 1'000'000'000); }),
               Data::zeros<float>(cells)};
  p.results = {{.buffer = 2, .tolerance = 1e-4}};
  p.launches = {{"matmul", {n, n, 1}, {kTile, kTile, 1}, {n}}};
  p.kernels = {weft_kernel("matmul", record)};
  p.hand = [n](std::span<Data> buffers, const Threads& threads) { matmul(buffers, threads, n); };
  p.source = "matmul";
  return p;
}

Problem make_in_registers(Scale scale) {
  Problem p = make(scale);
  p.hand = [n = p.launches[0].lanes[0]](std::span<Data> buffers, const Threads& threads) {
    matmul_in_registers(buffers, threads, n);
  };
  p.source.clear();
  return p;
}

const Registration kMatmul{150, "matmul", "1024 x 1024 floats by tiles of 16 x 16 in shared memory", make};
const Registration kInRegisters{151, "matmul/registers",
                                "the same, beside a product by hand that is tiled for registers", make_in_registers};

}  // namespace
}  // namespace weft::bench
