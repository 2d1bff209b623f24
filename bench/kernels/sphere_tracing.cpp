// Sphere tracing of a signed distance field (Hart 1996): a sphere and a box that melt into each other on a plane, lit
// from one side.
#include "bench/framework/registry.h"
#include "bench/framework/simd_math.h"

namespace weft::bench {
namespace {

constexpr int kSteps = 96;
constexpr float kNear = 1e-3F;
constexpr float kFar = 20;
constexpr float kMelt = 0.5F;
constexpr float kDelta = 1e-3F;
constexpr float kLight[3] = {0.57735F, 0.57735F, -0.57735F};

struct Vector {
  Floats x, y, z;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator*(Vector a, Floats b) { return {a.x * b, a.y * b, a.z * b}; }
Vector vector(float x, float y, float z) { return {splat(x), splat(y), splat(z)}; }
Floats length(Vector a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

Floats distance_by_hand(Vector p) {
  const Floats sphere = length(p + vector(0.8F, 0, -4)) - 1.F;
  const Floats zero = splat(0);
  const Floats bx = max(abs(p.x - 0.8F) - 0.7F, zero);
  const Floats by = max(abs(p.y + 0.3F) - 0.7F, zero);
  const Floats bz = max(abs(p.z - 4.F) - 0.7F, zero);
  const Floats box = length({bx, by, bz}) - 0.05F;
  const Floats h = max(kMelt - abs(sphere - box), zero) / kMelt;
  const Floats melted = min(sphere, box) - h * h * (kMelt / 4);
  return min(melted, p.y + 1.F);
}

Floats brightness(Vector p) {
  const auto slope = [&](Vector d) { return distance_by_hand(p + d) - distance_by_hand(p + d * splat(-1)); };
  Vector n{slope(vector(kDelta, 0, 0)), slope(vector(0, kDelta, 0)), slope(vector(0, 0, kDelta))};
  n = n * (1.F / length(n));
  return 0.1F + 0.9F * max(n.x * kLight[0] + n.y * kLight[1] + n.z * kLight[2], splat(0));
}

void trace_pack(float* out, std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height) {
  const float scale = 2 / static_cast<float>(height);
  Vector d{(iota() + static_cast<float>(x) + 0.5F - 0.5F * static_cast<float>(width)) * scale,
           splat((0.5F * static_cast<float>(height) - static_cast<float>(y) - 0.5F) * scale), splat(1.5F)};
  d = d * (1.F / length(d));
  Floats t{};
  Ints going = Ints{} - 1;
  Ints hit{};
  for (int i = 0; i < kSteps && any(going); ++i) {
    const Floats distance = distance_by_hand(d * t);
    const Ints arrived = going & (distance < kNear);
    hit |= arrived;
    going &= ~arrived;
    t = going ? t + distance : t;
    going &= t < kFar;
  }
  const Floats lit = any(hit) ? brightness(d * t) : splat(0);
  store(out, hit ? lit : splat(0));
}

void trace(std::span<Data> buffers, const Threads& threads, std::uint32_t width, std::uint32_t height) {
  float* out = buffers[0].as<float>().data();
  threads.for_each(height, [=](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t y = begin; y < end; ++y) {
      for (std::uint32_t x = 0; x < width; x += kLanes) {
        trace_pack(out + std::size_t{y} * width + x, x, y, width, height);
      }
    }
  });
}

Callable field{"field", [](Float3 p) {
                 Float sphere = length(p - make_float3(-0.8f, 0.f, 4.f)) - 1.f;
                 Float3 outside = max(abs(p - make_float3(0.8f, -0.3f, 4.f)) - 0.7f, 0.f);
                 Float box = length(outside) - 0.05f;
                 Float h = max(kMelt - abs(sphere - box), 0.f) / kMelt;
                 Float melted = min(sphere, box) - h * h * (kMelt / 4);
                 return min(melted, p.y + 1.f);
               }};

auto record() {
  return Kernel2D{"sphere_tracing", block_size(16, 8), [](BufferVar<float> out, UInt width, UInt height) {
                    Float w = cast<float>(width);
                    Float h = cast<float>(height);
                    Float3 d =
                        normalize(make_float3((cast<float>(dispatch_id().x) + 0.5f - 0.5f * w) * (2.f / h),
                                              (0.5f * h - cast<float>(dispatch_id().y) - 0.5f) * (2.f / h), 1.5f));
                    Float t;
                    Bool hit;
                    $for(i, static_cast<uint>(kSteps)) {
                      Float distance = field(d * t);
                      $if(distance < kNear) {
                        hit = true;
                        $break;
                      };
                      t += distance;
                      $if(t >= kFar) { $break; };
                    };
                    Float lit;
                    $if(hit) {
                      Float3 p = d * t;
                      Float3 dx = make_float3(kDelta, 0.f, 0.f);
                      Float3 dy = make_float3(0.f, kDelta, 0.f);
                      Float3 dz = make_float3(0.f, 0.f, kDelta);
                      Float3 n = normalize(make_float3(field(p + dx) - field(p - dx), field(p + dy) - field(p - dy),
                                                       field(p + dz) - field(p - dz)));
                      lit = 0.1f + 0.9f * max(dot(n, make_float3(kLight[0], kLight[1], kLight[2])), 0.f);
                    };
                    out.write(dispatch_id().y * width + dispatch_id().x, lit);
                  }};
}

Problem make(Scale scale) {
  const std::uint32_t width = scale == Scale::tiny ? 64 : 1280;
  const std::uint32_t height = scale == Scale::tiny ? 40 : 720;
  Problem p;
  p.buffers = {Data::zeros<float>(std::size_t{width} * height)};
  // Differences of close distances, and rays that just miss, hang on rounding.
  p.results = {{.buffer = 0, .tolerance = 2e-2, .may_differ = 0.01}};
  p.launches = {{"sphere_tracing", {width, height, 1}, {16, 8, 1}, {width, height}}};
  p.kernels = {weft_kernel("sphere_tracing", record)};
  p.hand = [=](std::span<Data> buffers, const Threads& threads) { trace(buffers, threads, width, height); };
  p.source = "sphere_tracing";
  return p;
}

const Registration kSphereTracing{240, "sphere_tracing", "signed distance field, 1280 x 720", make};

}  // namespace
}  // namespace weft::bench
