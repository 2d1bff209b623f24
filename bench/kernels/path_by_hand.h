// The megakernel of examples/pathtracer in plain C++: a path after the other, without packs.
#pragma once

#include <span>
#include <vector>

#include "bench/framework/problem.h"
#include "examples/pathtracer/renderer.h"

namespace weft::bench {

struct LoadedScene {
  pathtracer::Scene scene;
  std::vector<pathtracer::Node> hierarchy;
  pathtracer::Pass pass;

  [[nodiscard]] std::size_t pixels() const { return std::size_t{pass.camera.width} * pass.camera.height; }
};

// Adds one path's radiance to each pixel's.
void trace_paths(const LoadedScene& scene, std::span<float3> radiance, const Threads& threads);

}  // namespace weft::bench
