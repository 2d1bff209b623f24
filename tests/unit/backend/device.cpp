// Devices: names, options, environment, log.
#include "tests/support/temporary_folder.h"
#include "tests/unit/backend/devices.h"

#include <weft/log.h>

using namespace weft;
using namespace weft::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char* kWarp = R"(weft 1
kernel @votes(%out: buffer<u32>) block(64) warp(16) {
  %low = lt thread_id.x, 3
  %b = warp_ballot %low
  write %out[dispatch_id.x], %b
}
)";

template <typename T>
T taken_from(T& object) {
  return std::move(object);
}

}  // namespace

TEST_CASE("device: the built-in ones are there, and cpu is the default") {
  const std::vector<std::string> names = Device::available();
  CHECK(names.at(0) == "cpu");
  CHECK(names.at(1) == "interp");
  CHECK(Device().name() == "cpu");
}

TEST_CASE("device: WEFT_DEVICE decides where the application names none") {
  const EnvironmentScope scope("WEFT_DEVICE", "interp");
  CHECK(Device().name() == "interp");
  CHECK(Device("cpu").name() == "cpu");
}

TEST_CASE("device: an unknown name lists those there are") {
  CHECK_THAT(message_of<DeviceError>([] { Device("gpu"); }),
             StartsWith("there is no device 'gpu'; there are: cpu, interp"));
  CHECK_THAT(message_of<DeviceError>([] { Device("../cpu"); }), StartsWith("there is no device '../cpu'"));
  const EnvironmentScope scope("WEFT_DEVICE", "nonsense");
  CHECK_THAT(message_of<DeviceError>([] { Device(); }), StartsWith("there is no device 'nonsense'"));
}

TEST_CASE("device: the pack width is the shader's, else the device's, else the environment's") {
  const EnvironmentScope scope("WEFT_WIDTH", "4");
  CHECK(Device("cpu").compile_text(kCount).info().pack_width == 4);
  const Device device("cpu", {.width = 1});
  CHECK(device.compile_text(kCount).info().pack_width == 1);
  CHECK(device.compile_text(kCount, {.width = 8}).info().pack_width == 8);
}

TEST_CASE("device: kernels with warp operations keep their width, and asking for another is an error") {
  const EnvironmentScope scope("WEFT_WIDTH", "1");
  const Device device("cpu");
  CHECK(device.compile_text(kWarp).info().pack_width == 16);
  CHECK(device.compile_text(kWarp, {.width = 16}).info().pack_width == 16);
  CHECK_THAT(message_of<CompileError>([&] { (void)device.compile_text(kWarp, {.width = 8}); }),
             Contains("8") && Contains("16"));
}

TEST_CASE("device: options that cannot be are errors") {
  CHECK(message_of<UsageError>([] { Device("cpu", {.width = 3}); }) ==
        "the pack width is 3, expected 1, 4, 8, 16, 32, or 0 for the best");
  CHECK_THAT(message_of<DeviceError>([] { Device("cpu", {.cpu = "z80"}); }), Contains("z80"));
  const Device device("cpu");
  CHECK_THROWS_AS(device.compile_text(kCount, {.width = 64}), UsageError);
}

TEST_CASE("device: its own log gets what it does") {
  std::vector<std::string> messages;
  const LogLevel level = log_level();
  set_log_level(LogLevel::info);
  const Device device("cpu",
                      {.width = 4, .log = [&](LogLevel, std::string_view text) { messages.emplace_back(text); }});
  (void)device.compile_text(kCount);
  set_log_level(level);
  REQUIRE(messages.size() == 1);
  CHECK_THAT(messages[0], StartsWith("kernel 'count': pack width 4, ") && Contains("compiled in "));
}

TEST_CASE("device: objects keep their device alive") {
  const std::string name = WEFT_EACH_DEVICE;
  auto device = std::make_unique<Device>(name);
  Stream stream = device->create_stream();
  auto buffer = device->create_buffer<float>(4);
  const DynamicShader scale = device->compile_text(kScale);
  device = nullptr;
  stream << buffer.upload({1, 2, 3, 4}) << scale(buffer, buffer, 2.0F).dispatch(4);
  CHECK(download(stream, buffer.view()) == std::vector<float>{2, 4, 6, 8});
}

TEST_CASE("device: trim may be called at any time") {
  const Device device(WEFT_EACH_DEVICE);
  CHECK_NOTHROW(device.trim());
}

TEST_CASE("device: what was moved from is an error, whatever is asked of it") {
  Device device(WEFT_EACH_DEVICE);
  const Device owner = taken_from(device);
  Kernel1D kernel{"nothing", [](UInt) {}};
  const Kernel1D copy = kernel;
  const std::function<void()> actions[] = {[&] { (void)device.name(); },
                                           [&] { device.trim(); },
                                           [&] { (void)device.create_stream(); },
                                           [&] { (void)device.create_event(); },
                                           [&] { (void)device.create_graph(); },
                                           [&] { (void)device.create_buffer<float>(4); },
                                           [&] { (void)device.compile(copy); },
                                           [&] { (void)device.compile_async(copy); },
                                           [&] { (void)device.compile_text(kCount); },
                                           [&] { (void)device.compile_text_async(kCount); },
                                           [&] { (void)device.load_shader("none"); }};
  for (const auto& action : actions) {
    CHECK(message_of<UsageError>(action) == "a device is used that was moved from");
  }
  const Kernel1D kept = taken_from(kernel);
  CHECK(message_of<UsageError>([&] { (void)owner.compile(kernel); }) == "a kernel is compiled that was moved from");
  CHECK_NOTHROW(owner.compile(kept));
}
