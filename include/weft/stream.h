// Streams and what they run. The commands of a stream take effect one after the other, in the order in which they were
// submitted: those that touch the same bytes, of a buffer or of the host's memory, wait for each other, others may
// overlap. Functions of the host, signals and waits keep their place among all others. Streams run side by side.
//
//   stream << in.upload(data) << shader(in, out).dispatch(n) << out.download(result) << synchronize();
//
// Submitting returns at once; the commands run on worker threads, and on the calling thread while it synchronises. What
// a command cannot do (sizes, types, a buffer of another device) is thrown where the command is made or submitted; what
// goes wrong while it runs is thrown by the next synchronize().
#pragma once

#include <weft/export.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft {

class Device;

namespace detail {
struct CommandState;
struct StreamState;
}  // namespace detail

// Something for a stream to do, made by buffers and shaders; submitted once.
class WEFT_API Command {
 public:
  explicit Command(std::unique_ptr<detail::CommandState> state);
  Command(Command&& other) noexcept;
  Command& operator=(Command&& other) noexcept;
  ~Command();

 protected:
  friend class Stream;
  friend class GraphBuilder;
  std::unique_ptr<detail::CommandState> state_;
};

// A dispatch of a shader.
class WEFT_API DispatchCommand : public Command {
 public:
  using Command::Command;

  // `progress` is told the number of blocks done and of all blocks, now and then, from any thread but one call at a
  // time; the last call of a dispatch that ran to its end has both equal. Returning false cancels the dispatch. What it
  // throws cancels too and comes out of synchronize().
  DispatchCommand on_progress(std::function<bool(std::uint64_t done, std::uint64_t total)> progress) &&;
};

// A function of the host, run when the stream comes to it, on any thread. It may make and run other work, but may not
// wait for its own stream. What it throws comes out of synchronize().
[[nodiscard]] WEFT_API Command host_callback(std::function<void()> function);

// How a command went.
struct CommandProfile {
  std::string command;                              // "dispatch of kernel 'kinetic'"
  std::chrono::steady_clock::time_point submitted;  // to the stream
  std::chrono::nanoseconds queued{};                // from then to its start
  std::chrono::nanoseconds run{};                   // from its start to its end
  unsigned threads = 0;                             // that took part
  bool skipped = false;                             // it depended on a command that failed, and did not run
};

// `stream << synchronize()` is stream.synchronize().
struct Synchronize {};
[[nodiscard]] constexpr Synchronize synchronize() { return {}; }

// Made by Device::create_stream(). Destroying a stream finishes what was submitted.
class WEFT_API Stream {
 public:
  Stream() = default;
  explicit Stream(std::shared_ptr<detail::StreamState> state) : state_(std::move(state)) {}
  Stream(Stream&&) = default;
  Stream& operator=(Stream&&) = default;

  // The rest of a chain of commands; when the chain ends, workers are told of them.
  class WEFT_API Chain {
   public:
    explicit Chain(Stream& stream) : stream_(&stream) {}
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;
    ~Chain();
    Chain& operator<<(Command command);
    Chain& operator<<(Synchronize);

   private:
    Stream* stream_;
  };

  Chain operator<<(Command command);
  Stream& operator<<(Synchronize);

  // Waits for all that was submitted, taking part in it. Throws the first thing that went wrong since the last call:
  // KernelFault, DispatchCancelled, UsageError (what can only be known when a command begins), or what a function of
  // the host threw. Commands that were to use what a failed one should have written have not run then, all others have,
  // and the stream goes on working.
  void synchronize();

  // Ends what was submitted and is not finished: copies and waits, which then do not happen, and dispatches, between
  // two chunks of blocks (and inside of loops if the shader was compiled `interruptible`). Functions of the host and
  // signals still come in their turn. Any thread.
  void cancel();

  // Whether commands submitted from now on are profiled.
  void set_profiling(bool on);
  // The profiles of commands that have ended since the last call, in the order in which they ended.
  std::vector<CommandProfile> take_profiles();

 private:
  detail::StreamState& state() const;
  void submit(Command command);
  void flush();

  std::shared_ptr<detail::StreamState> state_;
};

}  // namespace weft
