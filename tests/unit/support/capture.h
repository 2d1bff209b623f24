// Collects log messages for the length of a scope, at every level.
#pragma once

#include <weft/log.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

class LogCapture {
 public:
  explicit LogCapture(LogLevel level) : level_before_(log_level()) {
    set_log_level(level);
    set_log_sink([messages = messages_](LogLevel at, std::string_view text) {
      const std::lock_guard lock(messages->mutex);
      messages->items.emplace_back(at, std::string(text));
    });
  }
  ~LogCapture() {
    set_log_sink({});
    set_log_level(level_before_);
  }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  std::vector<std::pair<LogLevel, std::string>> messages() const {
    const std::lock_guard lock(messages_->mutex);
    return messages_->items;
  }

 private:
  struct Messages {
    std::mutex mutex;
    std::vector<std::pair<LogLevel, std::string>> items;
  };
  LogLevel level_before_;
  std::shared_ptr<Messages> messages_ = std::make_shared<Messages>();
};

}  // namespace weft::test
