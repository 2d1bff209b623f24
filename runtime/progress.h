// Tells the host how far a dispatch is: from whichever thread has just finished a chunk of blocks, one call at a time,
// never backwards, and not more often than asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace weft::runtime {

struct ProgressOptions {
  // Called with the number of blocks done and of all blocks; the last call of a dispatch that ran to its end has both
  // equal. It may cancel, and may use the device, but may not wait for the stream it reports on.
  std::function<void(std::uint64_t, std::uint64_t)> function;
  std::chrono::nanoseconds interval = std::chrono::milliseconds(10);
};

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  Progress(ProgressOptions options, std::uint64_t total) : options_(std::move(options)), total_(total) {}

  bool is_wanted() const { return options_.function != nullptr; }

  // Reports if the interval has passed and no other thread is reporting. Passes on what the function throws.
  void report(std::uint64_t done, Clock::time_point now) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || now - reported_at_ < options_.interval || done <= reported_ || done == total_) return;
    reported_at_ = now;
    reported_ = done;
    options_.function(done, total_);
  }

  // The last report; no other thread reports any more.
  void report_end() { options_.function(total_, total_); }

 private:
  const ProgressOptions options_;
  const std::uint64_t total_;
  std::mutex mutex_;
  std::uint64_t reported_ = 0;
  Clock::time_point reported_at_ = Clock::now();
};

}  // namespace weft::runtime
