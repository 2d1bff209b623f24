#include "runtime/trace.h"

#include "runtime/fork_guard.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>

namespace weft::runtime {
namespace {

using TimePoint = CommandTimes::Clock::time_point;

// The two groups of rows.
constexpr int kThreads = 1;
constexpr int kQueues = 2;

double microseconds(CommandTimes::Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

// Small numbers for threads, in the order in which they first trace something.
unsigned thread_number() {
  static std::atomic<unsigned> next{0};  // orders nothing
  thread_local const unsigned number = next.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

class Trace {
 public:
  std::atomic<bool> is_on{false};

  void start(const std::filesystem::path& path) {
    stop();
    const std::lock_guard lock(mutex_);
    file_ = std::fopen(path.c_str(), "w");
    if (file_ == nullptr) throw FileError(fmt::format("the trace '{}' cannot be written", path.string()));
    fork_guard_ = ForkGuard();
    named_.clear();
    is_empty_ = true;
    begin_ = CommandTimes::Clock::now();
    std::fputs("[", file_);
    name("process_name", kThreads, 0, "threads");
    name("process_name", kQueues, 0, "streams");
    is_on.store(true, std::memory_order_relaxed);
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    is_on.store(false, std::memory_order_relaxed);
    if (file_ == nullptr || fork_guard_.in_child()) return;
    std::fputs("\n]\n", file_);
    std::fclose(file_);
    file_ = nullptr;
  }

  void add_thread_span(const char* label, TimePoint begin, TimePoint end) {
    const std::lock_guard lock(mutex_);
    if (!is_open()) return;
    const unsigned thread = thread_number();
    name_once(kThreads, thread, "thread");
    add(fmt::format(R"("ph":"X","name":"{}","cat":"thread","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f})", escaped(label),
                    kThreads, thread, microseconds(begin - begin_), microseconds(end - begin)));
  }

  // As a pair of asynchronous events: commands of one queue may overlap.
  void add_command(std::uint64_t queue, const char* label, const CommandTimes& times) {
    const std::lock_guard lock(mutex_);
    if (!is_open()) return;
    name_once(kQueues, queue, "stream");
    const std::string common = fmt::format(R"("name":"{}","cat":"stream {}","pid":{},"tid":{},"id":{})", escaped(label),
                                           queue, kQueues, queue, ++commands_);
    const TimePoint started = times.skipped ? times.ended : times.started;
    add(fmt::format(R"("ph":"b",{},"ts":{:.3f},"args":{{"queued us":{:.3f},"threads":{},"skipped":{}}})", common,
                    microseconds(started - begin_), microseconds(started - times.submitted), times.threads,
                    times.skipped));
    add(fmt::format(R"("ph":"e",{},"ts":{:.3f})", common, microseconds(times.ended - begin_)));
  }

 private:
  bool is_open() const { return file_ != nullptr && !fork_guard_.in_child(); }

  void add(const std::string& fields) {
    fmt::print(file_, "{}\n{{{}}}", is_empty_ ? "" : ",", fields);
    is_empty_ = false;
  }

  void name(const char* kind, int group, std::uint64_t row, const std::string& text) {
    add(fmt::format(R"("ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":"{}"}})", kind, group, row, text));
  }

  void name_once(int group, std::uint64_t row, const char* what) {
    if (named_.emplace(group, row).second) name("thread_name", group, row, fmt::format("{} {}", what, row));
  }

  std::mutex mutex_;  // guards what follows
  std::FILE* file_ = nullptr;
  ForkGuard fork_guard_;  // a child has the file, too, and must not write into it
  TimePoint begin_;
  bool is_empty_ = true;
  std::uint64_t commands_ = 0;
  std::set<std::pair<int, std::uint64_t>> named_;
};

// Never destroyed: threads may trace until the process ends.
Trace& trace() {
  static Trace* const instance = [] {
    std::atexit([] { stop_trace(); });
    return new Trace;
  }();
  return *instance;
}

}  // namespace

void start_trace(const std::filesystem::path& file) { trace().start(file); }
void stop_trace() { trace().stop(); }
bool is_tracing() { return trace().is_on.load(std::memory_order_relaxed); }

void trace_command(std::uint64_t queue, const char* label, const CommandTimes& times) {
  trace().add_command(queue, label, times);
}

void TraceScope::end() const { trace().add_thread_span(label_, begin_, Clock::now()); }

}  // namespace weft::runtime
