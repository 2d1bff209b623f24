// Streams: order, callbacks, progress, cancelling.
#include "tests/unit/backend/devices.h"

#include <atomic>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

// Each lane counts; with a limit no dispatch reaches in a test's time unless it is cancelled.
constexpr std::uint64_t kManyBlocks = 4'000'000'000;

}  // namespace

TEST_CASE("stream: commands run in order") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(100);
  stream << buffer.fill(1.0F);
  for (int i = 0; i < 10; ++i) stream << scale(buffer, buffer, 2.0F).dispatch(100);
  CHECK(download(stream, buffer.view()) == std::vector<float>(100, 1024.0F));
}

TEST_CASE("stream: submitting alone gets commands run") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::atomic<bool> called{false};
  stream << host_callback([&] {
    called = true;
    called.notify_all();
  });
  called.wait(false);
  CHECK(called);
}

TEST_CASE("stream: streams run side by side") {
  const Device device(WEFT_EACH_DEVICE);
  Stream first = device.create_stream();
  Stream second = device.create_stream();
  std::atomic<bool> second_has_run{false};
  first << host_callback([&] { second_has_run.wait(false); });
  second << host_callback([&] {
    second_has_run = true;
    second_has_run.notify_all();
  });
  second << synchronize();
  first << synchronize();
  CHECK(second_has_run);
}

TEST_CASE("stream: what a callback throws comes out of synchronize, once, and the stream goes on") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  auto buffer = device.create_buffer<int>(1);
  stream << host_callback([] { throw std::runtime_error("from the host"); }) << buffer.fill(5);
  CHECK(message_of<std::runtime_error>([&] { stream.synchronize(); }) == "from the host");
  CHECK(download(stream, buffer.view()) == std::vector<int>{5});
}

TEST_CASE("stream: a callback that waits for its own stream is told so") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  stream << host_callback([&] { stream.synchronize(); });
  CHECK(message_of<UsageError>([&] { stream.synchronize(); }) ==
        "a host function of a stream waits for its own stream, which waits for the function");
}

TEST_CASE("stream: a callback may use another stream") {
  const Device device(WEFT_EACH_DEVICE);
  Stream outer = device.create_stream();
  auto buffer = device.create_buffer<int>(1);
  std::vector<int> seen;
  outer << host_callback([&] {
    Stream inner = device.create_stream();
    inner << buffer.fill(7);
    seen = download(inner, buffer.view());
  }) << synchronize();
  CHECK(seen == std::vector<int>{7});
}

TEST_CASE("stream: progress rises to the number of blocks") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  std::uint64_t last = 0;
  std::uint64_t expected = 0;
  bool rises = true;
  stream << sum.fill(0) << count(sum).dispatch(10'000).on_progress([&](std::uint64_t done, std::uint64_t total) {
    rises &= done >= last;
    last = done;
    expected = total;
    return true;
  }) << synchronize();
  CHECK(rises);
  CHECK(last == 313);
  CHECK(expected == 313);
}

TEST_CASE("stream: progress cancels by returning false, and the device goes on") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << sum.fill(0)
         << count(sum).dispatch(kManyBlocks).on_progress([](std::uint64_t, std::uint64_t) { return false; });
  CHECK(message_of<DispatchCancelled>([&] { stream.synchronize(); }) ==
        "the dispatch of kernel 'count' was cancelled before its end");
  stream << sum.fill(0) << count(sum).dispatch(64);
  CHECK(download(stream, sum.view())[0] == 64);
}

TEST_CASE("stream: what progress throws cancels and comes out of synchronize") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << count(sum).dispatch(kManyBlocks).on_progress([](std::uint64_t, std::uint64_t) -> bool {
    throw std::runtime_error("enough");
  });
  CHECK(message_of<std::runtime_error>([&] { stream.synchronize(); }) == "enough");
  stream << sum.fill(0) << count(sum).dispatch(64);
  CHECK(download(stream, sum.view())[0] == 64);
}

TEST_CASE("stream: cancel stops dispatches from another thread, and copies still run") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  auto mark = device.create_buffer<int>(1);
  std::atomic<bool> runs{false};
  stream << count(sum).dispatch(kManyBlocks).on_progress([&](std::uint64_t, std::uint64_t) {
    runs = true;
    runs.notify_all();
    return true;
  }) << mark.fill(3);
  std::thread other([&] {
    runs.wait(false);
    stream.cancel();
  });
  CHECK_THROWS_AS(stream.synchronize(), DispatchCancelled);
  other.join();
  CHECK(download(stream, mark.view()) == std::vector<int>{3});
}

TEST_CASE("stream: destroying it finishes what was submitted") {
  const Device device(WEFT_EACH_DEVICE);
  int value = 0;
  {
    Stream stream = device.create_stream();
    stream << host_callback([&] { value = 1; });
  }
  CHECK(value == 1);
}

TEST_CASE("stream: dead handles are an error") {
  Stream never;
  CHECK(message_of<UsageError>([&] { never.synchronize(); }) ==
        "a stream is used that was never created, or was moved from");
  CHECK(message_of<UsageError>([&] { (void)host_callback({}); }) == "a host callback without a function");
  const Device device("interp");
  Stream stream = device.create_stream();
  Command command = host_callback([] {});
  stream << std::move(command);
  CHECK(message_of<UsageError>([&] { stream << std::move(command); }) ==  // NOLINT(bugprone-use-after-move)
        "a command is submitted that was submitted before, or was moved from");
}
