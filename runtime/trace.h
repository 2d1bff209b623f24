// A trace of what ran when, as a file that chrome://tracing and Perfetto (ui.perfetto.dev) open: one row for each
// thread with the commands that it took part in, and one for each queue with its commands from start to end, which says
// how long each was queued and on how many threads it ran.
//
// The file is valid at any time but for its last bracket, which both programs do without: a process that crashes leaves
// a trace. One trace at a time; while there is none, tracing costs one relaxed load for each command.
#pragma once

#include "runtime/command.h"

#include <cstdint>
#include <filesystem>

namespace weft::runtime {

// Ends the trace that there is, if any. Throws FileError.
void start_trace(const std::filesystem::path& file);
// Writes out what is left and closes the file. Without a trace it does nothing; the end of the process does the same.
void stop_trace();

// Whether anybody wants to know. Orders nothing.
bool is_tracing();

// A command from start to end; `queue` is the number of its queue.
void trace_command(std::uint64_t queue, const char* label, const CommandTimes& times);

// The calling thread took part in a command during the scope.
class TraceScope {
 public:
  explicit TraceScope(const char* label)
      : label_(is_tracing() ? label : nullptr), begin_(label_ == nullptr ? Clock::time_point{} : Clock::now()) {}
  ~TraceScope() {
    if (label_ != nullptr) end();
  }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  using Clock = CommandTimes::Clock;
  void end() const;

  const char* const label_;  // null: not traced
  const Clock::time_point begin_;
};

}  // namespace weft::runtime
