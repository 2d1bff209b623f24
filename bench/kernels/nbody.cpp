#include "bench/kernels/nbody.h"

namespace weft::bench {
namespace {

void nbody(std::span<Data> buffers, const Threads& threads) {
  constexpr std::uint32_t kBodies = kLanes * kBodyPacks;
  const std::span<const float> x = buffers[0].as<float>();
  const std::span<const float> y = buffers[1].as<float>();
  const std::span<const float> z = buffers[2].as<float>();
  const std::span<const float> mass = buffers[3].as<float>();
  threads.for_each(static_cast<std::uint32_t>(x.size()) / kBodies, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t first = begin * kBodies; first < end * kBodies; first += kBodies) {
      BodySums sums(buffers, first);
      for (std::size_t j = 0; j < x.size(); ++j) {
        sums.add(x[j], y[j], z[j], mass[j]);
      }
      sums.write(buffers, first);
    }
  });
}

auto record() {
  return Kernel1D{"nbody", block_size(256), math_fast,
                  [](BufferVar<float> x, BufferVar<float> y, BufferVar<float> z, BufferVar<float> mass,
                     BufferVar<float> ax, BufferVar<float> ay, BufferVar<float> az, UInt n) {
                    UInt i = dispatch_id().x;
                    Float3 own = make_float3(x.read(i), y.read(i), z.read(i));
                    Float3 sum;
                    $for(j, n) {
                      Float3 d = make_float3(x.read(j), y.read(j), z.read(j)) - own;
                      Float r = rsqrt(dot(d, d) + kSoftening);
                      sum += d * (r * r * r * mass.read(j));
                    };
                    ax.write(i, sum.x);
                    ay.write(i, sum.y);
                    az.write(i, sum.z);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 512 : 16384;
  Problem p = bodies(n);
  p.launches = {{"nbody", {n, 1, 1}, {256, 1, 1}, {n}}};
  p.kernels = {weft_kernel("nbody", record)};
  p.hand = nbody;
  p.source = "nbody";
  return p;
}

const Registration kNbody{120, "nbody", "accelerations of 16,384 bodies by all bodies, fast math", make};

}  // namespace
}  // namespace weft::bench
