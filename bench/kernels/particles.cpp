// A step of particles that are structs of 28 bytes.
#include "bench/framework/registry.h"

namespace weft::bench {

struct Particle {
  float3 position;
  float3 velocity;
  float mass = 1;
};

}  // namespace weft::bench

WEFT_STRUCT(weft::bench::Particle, position, velocity, mass)

namespace weft::bench {
namespace {

constexpr float kStep = 1.0F / 1024;
constexpr float kDrag = 0.25F;
constexpr float kGravity = 9.81F;

void advance(std::span<Data> buffers, const Threads& threads) {
  const std::span<Particle> particles = buffers[0].as<Particle>();
  threads.for_each(static_cast<std::uint32_t>(particles.size()), [=](std::uint32_t begin, std::uint32_t end) {
    for (Particle& p : particles.subspan(begin, end - begin)) {
      const float drag = -kDrag / p.mass;
      p.velocity.x += kStep * (drag * p.velocity.x);
      p.velocity.y += kStep * (drag * p.velocity.y - kGravity);
      p.velocity.z += kStep * (drag * p.velocity.z);
      p.position.x += kStep * p.velocity.x;
      p.position.y += kStep * p.velocity.y;
      p.position.z += kStep * p.velocity.z;
    }
  });
}

auto record() {
  return Kernel1D{"particles", block_size(256), [](BufferVar<Particle> particles) {
                    UInt i = dispatch_id().x;
                    Var<Particle> p = particles.read(i);
                    Float drag = -kDrag / p.mass;
                    p.velocity += kStep * (drag * p.velocity - make_float3(0.f, kGravity, 0.f));
                    p.position += kStep * p.velocity;
                    particles.write(i, p);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t n = scale == Scale::tiny ? 4096 : 4U << 20;
  Problem p;
  p.buffers = {Data::filled<float>(std::size_t{n} * 7, [](std::size_t i) { return 0.5F + random_float(i); })};
  p.results = {{.buffer = 0, .tolerance = 1e-6}};
  p.launches = {{"particles", {n, 1, 1}, {256, 1, 1}, {}}};
  p.kernels = {weft_kernel("particles", record)};
  p.hand = advance;
  p.source = "particles";
  return p;
}

const Registration kParticles{260, "particles", "a step of 4M particles, structs of 28 bytes", make};

}  // namespace
}  // namespace weft::bench
