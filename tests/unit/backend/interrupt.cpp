// Kernels that would run for ever, cancelled inside of their loops.
#include "tests/unit/backend/devices.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

constexpr const char* kEndless = R"(weft 1
kernel @endless(%started: buffer<u32>) block(64) {
  %place = buffer_element %started[0]
  %old = atomic_add %place, 1
  loop {
    yield true
  } body {
  } update {
  }
}
)";

}  // namespace

TEST_CASE("interrupt: a kernel that never ends is cancelled inside of its loop") {
  const std::string name = WEFT_EACH_DEVICE;
  const Device device(name);
  const auto width = GENERATE(1u, 16u);
  Stream stream = device.create_stream();
  auto started = device.create_buffer<std::uint32_t>(1);
  const DynamicShader endless = device.compile_text(kEndless, {.width = width, .interruptible = true});
  stream << started.fill(0) << synchronize();
  stream << endless(started).dispatch(64);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  stream.cancel();
  CHECK(message_of<DispatchCancelled>([&] { stream.synchronize(); }) ==
        "the dispatch of kernel 'endless' was cancelled before its end");
  stream << started.fill(5);
  CHECK(download(stream, started.view())[0] == 5);
}
