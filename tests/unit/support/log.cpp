#include "runtime/support/log.h"

#include "tests/unit/death.h"
#include "tests/unit/support/capture.h"
#include "tests/unit/support/environment.h"

#include <weft/version.h>

#include <catch2/catch.hpp>

#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace weft;
using test::LogCapture;

TEST_CASE("log: the sink gets the messages that pass the level, formatted") {
  const LogCapture capture(LogLevel::info);
  log_debug("below {}", 1);
  log_info("at {}", 2);
  log_error("above {}", 3);
  const auto messages = capture.messages();
  REQUIRE(messages.size() == 2);
  CHECK(messages[0] == std::pair(LogLevel::info, std::string("at 2")));
  CHECK(messages[1] == std::pair(LogLevel::error, std::string("above 3")));
}

TEST_CASE("log: off drops everything") {
  const LogCapture capture(LogLevel::off);
  log_error("lost");
  CHECK(capture.messages().empty());
}

// Run by the test below in a process of its own, as the environment is read once.
TEST_CASE("log: one message of each level", "[.each_level]") {
  log(LogLevel::trace, "t");
  log_debug("d");
  log_info("i {}", 1);
  log_warn("w");
  log_error("e");
}

TEST_CASE("log: without a sink messages go to standard error, at the level of WEFT_LOG") {
  const auto logged_with = [](const char* level) {
    const test::ScopedVariable variable("WEFT_LOG", level);
    return test::death_of([] { execl("/proc/self/exe", "unit_support", "[.each_level]", "-o", "/dev/null", nullptr); })
        .text;
  };
  const std::string from_warn = "[weft] [warning] w\n[weft] [error] e\n";
  CHECK(logged_with(nullptr) == from_warn);
  CHECK(logged_with("info") == "[weft] [info] i 1\n" + from_warn);
  CHECK(logged_with("trace") == "[weft] [trace] t\n[weft] [debug] d\n[weft] [info] i 1\n" + from_warn);
  CHECK(logged_with("off").empty());
  CHECK(logged_with("loud") ==
        "[weft] [warning] environment variable WEFT_LOG is 'loud', expected one of trace|debug|info|warn|error|off; "
        "using warn\n" +
            from_warn);
}

TEST_CASE("log: a sink may log and replace itself") {
  const LogCapture restores_the_sink(LogLevel::info);
  std::vector<std::string> seen;
  set_log_sink([&seen](LogLevel, std::string_view text) {
    seen.emplace_back(text);
    set_log_sink([&seen](LogLevel, std::string_view later) { seen.push_back("second " + std::string(later)); });
    log_info("from within");
  });
  log_info("first");
  CHECK(seen == std::vector<std::string>{"first", "second from within"});
}

TEST_CASE("log: threads may log while the sink is replaced, and no message is lost") {
  const LogCapture restores_the_sink(LogLevel::info);
  constexpr int kThreads = 4;
  constexpr int kMessages = 500;
  std::atomic<int> count{0};
  const auto counting = [&count](LogLevel, std::string_view) { count.fetch_add(1, std::memory_order_relaxed); };
  set_log_sink(counting);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < kMessages; ++j) log_info("message {}", j);
    });
  }
  for (int i = 0; i < 100; ++i) set_log_sink(counting);
  for (std::thread& thread : threads) thread.join();
  CHECK(count.load() == kThreads * kMessages);
}

TEST_CASE("version: library and header agree in one build") { CHECK(std::string(version()) == WEFT_VERSION_STRING); }
