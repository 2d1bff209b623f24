// Runs a benchmark on all engines: prepares and warms up each, checks its results against the first's, then times them
// in interleaved rounds.
#pragma once

#include <string>
#include <vector>

#include "bench/framework/engine.h"
#include "bench/framework/registry.h"

namespace weft::bench {

struct Sample {
  double cpu_ms = 0;  // of the process, all threads
  double wall_ms = 0;
};

// What one engine did.
struct Row {
  const Engine* engine;
  std::string failure;          // empty if results were right
  double first_ms = 0;          // CPU time of compiling and the first run
  std::vector<Sample> samples;  // in the order of rounds

  [[nodiscard]] bool ok() const { return failure.empty() && !samples.empty(); }
  [[nodiscard]] Sample median() const;
  // Of CPU time: from the quarter to the three quarters of the samples, as a share of the median.
  [[nodiscard]] double spread() const;
};

struct Settings {
  Scale scale = Scale::full;
  unsigned rounds = 9;
  double budget_ms = 1500;  // of wall time for an engine's runs, beyond which it sits out all but three rounds
};

// Engines that have no form of the problem get no row.
std::vector<Row> measure(const Registration& benchmark, const Engines& engines, const Settings& settings);

}  // namespace weft::bench
