// The shader cache of a device: a kernel that was compiled once is found again, whatever is wrong with the cache is
// repaired or does without it, and results are the same.
#include "runtime/support/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/devices.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

// A device with a cache of its own, and what it logs.
struct CachedDevice {
  explicit CachedDevice(const fs::path& folder, DeviceOptions options = {}) {
    options.cache = Cache::on;
    options.cache_folder = folder.string();
    options.log = [this](LogLevel level, std::string_view text) {
      if (level >= LogLevel::warn) warnings.emplace_back(text);
      if (level == LogLevel::info) infos.emplace_back(text);
    };
    set_log_level(LogLevel::info);
    device.emplace("cpu", options);
  }
  ~CachedDevice() { set_log_level(LogLevel::warn); }
  CachedDevice(const CachedDevice&) = delete;
  CachedDevice& operator=(const CachedDevice&) = delete;

  // Compiles and runs a kernel that scales by 2: whether it came from the cache.
  bool scales_from_cache(const ShaderOptions& options = {}, const char* text = kScale) {
    infos.clear();
    const DynamicShader scale = device->compile_text(text, options);
    run(scale);
    REQUIRE(infos.size() == 1);
    return infos[0].find("from the cache") != std::string::npos;
  }

  void run(const DynamicShader& scale) const {
    Stream stream = device->create_stream();
    const std::vector<float> in{1, 2, 3, 4, 5};
    const auto source = device->create_buffer<float>(in.size());
    const auto target = device->create_buffer<float>(in.size());
    stream << source.upload(in) << scale(source, target, 2.f).dispatch(in.size());
    CHECK(download(stream, target.view()) == std::vector<float>{2, 4, 6, 8, 10});
  }

  std::vector<std::string> warnings, infos;
  std::optional<Device> device;
};

std::vector<fs::path> files_in(const fs::path& folder) {
  return {fs::directory_iterator(folder), fs::directory_iterator()};
}

}  // namespace

TEST_CASE("shader cache: a kernel is found again by another device, and works") {
  const TemporaryFolder folder("cache");
  CHECK_FALSE(CachedDevice(folder / "deep/er").scales_from_cache());
  CachedDevice second(folder / "deep/er");
  CHECK(second.scales_from_cache());
  CHECK(second.device->compile_text(kScale).info().pack_width == 16);
  CHECK(second.warnings.empty());
}

TEST_CASE("shader cache: other options and other kernels are other entries") {
  const TemporaryFolder folder("cache");
  CachedDevice device(folder.path());
  CHECK_FALSE(device.scales_from_cache());
  CHECK_FALSE(device.scales_from_cache({.width = 8}));
  CHECK_FALSE(device.scales_from_cache({.effort = Effort::minimal}));
  CHECK_FALSE(device.scales_from_cache({.math = MathMode::fast}));
  CHECK_FALSE(device.scales_from_cache({.unchecked = true}));
  std::string other = kScale;
  other.replace(other.find("block(64)"), 9, "block(32)");
  CHECK_FALSE(device.scales_from_cache({}, other.c_str()));
  CachedDevice baseline(folder.path(), {.cpu = "x86-64-v3"});
  CHECK_FALSE(baseline.scales_from_cache());
  CHECK(files_in(folder.path()).size() == 7);
  CHECK(device.scales_from_cache({.width = 8}));
}

TEST_CASE("shader cache: a damaged entry is compiled anew, with a warning, and replaced") {
  const TemporaryFolder folder("cache");
  CHECK_FALSE(CachedDevice(folder.path()).scales_from_cache());
  const fs::path file = files_in(folder.path()).at(0);
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  for (const std::string& damaged : {bytes, bytes.substr(0, 1000), std::string(), std::string(4096, 'x')}) {
    write_file(file, std::as_bytes(std::span(damaged)));
    CachedDevice device(folder.path());
    CHECK_FALSE(device.scales_from_cache());
    REQUIRE(device.warnings.size() == 1);
    CHECK_THAT(device.warnings[0], Contains(file.filename().string()));
    CHECK(CachedDevice(folder.path()).scales_from_cache());
  }
}

TEST_CASE("shader cache: a folder that cannot be used costs one warning and no kernel") {
  const TemporaryFolder folder("cache");
  write_file(folder / "file", {});
  CachedDevice device(folder / "file");
  CHECK_FALSE(device.scales_from_cache());
  const std::size_t warnings = device.warnings.size();
  CHECK(warnings >= 1);
  CHECK_FALSE(device.scales_from_cache({.width = 8}));
  CHECK(device.warnings.size() <= warnings + 1);
}

TEST_CASE("shader cache: a read-only folder still gives what is in it") {
  if (::geteuid() == 0) return;  // who may write anywhere
  const TemporaryFolder folder("cache");
  CHECK_FALSE(CachedDevice(folder.path()).scales_from_cache());
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  CachedDevice device(folder.path());
  CHECK(device.scales_from_cache());
  CHECK(device.warnings.empty());
  CHECK_FALSE(device.scales_from_cache({.width = 8}));
  CHECK(device.warnings.size() == 1);
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST_CASE("shader cache: it is off if the application or the environment says so") {
  const TemporaryFolder folder("cache");
  const EnvironmentScope place("WEFT_CACHE_DIR", folder.path().string());
  {
    const EnvironmentScope off("WEFT_CACHE", "off");
    Device("cpu").compile_text(kScale);
    CHECK(files_in(folder.path()).empty());
    Device("cpu", {.cache = Cache::on}).compile_text(kScale);
    CHECK(files_in(folder.path()).size() == 1);
  }
  const EnvironmentScope on("WEFT_CACHE", "on");
  Device("cpu", {.cache = Cache::off}).compile_text(kCount);
  CHECK(files_in(folder.path()).size() == 1);
  Device("cpu").compile_text(kCount);
  CHECK(files_in(folder.path()).size() == 2);
}

TEST_CASE("shader cache: it is where the environment says, else in the user's cache folder") {
  const TemporaryFolder folder("cache");
  const EnvironmentScope on("WEFT_CACHE", "on");
  const EnvironmentScope caches("XDG_CACHE_HOME", (folder / "xdg").string());
  Device("cpu").compile_text(kScale);
  CHECK(files_in(folder / "xdg/weft").size() == 1);
  const EnvironmentScope place("WEFT_CACHE_DIR", (folder / "own").string());
  Device("cpu").compile_text(kScale);
  CHECK(files_in(folder / "own").size() == 1);
  Device("cpu", {.cache_folder = (folder / "application").string()}).compile_text(kScale);
  CHECK(files_in(folder / "application").size() == 1);
}

TEST_CASE("shader cache: the size that the application allows is kept") {
  const TemporaryFolder folder("cache");
  CachedDevice device(folder.path(), {.cache_limit_bytes = 12'000});
  for (const std::uint32_t width : {1, 4, 8, 16, 32}) device.scales_from_cache({.width = width});
  std::uint64_t sum = 0;
  for (const fs::path& file : files_in(folder.path())) sum += fs::file_size(file);
  CHECK(sum <= 12'000);
  CHECK(sum > 0);
}

TEST_CASE("shader cache: a fault of a cached kernel names its own source place") {
  const TemporaryFolder folder("cache");
  const auto fault_of = [&](const std::string& text, const char* file) {
    CachedDevice device(folder.path());
    const DynamicShader shader = device.device->compile_text(text, {}, {}, file);
    Stream stream = device.device->create_stream();
    return message_of<KernelFault>([&] { stream << shader().dispatch(1) << synchronize(); });
  };
  const std::string text = "weft 1\nkernel @k() block(1) {\n  assert false, \"never\"\n}\n";
  CHECK_THAT(fault_of(text, "a.weft"), Contains("a.weft:3"));
  CHECK_THAT(fault_of(text, "a.weft"), Contains("a.weft:3"));
  CHECK_THAT(fault_of(text, "b.weft"), Contains("b.weft:3"));
  CHECK_THAT(fault_of("weft 1\n" + text.substr(6), "a.weft"), Contains("a.weft:4"));
}

TEST_CASE("compiling on the workers: many shaders at once give what each gives alone") {
  const Device device("cpu", {.threads = GENERATE(1U, 2U), .cache = Cache::off});
  std::vector<Compilation<DynamicShader>> pending;
  for (const std::uint32_t width : {1U, 4U, 8U, 16U, 32U}) {
    pending.push_back(device.compile_text_async(kScale, {.width = width}));
  }
  const auto wrong = device.compile_text_async("weft 1\nkernel @k() block(0) {\n}\n");
  Stream stream = device.create_stream();
  for (const auto& compilation : pending) {
    const auto in = device.create_buffer<float>(1);
    const auto out = device.create_buffer<float>(1);
    stream << in.fill(3.f) << compilation.get()(in, out, 2.f).dispatch(1);
    CHECK(download(stream, out.view()) == std::vector<float>{6});
    CHECK(compilation.is_ready());
  }
  CHECK_THAT(message_of<CompileError>([&] { (void)wrong.get(); }), Contains("block"));
  CHECK_THROWS_AS(wrong.get(), CompileError);
  CHECK_THROWS_AS(Compilation<DynamicShader>().get(), UsageError);
}
