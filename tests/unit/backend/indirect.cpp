// Dispatches whose size is in a buffer.
#include "tests/unit/backend/devices.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("indirect: the size is what is in the buffer when the stream comes to it") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto size = device.create_buffer<uint3>(2);
  auto sum = device.create_buffer<std::uint32_t>(1);
  const bool in_blocks = GENERATE(false, true);
  stream << sum.fill(0) << size.fill(uint3(1, 2, 1)) << size.subview(1, 1).fill(uint3(70, 2, 1));
  if (in_blocks) {
    stream << count(sum).dispatch_blocks_indirect(size.subview(1, 1), {100, 100, 1});
  } else {
    stream << count(sum).dispatch_indirect(size.subview(1, 1), {100, 100, 1});
  }
  CHECK(download(stream, sum.view())[0] == (in_blocks ? 70 * 2 * 32 : 70 * 2));
}

TEST_CASE("indirect: a size of nothing does nothing, and it may be cancelled") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto size = device.create_buffer<uint3>(1);
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << sum.fill(0) << size.fill(uint3(5, 0, 1)) << count(sum).dispatch_indirect(size, {100, 100, 1});
  CHECK(download(stream, sum.view())[0] == 0);
  stream << size.fill(uint3(100'000'000, 1, 1))
         << count(sum).dispatch_blocks_indirect(size, {100'000'000, 1, 1}).on_progress([](auto, auto) {
              return false;
            });
  CHECK(message_of<DispatchCancelled>([&] { stream.synchronize(); }) ==
        "the dispatch of kernel 'count' was cancelled before its end");
}

TEST_CASE("indirect: a size beyond the limit is an error that names the kernel, and runs nothing") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const DynamicShader count = device.compile_text(kCount);
  auto size = device.create_buffer<uint3>(1);
  auto sum = device.create_buffer<std::uint32_t>(1);
  stream << sum.fill(0) << size.fill(uint3(5, 101, 1)) << count(sum).dispatch_indirect(size, {100, 100, 1});
  CHECK(message_of<UsageError>([&] { stream.synchronize(); }) ==
        "dispatch of kernel 'count': the size (5, 101, 1) lanes that it read from a buffer is beyond its limit (100, "
        "100, 1)");
  CHECK(download(stream, sum.view())[0] == 0);
}

TEST_CASE("indirect: a buffer of no elements, or of another device, is an error") {
  const Device device("cpu");
  const Device other("cpu");
  const DynamicShader count = device.compile_text(kCount);
  auto sum = device.create_buffer<std::uint32_t>(1);
  auto none = device.create_buffer<uint3>(0);
  auto foreign = other.create_buffer<uint3>(1);
  CHECK(message_of<UsageError>([&] { (void)count(sum).dispatch_indirect(none, {1, 1, 1}); }) ==
        "the size of a dispatch of kernel 'count' is in a view of no elements, expected one");
  CHECK(message_of<UsageError>([&] {
          (void)count(sum).dispatch_indirect(foreign, {1, 1, 1});
        }).find("the size of a dispatch of kernel 'count' belongs to device cpu") == 0);
}
