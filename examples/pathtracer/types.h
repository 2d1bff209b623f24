// What host and kernels share: the scene's data and the state of a path.
#pragma once

#include <weft/dsl.h>
#include <weft/weft.h>

#include <array>
#include <cstdint>

namespace pathtracer {

using weft::float3;
using weft::uint;

// A node of the bounding volume hierarchy: an inner node's children are `first` and `first` + 1, a leaf holds `count`
// triangles from `first` on.
struct Node {
  float3 low;
  uint first = 0;
  float3 high;
  uint count = 0;  // 0 for an inner node
};

struct Triangle {
  float3 corner;
  float3 edge1, edge2;  // to the other corners
  float3 normal;        // unit length
  uint material = 0;
};

enum MaterialKind : uint { kDiffuse = 0, kMirror = 1, kGlass = 2 };

struct Material {
  uint kind = kDiffuse;
  uint program = 0;  // where its colour's program begins (see shader_vm.h)
  float index_of_refraction = 1.5F;
  float3 emission;
};

// A triangle that emits, with what sampling it needs.
struct Light {
  uint triangle = 0;
  float area = 0;
  float3 emission;
};

struct Camera {
  float3 origin;
  float3 right, up, forward;  // right and up are scaled to half the image's extent at distance 1
  uint width = 0, height = 0;
};

// What the kernels need to know of a pass: one sample of every pixel.
struct Pass {
  Camera camera;
  float3 sky;  // radiance that rays find which leave the scene
  uint light_count = 0;
  uint sample = 0;
  uint seed = 0;
  uint max_depth = 0;
  float epsilon = 0;  // how far a ray starts off a surface
  uint traces = 0;    // 1 where records are kept
};

// A path, between two of its bounces.
struct PathState {
  float3 origin, direction;
  float3 throughput, radiance;
  uint pixel = 0;
  uint depth = 0;
  uint random_key = 0, random_count = 0;  // a counter-based generator
  uint counts_emission = 0;  // whether what the next hit emits is seen: after mirrors, glass and the camera
  uint alive = 0;
};

struct Hit {
  float distance = 0;
  uint triangle = 0;  // kMiss for none
};
inline constexpr uint kMiss = 0xFFFFFFFFU;

// One bounce of one path, for --trace.
struct TraceRecord {
  float3 position;
  uint triangle = kMiss;
  float3 normal;
  float distance = 0;
  float3 light_sample;  // radiance gathered from the sampled light
  float light_visible = 0;
  float3 throughput;
  uint random_count = 0;
};

}  // namespace pathtracer

WEFT_STRUCT(pathtracer::Node, low, first, high, count)
WEFT_STRUCT(pathtracer::Triangle, corner, edge1, edge2, normal, material)
WEFT_STRUCT(pathtracer::Material, kind, program, index_of_refraction, emission)
WEFT_STRUCT(pathtracer::Light, triangle, area, emission)
WEFT_STRUCT(pathtracer::Camera, origin, right, up, forward, width, height)
WEFT_STRUCT(pathtracer::Pass, camera, sky, light_count, sample, seed, max_depth, epsilon, traces)
WEFT_STRUCT(pathtracer::PathState, origin, direction, throughput, radiance, pixel, depth, random_key, random_count,
            counts_emission, alive)
WEFT_STRUCT(pathtracer::Hit, distance, triangle)
WEFT_STRUCT(pathtracer::TraceRecord, position, triangle, normal, distance, light_sample, light_visible, throughput,
            random_count)
