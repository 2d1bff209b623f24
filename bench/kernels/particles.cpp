// A step of particles that are structs of 28 bytes.
#include <cstring>

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

using Quad = float __attribute__((vector_size(16)));

// A struct is two packs of four: position, with the velocity's x, which writing the second pack sets right; velocity
// and mass.
void advance(float* particle) {
  constexpr Quad kFall{0, kGravity, 0, 0};
  Quad position;
  Quad velocity;
  std::memcpy(&position, particle, sizeof position);
  std::memcpy(&velocity, particle + 3, sizeof velocity);
  const float mass = velocity[3];
  velocity += kStep * (-kDrag / mass * velocity - kFall);
  position += kStep * velocity;
  velocity[3] = mass;
  std::memcpy(particle, &position, sizeof position);
  std::memcpy(particle + 3, &velocity, sizeof velocity);
}

void advance_all(std::span<Data> buffers, const Threads& threads) {
  constexpr std::size_t kFloats = sizeof(Particle) / sizeof(float);
  const std::span<float> floats = buffers[0].as<float>();
  threads.for_each(static_cast<std::uint32_t>(floats.size() / kFloats), [=](std::uint32_t begin, std::uint32_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      advance(&floats[i * kFloats]);
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
  p.hand = advance_all;
  p.source = "particles";
  return p;
}

const Registration kParticles{260, "particles", "a step of 4M particles, structs of 28 bytes", make};

}  // namespace
}  // namespace weft::bench
