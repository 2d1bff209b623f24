#include "examples/pathtracer/renderer.h"
#include "examples/pathtracer/shading.h"

namespace pathtracer {

using namespace weft;

namespace {

auto make_kernel() {
  return Kernel1D{
      "megakernel", block_size(256),
      names("pass", "nodes", "triangles", "materials", "programs", "lights", "traces", "radiance"),
      [](Var<Pass> pass, BufferVar<Node> nodes, BufferVar<Triangle> triangles, BufferVar<Material> materials,
         BufferVar<uint> programs, BufferVar<Light> lights, BufferVar<TraceRecord> traces, BufferVar<float3> radiance) {
        UInt pixel = dispatch_id().x;
        Var<PathState> path = start_path(pass, pixel);
        Var<VmStack> stack;
        $while(path.alive != 0u) {
          Var<Hit> hit = intersect(nodes, triangles, path.origin, path.direction, kFar);
          Float3 color;
          $if(hit.triangle != kMiss) {
            UInt material = triangles.read(hit.triangle).material;
            Float3 position = path.origin + path.direction * hit.distance;
            run_program(programs, materials.read(material).program, position, stack);
            color = make_float3(stack[0u], stack[1u], stack[2u]);
          };
          shade(pass, nodes, triangles, materials, lights, traces, hit, color, path);
        };
        radiance.write(pixel, radiance.read(pixel) + path.radiance);
      }};
}

class Megakernel final : public PassRunner {
 public:
  Megakernel(const Device& device, DeviceScene& scene) : scene_(scene), shader_(device.compile(make_kernel())) {}

  void run(Stream& stream, const Pass& pass) override {
    stream << shader_(pass, scene_.nodes, scene_.triangles, scene_.materials, scene_.programs, scene_.lights,
                      scene_.traces, scene_.radiance)
                  .dispatch(scene_.radiance.size());
  }

 private:
  DeviceScene& scene_;
  decltype(std::declval<Device>().compile(make_kernel())) shader_;
};

}  // namespace

std::unique_ptr<PassRunner> make_megakernel(const Device& device, DeviceScene& scene) {
  return std::make_unique<Megakernel>(device, scene);
}

}  // namespace pathtracer
