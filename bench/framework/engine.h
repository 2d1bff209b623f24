// An engine runs problems: hand-written C++, Weft, PoCL, lavapipe, each with one thread or with all.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/framework/problem.h"

namespace weft::bench {

// A problem that an engine is ready to run.
class Run {
 public:
  virtual ~Run() = default;
  // Gives all buffers their initial content.
  virtual void restore() = 0;
  // All launches, and waits for their end.
  virtual void run() = 0;
  virtual void download(std::size_t buffer, Data& to) = 0;
};

enum class Kind { hand, weft, peer };

class Engine {
 public:
  Engine(Kind kind, std::string name, unsigned threads) : kind(kind), name(std::move(name)), threads(threads) {}
  virtual ~Engine() = default;
  // Compiles the problem's kernels, which has to outlive the run. Null if the problem has none for this engine. Throws
  // std::exception if compiling fails.
  virtual std::unique_ptr<Run> prepare(const Problem& problem) = 0;

  const Kind kind;
  const std::string name;
  const unsigned threads;
};

using Engines = std::vector<std::unique_ptr<Engine>>;

std::unique_ptr<Engine> make_hand(unsigned threads);
std::unique_ptr<Engine> make_weft(unsigned threads, bool unchecked);

// A peer with one thread and with all, or none and why.
struct Peers {
  Engines engines;
  std::string absent;  // empty if there are engines
};
Peers make_opencl(unsigned threads);
Peers make_vulkan(unsigned threads);

}  // namespace weft::bench
