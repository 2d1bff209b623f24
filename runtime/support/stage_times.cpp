#include "runtime/support/stage_times.h"

#include <fmt/format.h>

#include <ctime>
#include <numeric>

namespace weft {
namespace {

thread_local CollectStageTimes* g_collector = nullptr;

std::uint64_t thread_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

double milliseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace

std::uint64_t StageTimes::total_ns() const { return std::accumulate(ns.begin(), ns.end(), std::uint64_t{0}); }

std::string StageTimes::text() const {
  std::string parts;
  for (std::size_t i = 0; i < kStageCount; ++i) {
    if (ns[i] == 0) continue;
    parts += fmt::format("{}{} {:.2f}", parts.empty() ? "" : ", ", kStageNames[i], milliseconds(ns[i]));
  }
  return fmt::format("{:.2f} ms ({})", milliseconds(total_ns()), parts);
}

CollectStageTimes::CollectStageTimes(StageTimes& times) : times_(times), outer_(g_collector) { g_collector = this; }

CollectStageTimes::~CollectStageTimes() { g_collector = outer_; }

StageScope::StageScope(Stage stage) : stage_(stage), collector_(g_collector) {
  if (collector_ == nullptr) return;
  account(*collector_);
  outer_ = collector_->innermost_;
  collector_->innermost_ = this;
}

StageScope::~StageScope() {
  if (collector_ == nullptr) return;
  account(*collector_);
  collector_->innermost_ = outer_;
}

void StageScope::account(CollectStageTimes& collector) {
  const std::uint64_t now = thread_cpu_ns();
  if (const StageScope* running = collector.innermost_) {
    collector.times_.ns[static_cast<std::size_t>(running->stage_)] += now - collector.running_since_ns_;
  }
  collector.running_since_ns_ = now;
}

}  // namespace weft
