#include "bench/kernels/path_by_hand.h"

#include <array>
#include <cmath>

#include "examples/pathtracer/bvh.h"
#include "examples/pathtracer/shader_vm.h"

namespace weft::bench {
namespace {

using namespace pathtracer;

constexpr float kFar = 1e30F;
constexpr uint kRouletteDepth = 3;
constexpr float kPi = 3.14159265359F;

float3 scaled(float3 v, float s) { return {v.x * s, v.y * s, v.z * s}; }
float3 normalized(float3 v) { return scaled(v, 1 / std::sqrt(dot(v, v))); }
float3 reflected(float3 d, float3 n) { return d - scaled(n, 2 * dot(d, n)); }
float largest(float3 v) { return std::max({v.x, v.y, v.z}); }
float smallest(float3 v) { return std::min({v.x, v.y, v.z}); }

uint hash(uint x) {
  x ^= x >> 16;
  x *= 0x21F0AAADU;
  x ^= x >> 15;
  x *= 0x735A2D97U;
  return x ^ x >> 15;
}

float next_random(PathState& path) {
  const uint bits = hash(path.random_key + path.random_count * 0x9E3779B9U);
  ++path.random_count;
  return static_cast<float>(bits >> 8) * 0x1p-24F;
}

// One path.
class Tracer {
 public:
  explicit Tracer(const LoadedScene& loaded)
      : pass_(loaded.pass), scene_(loaded.scene), nodes_(loaded.hierarchy.data()) {}

  float3 trace(uint pixel) {
    PathState path = start(pixel);
    while (path.alive != 0) {
      const Hit hit = intersect(path.origin, path.direction, kFar);
      if (hit.triangle == kMiss) {
        path.radiance += scaled(path.throughput * pass_.sky, 0.55F + 0.45F * path.direction.y);
        path.alive = 0;
      } else {
        bounce(path, hit);
      }
    }
    return path.radiance;
  }

 private:
  PathState start(uint pixel) const {
    const Camera& camera = pass_.camera;
    PathState path;
    path.random_key = hash(pixel ^ hash(pass_.sample + hash(pass_.seed)));
    const uint row = pixel / camera.width;
    const float x = static_cast<float>(pixel % camera.width) + next_random(path);
    const float y = static_cast<float>(row) + next_random(path);
    const float u = 2 * x / static_cast<float>(camera.width) - 1;
    const float v = 1 - 2 * y / static_cast<float>(camera.height);
    path.origin = camera.origin;
    path.direction = normalized(camera.forward + scaled(camera.right, u) + scaled(camera.up, v));
    path.throughput = float3(1.0F);
    path.radiance = float3(0.0F);
    path.counts_emission = 1;
    path.alive = 1;
    return path;
  }

  void intersect_triangle(uint index, float3 origin, float3 direction, Hit& hit) const {
    const Triangle& t = scene_.triangles[index];
    const float3 p = cross(direction, t.edge2);
    const float inverse = 1 / dot(t.edge1, p);
    const float3 to_corner = origin - t.corner;
    const float u = dot(to_corner, p) * inverse;
    const float3 q = cross(to_corner, t.edge1);
    const float v = dot(direction, q) * inverse;
    const float distance = dot(t.edge2, q) * inverse;
    if (u >= 0 && v >= 0 && u + v <= 1 && distance > 0 && distance < hit.distance) {
      hit = {distance, index};
    }
  }

  [[nodiscard]] Hit intersect(float3 origin, float3 direction, float limit) const {
    Hit hit{limit, kMiss};
    const float3 inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
    std::array<uint, kMaxBvhDepth> stack;
    uint top = 0;
    uint current = 0;
    while (true) {
      const Node& node = nodes_[current];
      const float3 a = (node.low - origin) * inverse;
      const float3 b = (node.high - origin) * inverse;
      const float enter = largest({std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)});
      const float leave = smallest({std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)});
      if (std::max(enter, 0.0F) <= std::min(leave, hit.distance)) {
        if (node.count == 0) {
          stack[top++] = node.first + 1;
          current = node.first;
          continue;
        }
        for (uint i = 0; i < node.count; ++i) {
          intersect_triangle(node.first + i, origin, direction, hit);
        }
      }
      if (top == 0) {
        return hit;
      }
      current = stack[--top];
    }
  }

  float3 color(uint pc, float3 position) {
    const std::vector<uint>& words = scene_.programs;
    float* top = stack_.data();
    while (words[pc] != kVmEnd) {
      switch (words[pc++]) {
        case kVmPush: *top++ = std::bit_cast<float>(words[pc++]); break;
        case kVmPosition: *top++ = position[words[pc++]]; break;
        case kVmMultiply: --top, top[-1] *= top[0]; break;
        case kVmAdd: --top, top[-1] += top[0]; break;
        case kVmFloor: top[-1] = std::floor(top[-1]); break;
        case kVmParity: top[-1] -= 2 * std::floor(top[-1] * 0.5F); break;
        case kVmMix: top -= 2, top[-1] += top[1] * (top[0] - top[-1]); break;
        default: *top = top[-1 - static_cast<int>(words[pc++])], ++top;
      }
    }
    return {top[-3], top[-2], top[-1]};
  }

  float3 sample_light(float3 position, float3 normal, PathState& path) const {
    const auto count = static_cast<float>(pass_.light_count);
    const uint chosen = std::min(static_cast<uint>(next_random(path) * count), pass_.light_count - 1);
    const float root = std::sqrt(next_random(path));
    const float across = next_random(path) * root;
    const Light& light = scene_.lights[chosen];
    const Triangle& t = scene_.triangles[light.triangle];
    const float3 start = position + scaled(normal, pass_.epsilon);
    const float3 offset = t.corner + scaled(t.edge1, 1 - root) + scaled(t.edge2, across) - start;
    const float distance = std::sqrt(dot(offset, offset));
    const float3 direction = scaled(offset, 1 / distance);
    const float cosine = dot(normal, direction);
    if (cosine <= 0 || distance <= pass_.epsilon || intersect(start, direction, distance * 0.999F).triangle != kMiss) {
      return float3(0.0F);
    }
    const float light_cosine = std::abs(dot(t.normal, direction));
    return scaled(light.emission, cosine * light_cosine * light.area * count / (distance * distance * kPi));
  }

  static float3 scatter_glass(float3 direction, float3 facing, float ratio, float choice) {
    const float cosine = -dot(direction, facing);
    const float sine2 = ratio * ratio * (1 - cosine * cosine);
    if (sine2 < 1) {
      const float inner = std::sqrt(1 - sine2);
      const float parallel = (cosine - ratio * inner) / (cosine + ratio * inner);
      const float perpendicular = (ratio * cosine - inner) / (ratio * cosine + inner);
      if (choice >= 0.5F * (parallel * parallel + perpendicular * perpendicular)) {
        return normalized(scaled(direction, ratio) + scaled(facing, ratio * cosine - inner));
      }
    }
    return normalized(reflected(direction, facing));
  }

  static float3 cosine_direction(float3 n, float r1, float r2) {
    const float s = std::copysign(1.0F, n.z);
    const float a = -1 / (s + n.z);
    const float b = n.x * n.y * a;
    const float3 tangent{1 + s * n.x * n.x * a, s * b, -s * n.x};
    const float3 bitangent{b, s + n.y * n.y * a, -n.y};
    const float angle = 2 * kPi * r1;
    const float radius = std::sqrt(r2);
    return normalized(scaled(tangent, radius * std::cos(angle)) + scaled(bitangent, radius * std::sin(angle)) +
                      scaled(n, std::sqrt(1 - r2)));
  }

  void bounce(PathState& path, Hit hit) {
    const Triangle& surface = scene_.triangles[hit.triangle];
    const Material& material = scene_.materials[surface.material];
    const float3 position = path.origin + scaled(path.direction, hit.distance);
    const float3 albedo = color(material.program, position);
    const bool outside = dot(surface.normal, path.direction) < 0;
    const float3 facing = outside ? surface.normal : -surface.normal;
    if (path.counts_emission != 0) {
      path.radiance += path.throughput * material.emission;
    }
    float side = 1;
    path.counts_emission = 1;
    if (material.kind == kDiffuse) {
      if (pass_.light_count > 0) {
        path.radiance += path.throughput * albedo * sample_light(position, facing, path);
      }
      const float r1 = next_random(path);
      const float r2 = next_random(path);
      path.direction = cosine_direction(facing, r1, r2);
      path.counts_emission = 0;
    } else if (material.kind == kMirror) {
      path.direction = reflected(path.direction, facing);
    } else {
      const float ratio = outside ? 1 / material.index_of_refraction : material.index_of_refraction;
      path.direction = scatter_glass(path.direction, facing, ratio, next_random(path));
      side = dot(path.direction, facing) < 0 ? -1.0F : 1.0F;
    }
    path.throughput = path.throughput * albedo;
    path.origin = position + scaled(facing, side * pass_.epsilon);
    ++path.depth;
    roulette(path);
  }

  void roulette(PathState& path) const {
    if (path.depth >= pass_.max_depth) {
      path.alive = 0;
    } else if (path.depth >= kRouletteDepth) {
      const float goes_on = std::clamp(largest(path.throughput), 0.05F, 0.95F);
      if (next_random(path) < goes_on) {
        path.throughput = scaled(path.throughput, 1 / goes_on);
      } else {
        path.alive = 0;
      }
    }
  }

  const Pass& pass_;
  const Scene& scene_;
  const Node* nodes_;
  std::array<float, kVmStack> stack_;
};

}  // namespace

void trace_paths(const LoadedScene& scene, std::span<float3> radiance, const Threads& threads) {
  const uint width = scene.pass.camera.width;
  threads.for_each(static_cast<std::uint32_t>(radiance.size()) / width, [&](std::uint32_t begin, std::uint32_t end) {
    Tracer tracer(scene);
    for (std::uint32_t pixel = begin * width; pixel < end * width; ++pixel) {
      radiance[pixel] += tracer.trace(pixel);
    }
  });
}

}  // namespace weft::bench
