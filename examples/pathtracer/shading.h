// What happens where a path hits: light from the scene's emitters, the next direction, the end of the path.
#pragma once

#include "examples/pathtracer/kernels.h"

namespace pathtracer {

// Radiance from one emitter, chosen and sampled at random, as a white surface at `position` reflects it. `visible`
// tells whether anything was in between.
inline const weft::Callable sample_light{
    "sample_light", [](weft::Var<Pass> pass, weft::BufferVar<Node> nodes, weft::BufferVar<Triangle> triangles,
                       weft::BufferVar<Light> lights, weft::Float3 position, weft::Float3 normal,
                       weft::Var<PathState>& path, weft::Float& visible) {
      weft::Float3 result;
      weft::Float count = weft::cast<float>(pass.light_count);
      weft::UInt chosen = weft::min(weft::cast<uint>(next_random(path) * count), pass.light_count - 1u);
      weft::Float root = weft::sqrt(next_random(path));
      weft::Float across = next_random(path) * root;
      weft::Var<Light> light = lights.read(chosen);
      weft::Var<Triangle> t = triangles.read(light.triangle);
      weft::Float3 point = t.corner + t.edge1 * (1.0F - root) + t.edge2 * across;
      weft::Float3 start = position + normal * pass.epsilon;
      weft::Float3 offset = point - start;
      weft::Float distance = weft::length(offset);
      weft::Float3 direction = offset / distance;
      weft::Float cosine = weft::dot(normal, direction);
      $if(cosine > 0.0F && distance > pass.epsilon) {
        weft::Var<Hit> between = intersect(nodes, triangles, start, direction, distance * 0.999F);
        $if(between.triangle == kMiss) {
          visible = 1.0F;
          weft::Float light_cosine = weft::abs(weft::dot(t.normal, direction));
          weft::Float weight = cosine * light_cosine * light.area * count / (distance * distance * 3.14159265359F);
          result = light.emission * weight;
        };
      };
      return result;
    }};

// Glass: reflects or refracts at random, by Fresnel's equations for unpolarised light. Gives the new direction.
inline const weft::Callable scatter_glass{
    "scatter_glass", [](weft::Float3 direction, weft::Float3 facing, weft::Float ratio, weft::Float choice) {
      weft::Float cosine = -weft::dot(direction, facing);
      weft::Float3 reflected = weft::reflect(direction, facing);
      weft::Float sine2 = ratio * ratio * (1.0F - cosine * cosine);
      weft::Float3 result = reflected;
      $if(sine2 < 1.0F) {
        weft::Float inner = weft::sqrt(1.0F - sine2);
        weft::Float parallel = (cosine - ratio * inner) / (cosine + ratio * inner);
        weft::Float perpendicular = (ratio * cosine - inner) / (ratio * cosine + inner);
        weft::Float reflectance = 0.5F * (parallel * parallel + perpendicular * perpendicular);
        $if(choice >= reflectance) { result = direction * ratio + facing * (ratio * cosine - inner); };
      };
      return weft::normalize(result);
    }};

// Ends a path at random, the darker the likelier, without changing what it gathers on average.
inline const weft::Callable roulette{"roulette", [](weft::Var<PathState>& path, weft::UInt max_depth) {
                                       $if(path.depth >= max_depth) { path.alive = 0u; };
                                       $if(path.alive != 0u && path.depth >= kRouletteDepth) {
                                         weft::Float goes_on =
                                             weft::clamp(weft::reduce_max(path.throughput), 0.05F, 0.95F);
                                         $if(next_random(path) < goes_on) {
                                           path.throughput = path.throughput / goes_on;
                                         }
                                         $else { path.alive = 0u; };
                                       };
                                     }};

// One bounce: what the path gathers at a hit, and where it goes from there.
inline const weft::Callable shade{
    "shade", [](weft::Var<Pass> pass, weft::BufferVar<Node> nodes, weft::BufferVar<Triangle> triangles,
                weft::BufferVar<Material> materials, weft::BufferVar<Light> lights, weft::BufferVar<TraceRecord> traces,
                weft::Var<Hit> hit, weft::Float3 color, weft::Var<PathState>& path) {
      weft::UInt record_at = path.pixel * pass.max_depth + path.depth;
      weft::Var<TraceRecord> record;
      record.triangle = hit.triangle;
      record.distance = hit.distance;
      $if(hit.triangle == kMiss) {
        // Brighter above than below, so that shapes show.
        path.radiance += path.throughput * pass.sky * (0.55F + 0.45F * path.direction.y);
        path.alive = 0u;
      }
      $else {
        weft::Var<Triangle> surface = triangles.read(hit.triangle);
        weft::Var<Material> material = materials.read(surface.material);
        weft::Float3 position = path.origin + path.direction * hit.distance;
        weft::Bool outside = weft::dot(surface.normal, path.direction) < 0.0F;
        weft::Float3 facing = weft::select(outside, surface.normal, -surface.normal);
        record.position = position;
        record.normal = facing;
        $if(path.counts_emission != 0u) { path.radiance += path.throughput * material.emission; };
        weft::Float side = 1.0F;
        path.counts_emission = 1u;
        $if(material.kind == uint{kDiffuse}) {
          $if(pass.light_count > 0u) {
            weft::Float visible = 0.0F;
            weft::Float3 gathered = sample_light(pass, nodes, triangles, lights, position, facing, path, visible);
            path.radiance += path.throughput * color * gathered;
            record.light_sample = gathered;
            record.light_visible = visible;
          };
          weft::Float r1 = next_random(path);
          weft::Float r2 = next_random(path);
          path.direction = cosine_direction(facing, r1, r2);
          path.counts_emission = 0u;
        }
        $elif(material.kind == uint{kMirror}) { path.direction = weft::reflect(path.direction, facing); }
        $else {
          weft::Float index = material.index_of_refraction;
          weft::Float ratio = weft::select(outside, 1.0F / index, index);
          path.direction = scatter_glass(path.direction, facing, ratio, next_random(path));
          side = weft::select(weft::dot(path.direction, facing) < 0.0F, -1.0F, 1.0F);
        };
        path.throughput = path.throughput * color;
        path.origin = position + facing * (side * pass.epsilon);
        path.depth += 1u;
        roulette(path, pass.max_depth);
      };
      record.throughput = path.throughput;
      record.random_count = path.random_count;
      $if(pass.traces != 0u) { traces.write(record_at, record); };
    }};

}  // namespace pathtracer
