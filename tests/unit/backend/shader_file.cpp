// Compiled shader files: what is written loads and runs, and everything else is refused with a reason.
#include "backend/shader_file.h"

#include "codegen/ir/verify/verify.h"
#include "codegen/jit/compile.h"
#include "runtime/support/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/devices.h"

#include <cstring>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;

namespace {

backend::ShaderFile compiled_scale() {
  auto module = ir::parse_verified(kScale, "scale.weft");
  REQUIRE(module);
  jit::CompileOptions options;
  options.cpu = "x86-64-v3";
  options.width = 8;
  auto object = jit::compile(**module, options);
  REQUIRE(object);
  const auto target = jit::resolve_target(options.cpu);
  REQUIRE(target);
  return {"1.2.3", "scale", target->cpu, target->features, object->bytes};
}

// What loading the bytes says.
std::string failure_of(const std::vector<std::byte>& bytes) {
  const TemporaryFolder folder("shader");
  write_file(folder / "a.shader", bytes);
  std::string text = message_of<CompileError>([&] { (void)Device("cpu").load_shader(folder / "a.shader"); });
  return text;
}

}  // namespace

TEST_CASE("shader file: what was written is read back") {
  const backend::ShaderFile file{"1.2.3", "kernel", "cpu", "+a,-b", {std::byte{1}, std::byte{0}, std::byte{2}}};
  const std::vector<std::byte> bytes = backend::write_shader_file(file);
  CHECK(backend::is_shader_file(bytes));
  const auto read = backend::read_shader_file(bytes, "a");
  REQUIRE(read);
  CHECK(read->weft_version == file.weft_version);
  CHECK(read->kernel == file.kernel);
  CHECK(read->cpu == file.cpu);
  CHECK(read->features == file.features);
  CHECK(read->object == file.object);
}

TEST_CASE("shader file: a device loads and runs it without its text") {
  const TemporaryFolder folder("shader");
  write_file(folder / "scale.shader", backend::write_shader_file(compiled_scale()));
  const Device device("cpu");
  Stream stream = device.create_stream();
  const DynamicShader scale = device.load_shader(folder / "scale.shader");
  CHECK(scale.info().pack_width == 8);
  auto buffer = device.create_buffer<float>(5);
  stream << buffer.upload({1, 2, 3, 4, 5}) << scale({{"in", buffer}, {"out", buffer}, {"factor", 4.0F}}).dispatch(5);
  CHECK(download(stream, buffer.view()) == std::vector<float>{4, 8, 12, 16, 20});
  CHECK_THROWS_AS(scale(buffer, buffer, 4), UsageError);
  CHECK_THAT(message_of<CompileError>([&] { (void)Device("interp").load_shader(folder / "scale.shader"); }),
             Contains("the interpreter runs kernels in text form"));
  CHECK_THROWS_AS(device.load_shader(folder / "none"), FileError);
}

TEST_CASE("shader file: truncated anywhere, it is refused with a reason") {
  const std::vector<std::byte> bytes =
      backend::write_shader_file({"1", "k", "c", "+f", std::vector<std::byte>(100, std::byte{7})});
  for (std::size_t size = 8; size < bytes.size(); ++size) {
    const auto read = backend::read_shader_file(std::span(bytes).first(size), "a");
    REQUIRE(!read);
    CHECK_THAT(print(read.diagnostics()), Contains("truncated"));
  }
}

TEST_CASE("shader file: one that is damaged anywhere is refused") {
  const std::vector<std::byte> bytes = backend::write_shader_file({"1", "k", "c", "+f", {std::byte{7}, std::byte{8}}});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::byte> damaged = bytes;
    damaged[i] ^= std::byte{0x10};
    CHECK(!backend::read_shader_file(damaged, "a"));
  }
}

TEST_CASE("shader file: other versions and processors are named") {
  std::vector<std::byte> bytes = backend::write_shader_file(compiled_scale());
  bytes[8] = std::byte{9};
  CHECK_THAT(failure_of(bytes), Contains("has format version 9, this Weft reads version 1"));
  bytes[8] = std::byte{1};
  bytes[12] = std::byte{77};
  CHECK_THAT(failure_of(bytes), Contains("was compiled for ABI version 77"));

  backend::ShaderFile file = compiled_scale();
  file.cpu = "z990";
  file.features += ",+warp-drive";
  CHECK_THAT(failure_of(backend::write_shader_file(file)),
             Contains("compiled for z990, and this processor lacks warp-drive"));
  file = compiled_scale();
  file.object.resize(file.object.size() / 2);
  CHECK(!failure_of(backend::write_shader_file(file)).starts_with("no exception"));
  file.object.assign(64, std::byte{0});
  CHECK(!failure_of(backend::write_shader_file(file)).starts_with("no exception"));
}

TEST_CASE("shader file: missing features are those that are wanted and not there") {
  CHECK(backend::missing_features("+a,-b,+c", "+a,+c,-d") == "");
  CHECK(backend::missing_features("+a,-b,+c,+d", "+c,-d") == "a, d");
  CHECK(backend::missing_features("", "") == "");
}
