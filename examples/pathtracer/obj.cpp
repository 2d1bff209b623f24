#define TINYOBJLOADER_IMPLEMENTATION
#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "examples/pathtracer/scene.h"
#include "examples/pathtracer/shader_vm.h"

namespace pathtracer {

namespace {

float3 cross_product(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
float length_of(float3 v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

Material make_material(Scene& scene, const tinyobj::material_t* source, float extent) {
  Material material;
  material.program = static_cast<uint>(scene.programs.size());
  if (source == nullptr) {
    append_checker(scene.programs, float3(0.72F, 0.66F, 0.56F), float3(0.42F, 0.50F, 0.62F), 7 / extent);
    return material;
  }
  const bool mirror = source->illum == 3 || source->illum == 5;
  const bool glass = source->illum == 4 || source->illum == 6 || source->illum == 7;
  material.kind = mirror ? kMirror : glass ? kGlass : kDiffuse;
  const float* color = mirror || glass ? source->specular : source->diffuse;
  append_constant(scene.programs, float3(color[0], color[1], color[2]));
  material.index_of_refraction = source->ior > 1 ? source->ior : 1.5F;
  material.emission = float3(source->emission[0], source->emission[1], source->emission[2]);
  return material;
}

class ObjReader {
 public:
  explicit ObjReader(const std::string& file) : file_(file) {}

  Scene read() {
    if (!std::filesystem::exists(file_)) {
      throw std::runtime_error(fmt::format("{}: no such file", file_));
    }
    tinyobj::ObjReaderConfig config;
    config.mtl_search_path = std::filesystem::path(file_).parent_path().string();
    if (!reader_.ParseFromFile(file_, config)) {
      throw std::runtime_error(
          fmt::format("{}: {}", file_, reader_.Error().empty() ? "cannot be read" : reader_.Error()));
    }
    const float extent = vertex_extent();
    for (const auto& material : reader_.GetMaterials()) {
      scene_.materials.push_back(make_material(scene_, &material, extent));
    }
    default_material_ = static_cast<uint>(scene_.materials.size());
    scene_.materials.push_back(make_material(scene_, nullptr, extent));
    for (const auto& shape : reader_.GetShapes()) {
      add_shape(shape);
    }
    finish();
    return std::move(scene_);
  }

 private:
  float3 corner(const tinyobj::index_t& index) const {
    const auto& positions = reader_.GetAttrib().vertices;
    const auto at = 3 * static_cast<std::size_t>(index.vertex_index);
    if (index.vertex_index < 0 || at + 2 >= positions.size()) {
      throw std::runtime_error(fmt::format("{}: a face uses vertex {}, of which there are {}", file_,
                                           index.vertex_index + 1, positions.size() / 3));
    }
    return {positions[at], positions[at + 1], positions[at + 2]};
  }

  // The largest coordinate's distance from the smallest, over all vertices; 1 if there is none.
  float vertex_extent() const {
    const auto& positions = reader_.GetAttrib().vertices;
    if (positions.empty()) {
      return 1;
    }
    const auto [low, high] = std::minmax_element(positions.begin(), positions.end());
    return *high > *low ? *high - *low : 1;
  }

  void add_shape(const tinyobj::shape_t& shape) {
    for (std::size_t face = 0; face * 3 + 2 < shape.mesh.indices.size(); ++face) {
      const float3 a = corner(shape.mesh.indices[3 * face]);
      const float3 b = corner(shape.mesh.indices[3 * face + 1]);
      const float3 c = corner(shape.mesh.indices[3 * face + 2]);
      const float3 normal = cross_product(b - a, c - a);
      const float twice_area = length_of(normal);
      if (!(twice_area > 0) || !std::isfinite(twice_area)) {
        ++scene_.dropped;
        continue;
      }
      const int id = face < shape.mesh.material_ids.size() ? shape.mesh.material_ids[face] : -1;
      const bool known = id >= 0 && static_cast<uint>(id) < default_material_;
      const uint material = known ? static_cast<uint>(id) : default_material_;
      scene_.triangles.push_back({a, b - a, c - a, normal / float3(twice_area), material});
    }
  }

  void finish() {
    if (scene_.triangles.empty()) {
      throw std::runtime_error(fmt::format("{}: no faces", file_));
    }
    constexpr float kFar = std::numeric_limits<float>::max();
    scene_.low = float3(kFar);
    scene_.high = float3(-kFar);
    bool emits = false;
    for (const Triangle& t : scene_.triangles) {
      for (const float3 p : {t.corner, t.corner + t.edge1, t.corner + t.edge2}) {
        for (std::size_t d = 0; d < 3; ++d) {
          scene_.low[d] = std::min(scene_.low[d], p[d]);
          scene_.high[d] = std::max(scene_.high[d], p[d]);
        }
      }
      const float3 e = scene_.materials[t.material].emission;
      emits |= e.x > 0 || e.y > 0 || e.z > 0;
    }
    if (!emits) {
      scene_.sky = float3(1.0F);
      scene_.notes.emplace_back("nothing in the scene emits light: it is lit by a white sky");
    }
    if (scene_.dropped > 0) {
      scene_.notes.push_back(fmt::format("{} triangles without area are left out", scene_.dropped));
    }
  }

  std::string file_;
  tinyobj::ObjReader reader_;
  Scene scene_;
  uint default_material_ = 0;
};

}  // namespace

Scene read_obj(const std::string& file) { return ObjReader(file).read(); }

Camera frame_camera(const Scene& scene, uint width, uint height) {
  const float3 center = (scene.low + scene.high) * float3(0.5F);
  const float3 extent = scene.high - scene.low;
  // A scene with light of its own is a room, looked into straight; a mesh is looked at from the side, a little from
  // above.
  const bool room = scene.sky.x == 0;
  const float3 toward = room ? float3(0, 0, -1) : float3(-0.45F, -0.35F, -0.82F);
  const float3 forward = toward / float3(length_of(toward));
  const float3 right_axis = cross_product(forward, float3(0, 1, 0));
  const float3 right = right_axis / float3(length_of(right_axis));
  const float3 up = cross_product(right, forward);
  const float half_angle = 0.36F;  // tangent of half the field of view, of the shorter side
  const float radius = room ? 0.5F * std::max(extent.x, extent.y) * 1.03F : 0.5F * length_of(extent);
  const float distance = radius / half_angle + (room ? 0.5F * extent.z : 0);
  const float shorter = static_cast<float>(std::min(width, height));
  const float3 origin = center - forward * float3(distance);
  return {origin,
          right * float3(half_angle * static_cast<float>(width) / shorter),
          up * float3(half_angle * static_cast<float>(height) / shorter),
          forward,
          width,
          height};
}

}  // namespace pathtracer
