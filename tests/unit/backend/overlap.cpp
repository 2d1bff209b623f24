// Commands of one stream that do not touch the same bytes: they may overlap, and fail, each for itself.
#include "tests/unit/backend/devices.h"

#include <chrono>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

constexpr const char* kFail = R"(weft 1
kernel @fail(%out: buffer<u32>) block(1) {
  assert false, "on purpose"
  write %out[0], 1
}
)";

}  // namespace

TEST_CASE("overlap: kernels on ranges of one buffer keep each range's order") {
  const Device device("cpu", {.threads = 2});
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(128);
  const auto low = buffer.subview(0, 64);
  const auto high = buffer.subview(64, 64);
  stream << buffer.fill(1.0F);
  for (int i = 0; i < 8; ++i) {
    stream << scale(low, low, 2.0F).dispatch(64) << scale(high, high, 3.0F).dispatch(64);
  }
  stream << scale(low, high, 1.0F).dispatch(64);
  CHECK(download(stream, buffer.view()) == std::vector<float>(128, 256.0F));
}

TEST_CASE("overlap: a failing kernel stops what reads its buffer and nothing else") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader fails = device.compile_text(kFail);
  auto bad = device.create_buffer<std::uint32_t>(1);
  auto good = device.create_buffer<std::uint32_t>(1);
  auto from_bad = device.create_buffer<std::uint32_t>(1);
  stream << bad.fill(7) << good.fill(7) << from_bad.fill(7) << synchronize();
  stream << fails(bad).dispatch(1) << from_bad.copy_from(bad) << good.fill(8);
  CHECK(message_of<KernelFault>([&] { stream.synchronize(); }).find("kernel 'fail' asserted: on purpose") == 0);
  CHECK(download(stream, from_bad.view())[0] == 7);
  CHECK(download(stream, good.view())[0] == 8);
  stream << from_bad.copy_from(bad) << synchronize();
}

TEST_CASE("overlap: host memory keeps its order, too") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto one = device.create_buffer<int>(1000);
  auto other = device.create_buffer<int>(1000);
  std::vector<int> host(1000, 1);
  for (int i = 0; i < 20; ++i) {
    stream << one.upload(host) << other.fill(i) << other.download(host);  // the upload before is not overtaken
    std::vector<int> seen(1000);
    stream << one.download(seen) << synchronize();
    REQUIRE(seen == std::vector<int>(1000, i == 0 ? 1 : i - 1));
  }
}

TEST_CASE("profile: commands say how long they were queued and ran, on how many threads") {
  const Device device(WEFT_EACH_DEVICE, {.threads = 1});
  Stream stream = device.create_stream();
  const DynamicShader fails = device.compile_text(kFail);
  auto buffer = device.create_buffer<std::uint32_t>(1);
  stream << buffer.fill(1);
  stream.set_profiling(true);
  stream << host_callback([] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); })
         << fails(buffer).dispatch(1) << buffer.fill(3) << buffer.view().copy_from(buffer);
  CHECK_THROWS_AS(stream.synchronize(), KernelFault);
  stream.set_profiling(false);
  stream << buffer.fill(2) << synchronize();
  const std::vector<CommandProfile> profiles = stream.take_profiles();
  REQUIRE(profiles.size() == 4);
  CHECK(profiles[0].command == "host callback");
  CHECK(profiles[0].run >= std::chrono::milliseconds(3));
  CHECK(profiles[1].command == "dispatch of kernel 'fail'");
  CHECK(profiles[1].threads == 1);
  CHECK(profiles[1].queued >= std::chrono::milliseconds(2));
  CHECK_FALSE(profiles[2].skipped);
  CHECK(stream.take_profiles().empty());
}
