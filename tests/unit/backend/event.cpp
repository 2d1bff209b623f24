// Events between streams and the host.
#include "tests/unit/backend/devices.h"

#include <weft/event.h>

#include <chrono>
#include <optional>
#include <thread>

using namespace weft;
using namespace weft::test;

TEST_CASE("event: a stream waits for what another one signals") {
  const Device device(WEFT_EACH_DEVICE);
  Stream first = device.create_stream();
  Stream second = device.create_stream();
  const Event event = device.create_event();
  const DynamicShader scale = device.compile_text(kScale);
  auto buffer = device.create_buffer<float>(256);
  second << event.wait(1) << scale(buffer, buffer, 3.0F).dispatch(256) << event.signal(2);
  first << buffer.fill(1.0F) << event.signal(1) << event.wait(2) << scale(buffer, buffer, 5.0F).dispatch(256);
  CHECK(download(first, buffer.view()) == std::vector<float>(256, 15.0F));
}

TEST_CASE("event: the host signals, waits and looks") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const Event event = device.create_event();
  constexpr std::uint64_t kLarge = 1ULL << 50;
  stream << event.wait(kLarge) << event.signal(kLarge + 1);
  CHECK_FALSE(event.host_wait(kLarge + 1, std::chrono::milliseconds(5)));
  event.host_signal(kLarge);
  event.host_wait(kLarge + 1);
  CHECK(event.value() == kLarge + 1);
}

TEST_CASE("event: a wait that nothing can end any more is an error") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  std::optional<Event> event = device.create_event();
  event->host_signal(3);
  stream << event->wait(4);
  SECTION("with the last copy gone") {
    event.reset();
    CHECK(message_of<UsageError>([&] { stream.synchronize(); }) ==
          "a wait for value 4 of an event that was destroyed at value 3: nothing can signal it");
  }
  SECTION("but not while a signal is on its way") {
    Stream other = device.create_stream();
    const Event gate = device.create_event();
    other << gate.wait(1) << event->signal(4);
    event.reset();
    gate.host_signal(1);
    stream << synchronize();
  }
}

TEST_CASE("event: cancelling a stream ends its wait, and what it waited for is not touched") {
  const Device device(WEFT_EACH_DEVICE);
  Stream stream = device.create_stream();
  const Event event = device.create_event();
  auto buffer = device.create_buffer<int>(4);
  bool called = false;
  stream << buffer.fill(1) << synchronize();
  stream << event.wait(1) << buffer.fill(2) << host_callback([&] { called = true; });
  stream.cancel();
  CHECK(message_of<DispatchCancelled>([&] { stream.synchronize(); }) ==
        "the wait for value 1 was cancelled before its end");
  CHECK(called);
  CHECK(download(stream, buffer.view()) == std::vector<int>(4, 1));
}

TEST_CASE("event: those of another device, and none at all, are errors") {
  const Device device("cpu");
  const Device other("cpu");
  Stream stream = device.create_stream();
  CHECK(message_of<UsageError>([&] { stream << other.create_event().wait(1); }).find("belongs to device cpu") !=
        std::string::npos);
  CHECK(message_of<UsageError>([] { Event().host_signal(1); }) ==
        "an event is used that was never created, or was moved from");
}
