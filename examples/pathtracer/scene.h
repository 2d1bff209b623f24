// A scene on the host, and how it is read from a Wavefront OBJ file.
#pragma once

#include <string>
#include <vector>

#include "examples/pathtracer/types.h"

namespace pathtracer {

struct Scene {
  std::vector<Triangle> triangles;
  std::vector<Material> materials;
  std::vector<uint> programs;  // of the materials' colours
  std::vector<Light> lights;
  float3 low, high;  // bounds
  float3 sky;
  std::size_t dropped = 0;  // triangles without area
  std::vector<std::string> notes;
};

// Reads an OBJ file with its materials: Kd, Ke, illum 3 and 5 (mirror), 4, 6 and 7 (glass, with Ni). Polygons become
// triangles. A scene that emits nothing gets a white sky. Throws std::runtime_error that names the file.
Scene read_obj(const std::string& file);

// Looks at the whole scene from its front; a box with an open front is looked into.
Camera frame_camera(const Scene& scene, uint width, uint height);

}  // namespace pathtracer
