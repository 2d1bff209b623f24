#include "examples/pathtracer/renderer.h"
#include "examples/pathtracer/shading.h"

namespace pathtracer {

using namespace weft;

namespace {

// Starts a path for each pixel; all are in the first queue.
auto make_start() {
  return Kernel1D{"start", block_size(256), names("pass", "paths", "queue"),
                  [](Var<Pass> pass, BufferVar<PathState> paths, BufferVar<uint> queue) {
                    UInt pixel = dispatch_id().x;
                    paths.write(pixel, start_path(pass, pixel));
                    queue.write(pixel, pixel);
                  }};
}

auto make_extend() {
  return Kernel1D{"extend", block_size(256), names("nodes", "triangles", "paths", "hits", "queue"),
                  [](BufferVar<Node> nodes, BufferVar<Triangle> triangles, BufferVar<PathState> paths,
                     BufferVar<Hit> hits, BufferVar<uint> queue) {
                    UInt path_id = queue.read(dispatch_id().x);
                    Var<PathState> path = paths.read(path_id);
                    hits.write(path_id, intersect(nodes, triangles, path.origin, path.direction, kFar));
                  }};
}

auto make_color() {
  return Kernel1D{"color", block_size(256),
                  names("triangles", "materials", "programs", "paths", "hits", "colors", "queue"),
                  [](BufferVar<Triangle> triangles, BufferVar<Material> materials, BufferVar<uint> programs,
                     BufferVar<PathState> paths, BufferVar<Hit> hits, BufferVar<float3> colors, BufferVar<uint> queue) {
                    UInt path_id = queue.read(dispatch_id().x);
                    Var<Hit> hit = hits.read(path_id);
                    Float3 color;
                    $if(hit.triangle != kMiss) {
                      Var<PathState> path = paths.read(path_id);
                      Var<VmStack> stack;
                      UInt material = triangles.read(hit.triangle).material;
                      Float3 position = path.origin + path.direction * hit.distance;
                      run_program(programs, materials.read(material).program, position, stack);
                      color = make_float3(stack[0u], stack[1u], stack[2u]);
                    };
                    colors.write(path_id, color);
                  }};
}

// Paths that go on are appended to the next queue, in whatever order.
auto make_shade() {
  return Kernel1D{"shade_queue", block_size(256),
                  names("pass", "nodes", "triangles", "materials", "lights", "traces", "radiance", "paths", "hits",
                        "colors", "queue", "next", "count"),
                  [](Var<Pass> pass, BufferVar<Node> nodes, BufferVar<Triangle> triangles,
                     BufferVar<Material> materials, BufferVar<Light> lights, BufferVar<TraceRecord> traces,
                     BufferVar<float3> radiance, BufferVar<PathState> paths, BufferVar<Hit> hits,
                     BufferVar<float3> colors, BufferVar<uint> queue, BufferVar<uint> next, BufferVar<uint> count) {
                    UInt path_id = queue.read(dispatch_id().x);
                    Var<PathState> path = paths.read(path_id);
                    Var<Hit> hit = hits.read(path_id);
                    shade(pass, nodes, triangles, materials, lights, traces, hit, colors.read(path_id), path);
                    paths.write(path_id, path);
                    $if(path.alive != 0u) { next.write(count.atomic(0u).fetch_add(1u), path_id); }
                    $else { radiance.write(path.pixel, radiance.read(path.pixel) + path.radiance); };
                  }};
}

class Wavefront final : public PassRunner {
 public:
  Wavefront(const Device& device, DeviceScene& scene)
      : scene_(scene),
        start_(device.compile(make_start())),
        extend_(device.compile(make_extend())),
        color_(device.compile(make_color())),
        shade_(device.compile(make_shade())),
        paths_(device.create_buffer<PathState>(scene.radiance.size())),
        hits_(device.create_buffer<Hit>(scene.radiance.size())),
        colors_(device.create_buffer<float3>(scene.radiance.size())),
        queue_(device.create_buffer<uint>(scene.radiance.size())),
        next_(device.create_buffer<uint>(scene.radiance.size())),
        count_(device.create_buffer<uint>(1)) {}

  void run(Stream& stream, const Pass& pass) override {
    uint active = static_cast<uint>(scene_.radiance.size());
    stream << start_(pass, paths_, queue_).dispatch(active);
    while (active > 0) {
      stream << count_.fill(0) << extend_(scene_.nodes, scene_.triangles, paths_, hits_, queue_).dispatch(active)
             << color_(scene_.triangles, scene_.materials, scene_.programs, paths_, hits_, colors_, queue_)
                    .dispatch(active)
             << shade_(pass, scene_.nodes, scene_.triangles, scene_.materials, scene_.lights, scene_.traces,
                       scene_.radiance, paths_, hits_, colors_, queue_, next_, count_)
                    .dispatch(active)
             << count_.download(std::span(&active, 1)) << synchronize();
      std::swap(queue_, next_);
    }
  }

 private:
  DeviceScene& scene_;
  decltype(std::declval<Device>().compile(make_start())) start_;
  decltype(std::declval<Device>().compile(make_extend())) extend_;
  decltype(std::declval<Device>().compile(make_color())) color_;
  decltype(std::declval<Device>().compile(make_shade())) shade_;
  Buffer<PathState> paths_;
  Buffer<Hit> hits_;
  Buffer<float3> colors_;
  Buffer<uint> queue_, next_, count_;
};

}  // namespace

std::unique_ptr<PassRunner> make_wavefront(const Device& device, DeviceScene& scene) {
  return std::make_unique<Wavefront>(device, scene);
}

}  // namespace pathtracer
