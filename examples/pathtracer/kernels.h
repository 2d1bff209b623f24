// The path tracer's callables: what all three schedulers are made of. What a path finds depends on its pixel and sample
// alone, never on which lane follows it or when, so that the schedulers agree bit for bit.
#pragma once

#include "examples/pathtracer/bvh.h"
#include "examples/pathtracer/shader_vm.h"
#include "examples/pathtracer/types.h"

namespace pathtracer {

using VmStack = std::array<float, kVmStack>;
inline constexpr float kFar = 1e30F;
inline constexpr uint kRouletteDepth = 3;

// lowbias32, in the constants that its author recommends (Wellons: Prospecting for hash functions, 2018).
inline const weft::Callable hash{"hash", [](weft::UInt x) {
                                   x ^= x >> 16u;
                                   x *= 0x21F0AAADu;
                                   x ^= x >> 15u;
                                   x *= 0x735A2D97u;
                                   x ^= x >> 15u;
                                   return x;
                                 }};

// The next number of a path's own sequence, in [0, 1).
inline const weft::Callable next_random{"next_random", [](weft::Var<PathState>& path) {
                                          weft::UInt bits = hash(path.random_key + path.random_count * 0x9E3779B9u);
                                          path.random_count += 1u;
                                          return weft::cast<float>(bits >> 8u) * (1.0F / 16777216.0F);
                                        }};

// A path at the camera, jittered within its pixel.
inline const weft::Callable start_path{
    "start_path", [](weft::Var<Pass> pass, weft::UInt pixel) {
      weft::Var<PathState> path;
      path.pixel = pixel;
      path.random_key = hash(pixel ^ hash(pass.sample + hash(pass.seed)));
      weft::Float x = weft::cast<float>(pixel % pass.camera.width) + next_random(path);
      weft::Float y = weft::cast<float>(pixel / pass.camera.width) + next_random(path);
      weft::Float u = 2.0F * x / weft::cast<float>(pass.camera.width) - 1.0F;
      weft::Float v = 1.0F - 2.0F * y / weft::cast<float>(pass.camera.height);
      path.origin = pass.camera.origin;
      path.direction = weft::normalize(pass.camera.forward + pass.camera.right * u + pass.camera.up * v);
      path.throughput = weft::make_float3(1.0F);
      path.counts_emission = 1u;
      path.alive = 1u;
      return path;
    }};

// Moeller and Trumbore: Fast, minimum storage ray/triangle intersection, 1997. Shortens `hit`.
inline const weft::Callable intersect_triangle{
    "intersect_triangle", [](weft::BufferVar<Triangle> triangles, weft::UInt index, weft::Float3 origin,
                             weft::Float3 direction, weft::Var<Hit>& hit) {
      weft::Var<Triangle> t = triangles.read(index);
      weft::Float3 p = weft::cross(direction, t.edge2);
      weft::Float inverse = 1.0F / weft::dot(t.edge1, p);
      weft::Float3 to_corner = origin - t.corner;
      weft::Float u = weft::dot(to_corner, p) * inverse;
      weft::Float3 q = weft::cross(to_corner, t.edge1);
      weft::Float v = weft::dot(direction, q) * inverse;
      weft::Float distance = weft::dot(t.edge2, q) * inverse;
      $if(u >= 0.0F && v >= 0.0F && u + v <= 1.0F && distance > 0.0F && distance < hit.distance) {
        hit.distance = distance;
        hit.triangle = index;
      };
    }};

// Whether a ray enters a box before `limit`.
inline const weft::Callable enters_box{"enters_box", [](weft::Float3 low, weft::Float3 high, weft::Float3 origin,
                                                        weft::Float3 inverse, weft::Float limit) {
                                         weft::Float3 a = (low - origin) * inverse;
                                         weft::Float3 b = (high - origin) * inverse;
                                         weft::Float enter = weft::reduce_max(weft::min(a, b));
                                         weft::Float leave = weft::reduce_min(weft::max(a, b));
                                         return weft::max(enter, 0.0F) <= weft::min(leave, limit);
                                       }};

// The nearest hit of a ray before `limit`. The nodes still to be visited are on a stack of the lane's own.
inline const weft::Callable intersect{"intersect", [](weft::BufferVar<Node> nodes, weft::BufferVar<Triangle> triangles,
                                                      weft::Float3 origin, weft::Float3 direction, weft::Float limit) {
                                        weft::Var<Hit> hit;
                                        hit.distance = limit;
                                        hit.triangle = kMiss;
                                        weft::Float3 inverse = 1.0F / direction;
                                        weft::Var<std::array<uint, kMaxBvhDepth>> stack;
                                        weft::UInt top = 0u;
                                        weft::UInt current = 0u;
                                        $loop {
                                          weft::Var<Node> node = nodes.read(current);
                                          weft::Bool descends = false;
                                          $if(enters_box(node.low, node.high, origin, inverse, hit.distance)) {
                                            $for(i, node.count) {
                                              intersect_triangle(triangles, node.first + i, origin, direction, hit);
                                            };
                                            descends = node.count == 0u;
                                          };
                                          $if(descends) {
                                            stack[top] = node.first + 1u;
                                            top += 1u;
                                            current = node.first;
                                          }
                                          $else {
                                            $if(top == 0u) { $break; };
                                            top -= 1u;
                                            current = stack[top];
                                          };
                                        };
                                        return hit;
                                      }};

// Runs the program of a material; the colour is left at the bottom of the stack.
inline const weft::Callable run_program{
    "run_program", [](weft::BufferVar<uint> programs, weft::UInt at, weft::Float3 position, weft::Var<VmStack>& stack) {
      weft::UInt pc = at;
      weft::UInt top = 0u;
      $loop {
        weft::UInt op = programs.read(pc);
        weft::UInt word = programs.read(pc + 1u);
        pc += 1u;
        $if(op == uint{kVmEnd} || top >= kVmStack - 1u) { $break; };
        $switch(op) {
          $case(kVmPush) {
            stack[top] = weft::as<float>(word);
            top += 1u;
            pc += 1u;
          };
          $case(kVmPosition) {
            stack[top] = position[word];
            top += 1u;
            pc += 1u;
          };
          $case(kVmMultiply) {
            stack[top - 2u] = stack[top - 2u] * stack[top - 1u];
            top -= 1u;
          };
          $case(kVmAdd) {
            stack[top - 2u] = stack[top - 2u] + stack[top - 1u];
            top -= 1u;
          };
          $case(kVmFloor) { stack[top - 1u] = weft::floor(stack[top - 1u]); };
          $case(kVmParity) {
            weft::Float x = stack[top - 1u];
            stack[top - 1u] = x - 2.0F * weft::floor(x * 0.5F);
          };
          $case(kVmMix) {
            weft::Float a = stack[top - 3u];
            weft::Float b = stack[top - 2u];
            stack[top - 3u] = weft::lerp(a, b, stack[top - 1u]);
            top -= 2u;
          };
          $case(kVmCopy) {
            stack[top] = stack[top - 1u - word];
            top += 1u;
            pc += 1u;
          };
        };
      };
      weft::Float3 color = weft::make_float3(stack[top - 3u], stack[top - 2u], stack[top - 1u]);
      stack[0u] = color.x;
      stack[1u] = color.y;
      stack[2u] = color.z;
    }};

// A direction about a normal, with a density proportional to the cosine. The basis is Duff and others': Building an
// orthonormal basis, revisited, 2017.
inline const weft::Callable cosine_direction{
    "cosine_direction", [](weft::Float3 n, weft::Float r1, weft::Float r2) {
      weft::Float s = weft::copysign(1.0F, n.z);
      weft::Float a = -1.0F / (s + n.z);
      weft::Float b = n.x * n.y * a;
      weft::Float3 tangent = weft::make_float3(1.0F + s * n.x * n.x * a, s * b, -s * n.x);
      weft::Float3 bitangent = weft::make_float3(b, s + n.y * n.y * a, -n.y);
      weft::Float angle = 6.28318530718F * r1;
      weft::Float radius = weft::sqrt(r2);
      weft::Float height = weft::sqrt(1.0F - r2);
      return weft::normalize(tangent * (radius * weft::cos(angle)) + bitangent * (radius * weft::sin(angle)) +
                             n * height);
    }};

}  // namespace pathtracer
