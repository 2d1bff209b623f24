// pathtracer SCENE.obj [--output FILE] ...: renders a Wavefront OBJ on a Weft device.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "examples/pathtracer/bvh.h"
#include "examples/pathtracer/image.h"
#include "examples/pathtracer/renderer.h"

namespace {

using namespace pathtracer;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Settings {
  std::string scene, output = "image.png", trace, device, size = "512x512", scheduler = "megakernel";
  uint samples = 64, max_depth = 8, width = 0, threads = 0, seed = 0;
  float exposure = 1;
};

void parse(CLI::App& app, Settings& s) {
  app.add_option("scene", s.scene, "Wavefront OBJ file, with its MTL beside it")->required();
  app.add_option("-o,--output", s.output, "picture: .png, or .pfm for linear radiance")->capture_default_str();
  app.add_option("--size", s.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  app.add_option("--samples,--spp", s.samples, "paths for each pixel")
      ->check(CLI::Range(1U, 1U << 20))
      ->capture_default_str();
  app.add_option("--max-depth", s.max_depth, "bounces of a path")->check(CLI::Range(1U, 64U))->capture_default_str();
  app.add_option("--scheduler", s.scheduler, "megakernel, wavefront or persistent")
      ->check(CLI::IsMember({"megakernel", "wavefront", "persistent"}))
      ->capture_default_str();
  app.add_option("--device", s.device, "cpu, interp, or another that there is; empty: WEFT_DEVICE, else cpu");
  app.add_option("--width", s.width, "pack width; 0 chooses")->check(CLI::IsMember({0, 1, 4, 8, 16, 32}));
  app.add_option("--threads", s.threads, "threads; 0: all");
  app.add_option("--seed", s.seed, "of the random numbers");
  app.add_option("--exposure", s.exposure, "factor on radiance before it becomes a PNG")->capture_default_str();
  app.add_option("--trace", s.trace, "file for a record of each bounce of each path");
}

// "512x384"
std::pair<uint, uint> parse_size(const std::string& text) {
  uint width = 0;
  uint height = 0;
  const char* const end = text.data() + text.size();
  const auto [cross, width_error] = std::from_chars(text.data(), end, width);
  const char* const second = cross != end && *cross == 'x' ? cross + 1 : end;
  const auto [rest, height_error] = std::from_chars(second, end, height);
  const auto fits = [](uint n) { return n >= 1 && n <= 16384; };
  if (width_error != std::errc() || height_error != std::errc() || rest != end || !fits(width) || !fits(height)) {
    throw std::runtime_error(fmt::format("--size {}: expected WIDTHxHEIGHT, each from 1 to 16384", text));
  }
  return {width, height};
}

// One line that is written over, if a person is looking.
void show_progress(uint done, uint of) {
  if (isatty(STDERR_FILENO) == 0) {
    return;
  }
  constexpr uint kBar = 40;
  const uint filled = done * kBar / of;
  fmt::print(stderr, "\rrender  [{}{}] {}/{} samples{}", std::string(filled, '#'), std::string(kBar - filled, '.'),
             done, of, done == of ? "\n" : "");
}

void run(const Settings& s) {
  const auto [image_width, image_height] = parse_size(s.size);
  auto start = Clock::now();
  Scene scene = read_obj(s.scene);
  for (const std::string& note : scene.notes) {
    fmt::print(stderr, "note: {}\n", note);
  }
  fmt::print("read    {:6.2f} s  {} triangles, {} materials\n", seconds_since(start), scene.triangles.size(),
             scene.materials.size());
  start = Clock::now();
  const std::vector<Node> hierarchy = build_bvh(scene);
  collect_lights(scene);
  fmt::print("build   {:6.2f} s  {} nodes, {} emitting triangles\n", seconds_since(start), hierarchy.size(),
             scene.lights.size());
  start = Clock::now();
  const weft::Device device(s.device, {.threads = s.threads, .width = s.width});
  RenderOptions options{.samples = s.samples, .max_depth = s.max_depth, .seed = s.seed, .traces = !s.trace.empty()};
  options.scheduler = s.scheduler == "wavefront"    ? Scheduler::wavefront
                      : s.scheduler == "persistent" ? Scheduler::persistent
                                                    : Scheduler::megakernel;
  options.progress = show_progress;
  const Rendering image = render(device, scene, hierarchy, frame_camera(scene, image_width, image_height), options);
  const double seconds = seconds_since(start);
  const double paths = static_cast<double>(image_width) * image_height * s.samples;
  fmt::print("render  {:6.2f} s  {}x{}, {} samples, {}, {:.2f} million paths a second, compiling included\n", seconds,
             image_width, image_height, s.samples, s.scheduler, paths / seconds * 1e-6);
  write_image(s.output, image.pixels, image_width, image_height, s.exposure);
  if (!s.trace.empty()) {
    write_file(s.trace, image.records.data(), image.records.size() * sizeof(TraceRecord));
  }
  fmt::print("wrote   {}\n", std::filesystem::absolute(s.output).string());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Renders a Wavefront OBJ on a Weft device, by path tracing"};
  Settings settings;
  parse(app, settings);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "pathtracer: {}\n", error.what());
    return 1;
  }
  return 0;
}
