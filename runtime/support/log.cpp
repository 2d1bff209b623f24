// The sink and the level of the log. Both are process-wide, made on first use and never destroyed, so that a thread
// that outlives static destruction can still log.
#include "runtime/support/log.h"

#include "runtime/support/env.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace weft {
namespace {

// The words of WEFT_LOG, in the order of LogLevel.
constexpr std::array<std::string_view, 6> kLevelWords = {"trace", "debug", "info", "warn", "error", "off"};
constexpr std::array<spdlog::level::level_enum, 6> kSpdlogLevels = {spdlog::level::trace, spdlog::level::debug,
                                                                    spdlog::level::info,  spdlog::level::warn,
                                                                    spdlog::level::err,   spdlog::level::off};

LogSink make_default_sink() {
  // The logger stays out of spdlog's registry: the host may use spdlog for its own ends.
  auto logger = std::make_shared<spdlog::logger>("weft", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("[%n] [%^%l%$] %v");
  logger->set_level(spdlog::level::trace);
  logger->flush_on(spdlog::level::warn);
  return [logger](LogLevel level, std::string_view text) {
    logger->log(kSpdlogLevels[static_cast<std::size_t>(level)], spdlog::string_view_t(text.data(), text.size()));
  };
}

LogLevel level_from_word(std::string_view word) {
  for (std::size_t i = 0; i < kLevelWords.size(); ++i) {
    if (word == kLevelWords[i]) return static_cast<LogLevel>(i);
  }
  return LogLevel::warn;
}

class LogState {
 public:
  LogState() : sink_(std::make_shared<const LogSink>(make_default_sink())) {
    const env::Reading reading = env::read(env::Id::log);
    level_.store(level_from_word(reading.value), std::memory_order_relaxed);
    if (!reading.problem.empty()) (*sink_)(LogLevel::warn, reading.problem);
  }

  // The level orders nothing: a message that races with a change of level may go either way.
  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }

  void set_sink(LogSink sink) {
    auto next = std::make_shared<const LogSink>(sink ? std::move(sink) : make_default_sink());
    const std::lock_guard lock(mutex_);
    sink_.swap(next);
  }

  // The sink is called outside the lock, so that it may log, or replace itself.
  void write(LogLevel level, std::string_view text) {
    std::shared_ptr<const LogSink> sink;
    {
      const std::lock_guard lock(mutex_);
      sink = sink_;
    }
    (*sink)(level, text);
  }

 private:
  std::mutex mutex_;  // guards sink_
  std::shared_ptr<const LogSink> sink_;
  std::atomic<LogLevel> level_{LogLevel::warn};
};

LogState& state() {
  static LogState* const instance = new LogState;
  return *instance;
}

}  // namespace

void set_log_sink(LogSink sink) { state().set_sink(std::move(sink)); }
void set_log_level(LogLevel level) { state().set_level(level); }
LogLevel log_level() { return state().level(); }
void log_message(LogLevel level, std::string_view text) { state().write(level, text); }

}  // namespace weft
