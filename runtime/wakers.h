// Who may still wake a dispatch whose blocks all wait: commands of any queue of the process that are ready or go on by
// themselves, and the host, as long as no thread of it waits for Weft. What only waits for others (an event, a dispatch
// all of whose blocks wait, a function of the host that waits for a queue) wakes nobody.
//
// While such a dispatch has no block to run, its threads rest here, and are told when something has happened anywhere.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace weft::runtime {

class CommandQueue;

class Wakers {
 public:
  static Wakers& instance();

  void add(CommandQueue& queue);
  void remove(const CommandQueue& queue);

  // Whether nothing is left in the process that could wake what is stuck, the asking dispatch among it. Queues whose
  // ready commands nobody was told of are flushed.
  bool none_left();

  // Something has happened that may have woken somebody.
  void pulse() {
    if (resting_.load(std::memory_order_seq_cst) > 0) wake();
  }

  // While it exists, pulses count; make it before looking for the last time whether there is something to do.
  class Rest {
   public:
    Rest();
    ~Rest();
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;
    // Until there has been a pulse, or for `longest`.
    void wait(std::chrono::nanoseconds longest);

   private:
    std::uint64_t seen_;  // pulses before
  };

 private:
  friend class HostWait;

  Wakers() = default;
  void wake();

  std::mutex queues_mutex_;
  std::vector<CommandQueue*> queues_;
  std::atomic<unsigned> waiting_hosts_{0};  // threads of the host that wait for Weft, without a limit

  std::mutex rest_mutex_;
  std::condition_variable pulsed_;
  std::atomic<unsigned> resting_{0};
  std::atomic<std::uint64_t> pulses_{0};
};

// Whether a function of the host that a queue runs does nothing but wait for Weft.
class WaitingHost {
 public:
  // A number that changes when it stops waiting; none while it does not wait.
  std::optional<std::uint64_t> stuck_since() const {
    const std::uint64_t changes = changes_.load(std::memory_order_acquire);
    return changes % 2 == 1 ? std::optional(changes) : std::nullopt;
  }

  // The calling thread runs the function until the end of the scope.
  class Scope {
   public:
    explicit Scope(WaitingHost& host);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    WaitingHost* const outer_;
  };

 private:
  friend class HostWait;
  std::atomic<std::uint64_t> changes_{0};  // odd while it waits
};

// The calling thread waits for Weft, with no limit, until the end of the scope.
class HostWait {
 public:
  HostWait();
  ~HostWait();
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;

 private:
  WaitingHost* const function_;  // that it is inside of; null: the host's own thread
};

}  // namespace weft::runtime
