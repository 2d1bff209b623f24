#include "bench/kernels/nbody.h"

namespace weft::bench {
namespace {

constexpr std::uint32_t kTile = 256;

// A block of as many bodies as a tile has, and the tiles one after the other.
void block_accelerations(std::span<Data> buffers, std::uint32_t first_of_block) {
  const std::size_t n = buffers[0].as<float>().size();
  std::vector<BodySums> sums;
  for (std::uint32_t i = 0; i < kTile; i += kLanes * kBodyPacks) {
    sums.emplace_back(buffers, first_of_block + i);
  }
  for (std::size_t start = 0; start < n; start += kTile) {
    alignas(64) float tile[4][kTile];
    for (std::size_t d = 0; d < 4; ++d) {
      std::memcpy(tile[d], buffers[d].as<float>().data() + start, sizeof tile[d]);
    }
    for (BodySums& some : sums) {
      BodySums in_registers = some;
      for (std::uint32_t j = 0; j < kTile; ++j) {
        in_registers.add(tile[0][j], tile[1][j], tile[2][j], tile[3][j]);
      }
      some = in_registers;
    }
  }
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    sums[i].write(buffers, first_of_block + i * kLanes * kBodyPacks);
  }
}

void nbody_tiled(std::span<Data> buffers, const Threads& threads) {
  const auto n = static_cast<std::uint32_t>(buffers[0].as<float>().size());
  threads.for_each(n / kTile, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t block = begin; block < end; ++block) {
      block_accelerations(buffers, block * kTile);
    }
  });
}

auto record() {
  return Kernel1D{"nbody_tiled", block_size(kTile), math_fast,
                  [](BufferVar<float> x, BufferVar<float> y, BufferVar<float> z, BufferVar<float> mass,
                     BufferVar<float> ax, BufferVar<float> ay, BufferVar<float> az, UInt n) {
                    Shared<float, kTile> tx, ty, tz, tm;
                    UInt i = dispatch_id().x;
                    UInt lane = thread_id().x;
                    Float3 own = make_float3(x.read(i), y.read(i), z.read(i));
                    Float3 sum;
                    $for(start, 0u, n, kTile) {
                      tx[lane] = x.read(start + lane);
                      ty[lane] = y.read(start + lane);
                      tz[lane] = z.read(start + lane);
                      tm[lane] = mass.read(start + lane);
                      sync_block();
                      $for(j, kTile) {
                        Float3 d = make_float3(tx[j], ty[j], tz[j]) - own;
                        Float r = rsqrt(dot(d, d) + kSoftening);
                        sum += d * (r * r * r * tm[j]);
                      };
                      sync_block();
                    };
                    ax.write(i, sum.x);
                    ay.write(i, sum.y);
                    az.write(i, sum.z);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 512 : 16384;
  Problem p = bodies(n);
  p.launches = {{"nbody_tiled", {n, 1, 1}, {kTile, 1, 1}, {n}}};
  p.kernels = {weft_kernel("nbody_tiled", record)};
  p.hand = nbody_tiled;
  p.source = "nbody_tiled";
  return p;
}

const Registration kNbodyTiled{130, "nbody_tiled", "the same by tiles of 256 bodies in shared memory", make};

}  // namespace
}  // namespace weft::bench
