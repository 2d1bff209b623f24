// The path tracer of examples/pathtracer, one sample for each pixel, by each of its schedulers: the Cornell box, and a
// ball of 64,000 triangles under a white sky. Beside it a megakernel by hand, one path after the other.
#include <cmath>

#include "bench/framework/engine.h"
#include "bench/framework/registry.h"
#include "bench/kernels/path_by_hand.h"
#include "examples/pathtracer/bvh.h"
#include "examples/pathtracer/shader_vm.h"

namespace weft::bench {
namespace {

using namespace pathtracer;

class PathTracing final : public Run {
 public:
  PathTracing(const Device& device, Scheduler scheduler, std::shared_ptr<const LoadedScene> loaded)
      : loaded_(std::move(loaded)),
        stream_(device.create_stream()),
        on_device_(device, stream_, loaded_->scene, loaded_->hierarchy, loaded_->pixels(), 0),
        runner_(make_runner(scheduler, device, on_device_)) {
    stream_.synchronize();
  }

  void restore() override { stream_ << on_device_.radiance.fill(float3(0.0F)) << synchronize(); }
  void run() override {
    runner_->run(stream_, loaded_->pass);
    stream_.synchronize();
  }
  void download(std::size_t, Data& to) override {
    stream_ << on_device_.radiance.download(to.as<float3>()) << synchronize();
  }

 private:
  std::shared_ptr<const LoadedScene> loaded_;
  Stream stream_;
  DeviceScene on_device_;
  std::unique_ptr<PassRunner> runner_;
};

std::shared_ptr<const LoadedScene> load_scene(Scene scene, std::uint32_t side) {
  auto loaded = std::make_shared<LoadedScene>();
  loaded->scene = std::move(scene);
  loaded->hierarchy = build_bvh(loaded->scene);
  collect_lights(loaded->scene);
  loaded->pass = make_pass(loaded->scene, frame_camera(loaded->scene, side, side), {});
  return loaded;
}

// A ball with bumps, of 2 * rows * rows * 2 triangles.
Scene ball(std::uint32_t rows) {
  const auto point = [=](std::uint32_t row, std::uint32_t column) {
    const float polar = 3.14159265F * static_cast<float>(row) / static_cast<float>(rows);
    const float around = 3.14159265F * static_cast<float>(column) / static_cast<float>(rows);
    const float radius = 1 + 0.1F * std::sin(9 * polar) * std::sin(8 * around);
    return float3(radius * std::sin(polar) * std::cos(around), radius * std::cos(polar),
                  radius * std::sin(polar) * std::sin(around));
  };
  Scene scene;
  const auto add = [&](float3 a, float3 b, float3 c) {
    const float3 normal = cross(b - a, c - a);
    const float twice_area = length(normal);
    if (twice_area > 1e-9F) {
      scene.triangles.push_back({a, b - a, c - a, normal / float3(twice_area), 0});
    }
  };
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < 2 * rows; ++column) {
      add(point(row, column), point(row, column + 1), point(row + 1, column));
      add(point(row + 1, column), point(row, column + 1), point(row + 1, column + 1));
    }
  }
  scene.materials.push_back({.kind = kDiffuse, .emission = float3(0.0F)});
  append_constant(scene.programs, float3(0.7F, 0.6F, 0.5F));
  scene.programs.push_back(0);
  scene.low = float3(-1.1F);
  scene.high = float3(1.1F);
  scene.sky = float3(1.0F);
  return scene;
}

Problem make(std::shared_ptr<const LoadedScene> loaded, Scheduler scheduler) {
  Problem p;
  p.buffers = {Data::zeros<float3>(loaded->pixels())};
  // A path that goes another way, after a rounding, ends elsewhere.
  p.results = {{.buffer = 0, .tolerance = 1e-2, .may_differ = 0.05}};
  p.application = [=](const Device& device) { return std::make_unique<PathTracing>(device, scheduler, loaded); };
  p.hand = [=](std::span<Data> buffers, const Threads& threads) {
    trace_paths(*loaded, buffers[0].as<float3>(), threads);
  };
  p.restores = true;
  return p;
}

template <Scheduler kScheduler>
Problem make_cornell_box(Scale scale) {
  return make(load_scene(read_obj(WEFT_BENCH_CORNELL_BOX), scale == Scale::tiny ? 32 : 512), kScheduler);
}

template <Scheduler kScheduler>
Problem make_ball(Scale scale) {
  return scale == Scale::tiny ? make(load_scene(ball(16), 32), kScheduler)
                              : make(load_scene(ball(126), 512), kScheduler);
}

const Registration kBox1{290, "box/megakernel", "path tracing of the Cornell box, 512 x 512",
                         make_cornell_box<Scheduler::megakernel>};
const Registration kBox2{291, "box/wavefront", "the same by kernels for one step each",
                         make_cornell_box<Scheduler::wavefront>};
const Registration kBox3{292, "box/persistent", "the same by blocks that take new paths as paths end",
                         make_cornell_box<Scheduler::persistent>};
const Registration kBall1{293, "ball/megakernel", "path tracing of 64,000 triangles, 512 x 512",
                          make_ball<Scheduler::megakernel>};
const Registration kBall2{294, "ball/wavefront", "the same by kernels for one step each",
                          make_ball<Scheduler::wavefront>};
const Registration kBall3{295, "ball/persistent", "the same by blocks that take new paths as paths end",
                          make_ball<Scheduler::persistent>};

}  // namespace
}  // namespace weft::bench
