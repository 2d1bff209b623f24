// The bounding volume hierarchy, built on the host.
#pragma once

#include <vector>

#include "examples/pathtracer/scene.h"

namespace pathtracer {

// Nodes on the way down never exceed this, so that a kernel's stack of as many entries is enough.
inline constexpr uint kMaxBvhDepth = 48;

// Binned surface area heuristic (Wald: On fast construction of SAH-based bounding volume hierarchies, 2007). Reorders
// the scene's triangles; to be called before lights are collected.
std::vector<Node> build_bvh(Scene& scene);

// The triangles that emit, by the order that the hierarchy left them in.
void collect_lights(Scene& scene);

}  // namespace pathtracer
