// Renders a scene on a device, a sample of every pixel at a time, by one of three schedulers that give the same image:
//   megakernel   a lane follows a path from the camera to its end
//   wavefront    kernels for one step each, and queues of the paths that go on, compacted by atomics
//   persistent   a block keeps its lanes busy: a lane whose path has ended takes the next from the block's queue, and
//   the
//                steps are parted by barriers, across which paths and shader stacks live
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "examples/pathtracer/scene.h"

namespace pathtracer {

enum class Scheduler { megakernel, wavefront, persistent };

struct RenderOptions {
  Scheduler scheduler = Scheduler::megakernel;
  uint samples = 64;
  uint max_depth = 8;
  uint seed = 0;
  bool traces = false;
  std::function<void(uint done, uint of)> progress;  // after each sample
};

struct Rendering {
  std::vector<float3> pixels;        // mean radiance, rows from the top
  std::vector<TraceRecord> records;  // by sample, pixel, bounce
};

// What a scheduler does for one pass: every pixel's radiance is added to by one path's.
class PassRunner {
 public:
  virtual ~PassRunner() = default;
  virtual void run(weft::Stream& stream, const Pass& pass) = 0;
};

// The scene and the results on a device.
struct DeviceScene {
  DeviceScene(const weft::Device& device, weft::Stream& stream, const Scene& scene, const std::vector<Node>& hierarchy,
              std::size_t pixels, std::size_t records);

  weft::Buffer<Node> nodes;
  weft::Buffer<Triangle> triangles;
  weft::Buffer<Material> materials;
  weft::Buffer<uint> programs;
  weft::Buffer<Light> lights;
  weft::Buffer<float3> radiance;  // summed over samples, by pixel
  weft::Buffer<TraceRecord> traces;
};

Pass make_pass(const Scene& scene, const Camera& camera, const RenderOptions& options);

std::unique_ptr<PassRunner> make_runner(Scheduler scheduler, const weft::Device& device, DeviceScene& scene);
std::unique_ptr<PassRunner> make_megakernel(const weft::Device& device, DeviceScene& scene);
std::unique_ptr<PassRunner> make_wavefront(const weft::Device& device, DeviceScene& scene);
std::unique_ptr<PassRunner> make_persistent(const weft::Device& device, DeviceScene& scene);

Rendering render(const weft::Device& device, const Scene& scene, const std::vector<Node>& hierarchy,
                 const Camera& camera, const RenderOptions& options);

}  // namespace pathtracer
