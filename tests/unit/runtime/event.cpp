// Events: values that rise, waited for by the host and by queues.
#include "runtime/event.h"
#include "tests/unit/runtime/launch.h"

#include <atomic>
#include <thread>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

std::shared_ptr<Command> signal(const std::shared_ptr<Event>& event, std::uint64_t value) {
  return std::make_shared<SignalCommand>(event, value);
}

std::shared_ptr<Command> wait(const std::shared_ptr<Event>& event, std::uint64_t value) {
  return std::make_shared<WaitCommand>(event, value);
}

constexpr const char* kDestroyed =
    "a wait for value 3 of an event that was destroyed at value 2: nothing can signal it";

}  // namespace

TEST_CASE("event: the value rises and never falls") {
  Event event;
  CHECK(event.value() == 0);
  event.signal(1ULL << 40);
  event.signal(7);
  CHECK(event.value() == 1ULL << 40);
  CHECK(event.wait(1ULL << 40));
  CHECK_FALSE(event.wait((1ULL << 40) + 1, std::chrono::milliseconds(1)));
}

TEST_CASE("event: queues take turns, whoever is submitted first") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  const auto other = CommandQueue::create(launcher.pool());
  const auto event = std::make_shared<Event>();
  std::vector<int> order;  // no lock: the event orders the queues
  for (int turn = 0; turn < 100; ++turn) {
    const auto value = static_cast<std::uint64_t>(turn) * 2;
    other->submit(wait(event, value + 1));
    other->submit(host([&order, turn] { order.push_back(2 * turn + 1); }));
    other->submit(signal(event, value + 2));
    launcher.queue().submit(wait(event, value));
    launcher.queue().submit(host([&order, turn] { order.push_back(2 * turn); }));
    launcher.queue().submit(signal(event, value + 1));
  }
  other->flush();
  launcher.queue().flush();
  CHECK(other->synchronize().ok());
  CHECK(launcher.queue().synchronize().ok());
  REQUIRE(order.size() == 200);
  CHECK(std::ranges::is_sorted(order));
}

TEST_CASE("event: a queue that waits leaves the worker to others") {
  Launcher launcher(1);
  const auto event = std::make_shared<Event>();
  const auto waiting = CommandQueue::create(launcher.pool());
  std::atomic<bool> over{false};
  waiting->submit(wait(event, 1));
  waiting->submit(host([&] { over = true; }));
  waiting->flush();
  std::atomic<bool> ran{false};
  launcher.queue().submit(host([&] {
    ran = true;
    ran.notify_all();
  }));
  launcher.queue().flush();
  ran.wait(false);
  CHECK_FALSE(over);
  event->signal(1);
  CHECK(waiting->synchronize().ok());
  CHECK(over);
}

TEST_CASE("event: the host waits for queues, and queues for the host") {
  Launcher launcher(GENERATE(1u, 3u));
  const auto event = std::make_shared<Event>();
  std::uint64_t seen = 0;
  launcher.queue().submit(wait(event, 10));
  launcher.queue().submit(host([&] { seen = event->value(); }));
  launcher.queue().submit(signal(event, 20));
  launcher.queue().flush();
  event->signal(10);
  CHECK(event->wait(20));
  CHECK(seen == 10);
}

TEST_CASE("event: cancelling ends a wait, started or not") {
  Launcher launcher(GENERATE(1u, 2u));
  const bool is_started = GENERATE(true, false);
  const auto event = std::make_shared<Event>();
  bool host_ran = false;
  std::atomic<bool> before{false};
  launcher.queue().submit(host([&] {
    before = true;
    before.notify_all();
  }));
  launcher.queue().submit(wait(event, 1));
  launcher.queue().submit(host([&] { host_ran = true; }));
  if (is_started) {
    launcher.queue().flush();
    before.wait(false);
  }
  launcher.queue().cancel();
  CHECK(launcher.queue().synchronize().cancelled);
  CHECK(host_ran);
  event->signal(1);  // nobody is left to be told
}

TEST_CASE("event: waits for one that is closed end with an error") {
  Launcher launcher(GENERATE(1u, 2u));
  const auto event = std::make_shared<Event>();
  event->signal(2);
  bool later = false;
  launcher.queue().submit(wait(event, 2));
  launcher.queue().submit(wait(event, 3));
  launcher.queue().submit(host([&] { later = true; }));
  launcher.queue().flush();
  std::thread closer([&] { event->close(); });
  CHECK_THROWS_WITH(event->wait(3), kDestroyed);
  closer.join();
  const Outcome outcome = launcher.queue().synchronize();
  REQUIRE(outcome.exception);
  CHECK_THROWS_WITH(std::rethrow_exception(outcome.exception), kDestroyed);
  CHECK(later);
  CHECK(event->wait(2));
}

TEST_CASE("event: signals, waits and cancels from many threads end") {
  Launcher launcher(2);
  for (int round = 0; round < 100; ++round) {
    const auto event = std::make_shared<Event>();
    for (std::uint64_t value = 1; value <= 8; ++value) launcher.queue().submit(wait(event, value));
    launcher.queue().flush();
    std::thread signaller([&] {
      for (std::uint64_t value = 1; value <= 8; ++value) event->signal(value);
    });
    std::thread canceller([&] { launcher.queue().cancel(); });
    launcher.queue().synchronize();
    signaller.join();
    canceller.join();
  }
}
