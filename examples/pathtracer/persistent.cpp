#include "examples/pathtracer/renderer.h"
#include "examples/pathtracer/shading.h"

namespace pathtracer {

using namespace weft;

namespace {

// Pixels that a block has in its queue.
constexpr uint kBlockPixels = 1024;

auto make_kernel() {
  return Kernel1D{
      "persistent", block_size(256),
      names("pass", "nodes", "triangles", "materials", "programs", "lights", "traces", "radiance"),
      [](Var<Pass> pass, BufferVar<Node> nodes, BufferVar<Triangle> triangles, BufferVar<Material> materials,
         BufferVar<uint> programs, BufferVar<Light> lights, BufferVar<TraceRecord> traces, BufferVar<float3> radiance) {
        Shared<uint, 2> queue;  // paths taken, paths under way
        UInt lane = thread_id().x;
        UInt first = block_id().x * kBlockPixels;
        UInt last = min(first + kBlockPixels, cast<uint>(radiance.size()));
        Var<PathState> path;
        Var<Hit> hit;
        Var<VmStack> stack;
        $if(lane == 0u) { queue[0u] = 0u; };
        $loop {
          $if(lane == 0u) { queue[1u] = 0u; };
          sync_block();
          $if(path.alive == 0u) {
            UInt pixel = first + queue.atomic(0u).fetch_add(1u);
            $if(pixel < last) { path = start_path(pass, pixel); };
          };
          $if(path.alive != 0u) {
            queue.atomic(1u).fetch_add(1u);
            hit = intersect(nodes, triangles, path.origin, path.direction, kFar);
            $if(hit.triangle != kMiss) {
              UInt material = triangles.read(hit.triangle).material;
              Float3 position = path.origin + path.direction * hit.distance;
              run_program(programs, materials.read(material).program, position, stack);
            };
          };
          sync_block();
          UInt under_way = queue[1u];
          sync_block();
          $if(under_way == 0u) { $break; };
          $if(path.alive != 0u) {
            Float3 color;
            $if(hit.triangle != kMiss) { color = make_float3(stack[0u], stack[1u], stack[2u]); };
            shade(pass, nodes, triangles, materials, lights, traces, hit, color, path);
            $if(path.alive == 0u) { radiance.write(path.pixel, radiance.read(path.pixel) + path.radiance); };
          };
        };
      }};
}

class Persistent final : public PassRunner {
 public:
  Persistent(const Device& device, DeviceScene& scene) : scene_(scene), shader_(device.compile(make_kernel())) {}

  void run(Stream& stream, const Pass& pass) override {
    stream << shader_(pass, scene_.nodes, scene_.triangles, scene_.materials, scene_.programs, scene_.lights,
                      scene_.traces, scene_.radiance)
                  .dispatch_blocks((scene_.radiance.size() + kBlockPixels - 1) / kBlockPixels);
  }

 private:
  DeviceScene& scene_;
  decltype(std::declval<Device>().compile(make_kernel())) shader_;
};

}  // namespace

std::unique_ptr<PassRunner> make_persistent(const Device& device, DeviceScene& scene) {
  return std::make_unique<Persistent>(device, scene);
}

}  // namespace pathtracer
