#include "examples/pathtracer/renderer.h"

#include <algorithm>

namespace pathtracer {

using namespace weft;

namespace {

// A buffer with a copy of the host's elements; never empty, as kernels may look at element 0 of what they do not use.
template <class T>
Buffer<T> uploaded(const Device& device, Stream& stream, std::vector<T> data) {
  data.resize(std::max<std::size_t>(data.size(), 1));
  Buffer<T> buffer = device.create_buffer<T>(data.size());
  stream << buffer.upload(std::move(data));
  return buffer;
}

float scene_extent(const Scene& scene) {
  const float3 extent = scene.high - scene.low;
  return std::max({extent.x, extent.y, extent.z});
}

}  // namespace

DeviceScene::DeviceScene(const Device& device, Stream& stream, const Scene& scene, const std::vector<Node>& hierarchy,
                         std::size_t pixels, std::size_t records)
    : nodes(uploaded(device, stream, hierarchy)),
      triangles(uploaded(device, stream, scene.triangles)),
      materials(uploaded(device, stream, scene.materials)),
      programs(uploaded(device, stream, scene.programs)),
      lights(uploaded(device, stream, scene.lights)),
      radiance(uploaded(device, stream, std::vector<float3>(pixels))),
      traces(uploaded(device, stream, std::vector<TraceRecord>(records))) {}

std::unique_ptr<PassRunner> make_runner(Scheduler scheduler, const Device& device, DeviceScene& scene) {
  switch (scheduler) {
    case Scheduler::megakernel: return make_megakernel(device, scene);
    case Scheduler::wavefront: return make_wavefront(device, scene);
    case Scheduler::persistent: return make_persistent(device, scene);
  }
  return nullptr;
}

Pass make_pass(const Scene& scene, const Camera& camera, const RenderOptions& options) {
  return {.camera = camera,
          .sky = scene.sky,
          .light_count = static_cast<uint>(scene.lights.size()),
          .sample = 0,
          .seed = options.seed,
          .max_depth = options.max_depth,
          .epsilon = 1e-4F * scene_extent(scene),
          .traces = options.traces ? 1U : 0U};
}

Rendering render(const Device& device, const Scene& scene, const std::vector<Node>& hierarchy, const Camera& camera,
                 const RenderOptions& options) {
  const std::size_t pixels = std::size_t{camera.width} * camera.height;
  const std::size_t records = options.traces ? pixels * options.max_depth : 0;
  Stream stream = device.create_stream();
  DeviceScene on_device(device, stream, scene, hierarchy, pixels, records);
  const auto runner = make_runner(options.scheduler, device, on_device);
  Pass pass = make_pass(scene, camera, options);
  Rendering result;
  for (pass.sample = 0; pass.sample < options.samples; ++pass.sample) {
    stream << on_device.traces.fill({});
    runner->run(stream, pass);
    if (options.traces) {
      result.records.resize(result.records.size() + records);
      stream << on_device.traces.download(std::span(result.records).last(records));
    }
    stream.synchronize();
    if (options.progress) {
      options.progress(pass.sample + 1, options.samples);
    }
  }
  result.pixels.resize(pixels);
  stream << on_device.radiance.download(result.pixels) << synchronize();
  for (float3& p : result.pixels) {
    p = p / float3(static_cast<float>(options.samples));
  }
  return result;
}

}  // namespace pathtracer
