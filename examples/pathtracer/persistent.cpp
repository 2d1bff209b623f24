#include "examples/pathtracer/renderer.h"
#include "examples/pathtracer/shading.h"

namespace pathtracer {

using namespace weft;

namespace {

constexpr uint kLanes = 256;
// Pixels that a block works through.
constexpr uint kBlockPixels = 1024;

// The rays of a block that wait to be traced, compacted: whichever lanes they belong to, neighbouring lanes trace them.
struct RayQueue {
  Shared<uint> count;
  Shared<uint, kLanes> owner;                // by place in the queue
  Shared<float3, kLanes> origin, direction;  // by owner
  Shared<Hit, kLanes> hit;                   // by owner

  void push(Expr<uint> lane, Var<PathState>& path) {
    owner[atomic(count).fetch_add(1u)] = lane;
    origin[lane] = path.origin;
    direction[lane] = path.direction;
  }

  // By all lanes, between barriers.
  void trace(Expr<uint> lane, BufferVar<Node>& nodes, BufferVar<Triangle>& triangles) {
    $if(lane < count) {
      UInt mine = owner[lane];
      hit[mine] = intersect(nodes, triangles, origin[mine], direction[mine], kFar);
    };
  }
};

auto make_kernel() {
  return Kernel1D{
      "persistent", block_size(kLanes),
      names("pass", "nodes", "triangles", "materials", "programs", "lights", "traces", "radiance"),
      [](Var<Pass> pass, BufferVar<Node> nodes, BufferVar<Triangle> triangles, BufferVar<Material> materials,
         BufferVar<uint> programs, BufferVar<Light> lights, BufferVar<TraceRecord> traces, BufferVar<float3> radiance) {
        Shared<uint> taken;  // of the block's pixels
        RayQueue rays;
        UInt lane = thread_id().x;
        UInt first = block_id().x * kBlockPixels;
        UInt last = min(first + kBlockPixels, cast<uint>(radiance.size()));
        Var<PathState> path;
        Var<VmStack> stack;
        $if(lane == 0u) { taken = 0u; };
        $loop {
          $if(lane == 0u) { rays.count = 0u; };
          sync_block();
          $if(path.alive == 0u) {
            UInt pixel = first + atomic(taken).fetch_add(1u);
            $if(pixel < last) { path = start_path(pass, pixel); };
          };
          $if(path.alive != 0u) { rays.push(lane, path); };
          sync_block();
          UInt under_way = rays.count;
          $if(under_way == 0u) { $break; };
          rays.trace(lane, nodes, triangles);
          sync_block();
          Var<Hit> hit = rays.hit[lane];
          $if(path.alive != 0u && hit.triangle != kMiss) {
            UInt material = triangles.read(hit.triangle).material;
            Float3 position = path.origin + path.direction * hit.distance;
            run_program(programs, materials.read(material).program, position, stack);
          };
          sync_block();
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
