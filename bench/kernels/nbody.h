// What both n-body benchmarks share: bodies, and the hand-written sum of one body's accelerations.
#pragma once

#include "bench/framework/registry.h"
#include "bench/framework/simd.h"

namespace weft::bench {

inline constexpr float kSoftening = 1e-4F;

// Positions and masses, then room for accelerations: x, y, z, mass, ax, ay, az.
inline Problem bodies(std::uint32_t n) {
  Problem p;
  for (std::uint32_t i = 0; i < 4; ++i) {
    p.buffers.push_back(Data::filled<float>(n, [=](std::size_t body) { return random_float(body * 4 + i); }));
  }
  for (std::size_t i = 4; i < 7; ++i) {
    p.buffers.push_back(Data::zeros<float>(n));
    p.results.push_back({.buffer = i, .tolerance = 2e-2});
  }
  p.fast_math = true;
  return p;
}

// Packs of bodies side by side, to hide the latency of one's chain.
inline constexpr int kBodyPacks = 4;

struct BodySums {
  Floats own[kBodyPacks][3];
  Floats sum[kBodyPacks][3] = {};

  BodySums(std::span<Data> buffers, std::uint32_t first) {
    for (int p = 0; p < kBodyPacks; ++p) {
      for (std::size_t d = 0; d < 3; ++d) {
        own[p][d] = load(buffers[d].as<float>().data() + first + kLanes * p);
      }
    }
  }

  void add(float x, float y, float z, float mass) {
    for (int p = 0; p < kBodyPacks; ++p) {
      const Floats dx = x - own[p][0];
      const Floats dy = y - own[p][1];
      const Floats dz = z - own[p][2];
      const Floats r = rsqrt(dx * dx + dy * dy + dz * dz + kSoftening);
      const Floats w = r * r * r * mass;
      sum[p][0] += dx * w;
      sum[p][1] += dy * w;
      sum[p][2] += dz * w;
    }
  }

  void write(std::span<Data> buffers, std::uint32_t first) const {
    for (int p = 0; p < kBodyPacks; ++p) {
      for (std::size_t d = 0; d < 3; ++d) {
        store(buffers[4 + d].as<float>().data() + first + kLanes * p, sum[p][d]);
      }
    }
  }
};

}  // namespace weft::bench
