// weft-bench: kernels on Weft, beside the same work written by hand and on other implementations of compute on a CPU,
// in one process. docs/benchmarks.md says how to read what it prints.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/framework/report.h"

namespace weft::bench {
namespace {

struct Options {
  Settings settings;
  std::vector<std::string> filters, engines;
  std::string json;
  bool quick = false, list = false;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
};

void parse(CLI::App& app, Options& o) {
  app.add_option("--filter", o.filters, "only benchmarks whose name contains one of these");
  app.add_option("--engines", o.engines, "only engines whose name contains one of these, and hand-written code");
  app.add_option("--rounds", o.settings.rounds, "timed runs of each, interleaved")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "how many all threads are")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  app.add_option("--json", o.json, "file for all figures");
  app.add_flag("--quick", o.quick, "tiny sizes, one round: checks results");
  app.add_flag("--list", o.list, "names all benchmarks");
}

bool is_wanted(const std::string& name, const std::vector<std::string>& parts) {
  return parts.empty() ||
         std::ranges::any_of(parts, [&](const std::string& part) { return name.find(part) != std::string::npos; });
}

Engines make_engines(const Options& o) {
  Engines all;
  all.push_back(make_hand(1));
  all.push_back(make_hand(o.threads));
  all.push_back(make_weft(1, false));
  all.push_back(make_weft(o.threads, false));
  all.push_back(make_weft(1, true));
  for (const auto& make : {make_opencl, make_vulkan}) {
    Peers peers = make(o.threads);
    if (!peers.absent.empty()) {
      fmt::print("skipped {}\n", peers.absent);
    }
    std::ranges::move(peers.engines, std::back_inserter(all));
  }
  std::erase_if(all, [&](const std::unique_ptr<Engine>& engine) {
    return engine->kind != Kind::hand && !is_wanted(engine->name, o.engines);
  });
  return all;
}

// Whether hand-written code and Weft gave right results everywhere; a peer that does not is its own matter.
bool run(Options& o) {
  if (o.quick) {
    o.settings.scale = Scale::tiny;
    o.settings.rounds = 1;
  }
  const Engines engines = make_engines(o);
  std::vector<Report> reports;
  bool right = true;
  for (const Registration* benchmark : benchmarks()) {
    if (!is_wanted(benchmark->name, o.filters)) {
      continue;
    }
    reports.push_back({benchmark, measure(*benchmark, engines, o.settings)});
    fmt::print("{}", lines_of(reports.back()));
    std::fflush(stdout);
    right &= std::ranges::none_of(
        reports.back().rows, [](const Row& row) { return row.engine->kind != Kind::peer && !row.failure.empty(); });
  }
  fmt::print("\n{}", table_of(reports));
  if (!o.json.empty()) {
    std::ofstream(o.json) << json_of(reports).dump(2) << "\n";
  }
  return right;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  CLI::App app{"Kernels on Weft beside hand-written code, PoCL and lavapipe"};
  weft::bench::Options options;
  parse(app, options);
  CLI11_PARSE(app, argc, argv);
  if (options.list) {
    for (const weft::bench::Registration* benchmark : weft::bench::benchmarks()) {
      fmt::print("{:<24} {}\n", benchmark->name, benchmark->what);
    }
    return 0;
  }
  try {
    return weft::bench::run(options) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "weft-bench: {}\n", error.what());
    return 2;
  }
}
