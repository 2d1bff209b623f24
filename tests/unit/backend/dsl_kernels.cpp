// Kernels of the DSL on devices: typed shaders, structs, dumping.
#include "runtime/support/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/devices.h"

#include <weft/weft.h>

using namespace weft;
using namespace weft::test;

namespace weft::test {

struct Particle {
  float3 position;
  float mass;
  float3 velocity;
  float age;
};

}  // namespace weft::test

WEFT_STRUCT(weft::test::Particle, position, mass, velocity, age)

namespace {

auto kinetic_kernel() {
  return Kernel1D{"kinetic", block_size(256), [](BufferVar<Particle> particles, BufferVar<float> energy, Float dt) {
                    Shared<float, 256> tile;
                    UInt lane = thread_id().x;
                    tile[lane] = 0.f;
                    $if(dispatch_id().x < particles.size()) {
                      Var<Particle> p = particles.read(dispatch_id().x);
                      p.position += p.velocity * dt;
                      particles.write(dispatch_id().x, p);
                      tile[lane] = 0.5f * p.mass * dot(p.velocity, p.velocity);
                    };
                    sync_block();
                    UInt d = 128u;
                    $while(d > 0u) {
                      $if(lane < d) { tile[lane] += tile[lane + d]; };
                      sync_block();
                      d >>= 1u;
                    };
                    $if(lane == 0u) { energy.write(block_id().x, tile[0]); };
                  }};
}

std::vector<Particle> some_particles(std::size_t count) {
  std::vector<Particle> particles(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i);
    particles[i] = {float3(x, 0, 1), 2, float3(1, 2, static_cast<float>(i % 4)), 7};
  }
  return particles;
}

}  // namespace

TEST_CASE("dsl: structs, shared memory and barriers give the host's numbers") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  constexpr std::size_t kCount = 1000;
  std::vector<Particle> host = some_particles(kCount);
  auto particles = device.create_buffer<Particle>(kCount);
  auto energy = device.create_buffer<float>(4);
  std::vector<float> out(4);
  Shader kinetic = device.compile(kinetic_kernel());
  stream << particles.upload(host) << kinetic(particles, energy, 0.5F).dispatch_blocks(4) << energy.download(out)
         << synchronize();
  std::vector<float> expected(4);
  for (std::size_t i = 0; i < kCount; ++i) {
    const float3 v = host[i].velocity;
    expected[i / 256] += v.x * v.x + v.y * v.y + v.z * v.z;  // small whole numbers: every order gives the same
  }
  CHECK(out == expected);
  const std::vector<Particle> moved = download(stream, particles.view());
  bool all_moved = true;
  for (std::size_t i = 0; i < kCount; ++i) {
    all_moved &= moved[i].position == host[i].position + host[i].velocity * 0.5F && moved[i].age == 7;
  }
  CHECK(all_moved);
}

TEST_CASE("dsl: a shader's arguments have the host's types") {
  const Device device("interp");
  const Shader kinetic = device.compile(kinetic_kernel());
  STATIC_REQUIRE(std::is_same_v<decltype(kinetic), const Shader<BufferView<Particle>, BufferView<float>, float>>);
  CHECK(kinetic.info().arguments.at(0).type == "buffer<weft_test_Particle>");
}

TEST_CASE("dsl: structs of a text kernel may have another name than the host's, but not another size") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader ages = device.compile_text(R"(weft 1
struct P size 32 align 4 { position: vec<f32, 3> @0, mass: f32 @12, velocity: vec<f32, 3> @16, age: f32 @28 }
kernel @ages(%in: buffer<P>, %out: buffer<f32>) block(8) {
  %p = read %in[dispatch_id.x]
  write %out[dispatch_id.x], %p.age
}
)");
  auto particles = device.create_buffer<Particle>(3);
  auto out = device.create_buffer<float>(3);
  stream << particles.upload(some_particles(3)) << ages(particles, out).dispatch(3);
  CHECK(download(stream, out.view()) == std::vector<float>{7, 7, 7});
  CHECK_THROWS_AS(ages(device.create_buffer<float4>(3), out), UsageError);
}

TEST_CASE("dsl: kernels are dumped as text that gives the same results, options included") {
  const TemporaryFolder folder("dump");
  const EnvironmentScope dump("WEFT_DUMP_KERNELS", (folder / "kernels").string());
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const Spec<UInt> step{3, 2u, "step"};
  const Kernel1D fill{"odd name/..", block_size(8), names("out"), [&](BufferVar<float> out) {
                        Float x = cast<float>(dispatch_id().x * step);
                        out.write(dispatch_id().x, x * x + x);
                      }};
  ShaderOptions options;
  options.specs = {{3, 5}};
  options.math = MathMode::precise;
  options.unchecked = true;
  const Shader shader = device.compile(fill, options);
  (void)device.compile(fill, options);
  const Shader by_default = device.compile(fill);

  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kernels")) files.push_back(entry.path());
  REQUIRE(files.size() == 2);  // equal kernels are one file
  auto out = device.create_buffer<float>(8);
  std::vector<std::vector<float>> expected;
  for (const Shader<BufferView<float>>& each : {shader, by_default}) {
    stream << each(out).dispatch(8);
    expected.push_back(download(stream, out.view()));
  }
  ::unsetenv("WEFT_DUMP_KERNELS");
  for (const std::filesystem::path& file : files) {
    CHECK(file.filename().string().starts_with("odd_name_-"));
    const bool has_options = read_file(file).find("math(precise) unchecked") != std::string::npos;
    stream << out.fill(0) << device.load_shader(file)(out).dispatch(8);
    CHECK(download(stream, out.view()) == expected[has_options ? 0 : 1]);
  }
}

TEST_CASE("dsl: a dumped kernel's name never leads out of the folder") {
  const TemporaryFolder folder("dump");
  const EnvironmentScope dump("WEFT_DUMP_KERNELS", (folder / "kernels").string());
  (void)Device("interp").compile_text("weft 1\nkernel @\"../../out\"(%out: buffer<f32>) block(1) { }\n");
  const std::filesystem::directory_iterator files(folder / "kernels");
  CHECK(files->path().filename().string().starts_with("______out-"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("dsl: a folder that cannot be made is no error of the application") {
  const EnvironmentScope dump("WEFT_DUMP_KERNELS", "/dev/null/kernels");
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view text) { messages.emplace_back(text); });
  const Device device("interp");
  CHECK_NOTHROW(device.compile_text(kCount));
  set_log_sink({});
  REQUIRE(messages.size() == 1);
  CHECK_THAT(messages[0], Catch::Matchers::StartsWith("kernel 'count' cannot be dumped to '/dev/null/kernels': "));
}
