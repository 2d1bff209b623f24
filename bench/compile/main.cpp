// Compile time by the size of a kernel: CPU time of each stage in nanoseconds for each op. What grows with the number
// of ops in a row is not linear.
//
//   bench_compile --flavour branches --barriers 8 --ops 1000 --ops 10000 --effort full
#include "bench/compile/generate.h"

#include "codegen/ir/verify/verify.h"
#include "codegen/jit/compile.h"
#include "codegen/jit/object_key.h"
#include "runtime/support/stage_times.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace weft::bench {
namespace {

struct Options {
  std::vector<std::size_t> ops{100, 1000, 10'000, 100'000};
  std::vector<std::size_t> barriers{0, 8};
  std::vector<Flavour> flavours{Flavour::arithmetic, Flavour::memory, Flavour::branches, Flavour::loops,
                                Flavour::mixed};
  jit::CompileOptions compile;
};

struct Measured {
  jit::CompileStats stats;
  StageTimes times;
  std::uint64_t key_ns = 0;
};

std::uint64_t key_ns(const ir::Module& module, const jit::CompileOptions& options) {
  StageTimes times;
  const CollectStageTimes collect(times);
  const StageScope scope(Stage::look_up);
  (void)jit::object_key(module, options, *jit::resolve_target(options.cpu));
  return times[Stage::look_up];
}

Measured measure(const KernelShape& shape, const jit::CompileOptions& options) {
  Measured out;
  const CollectStageTimes collect(out.times);
  const auto module = ir::parse_verified(generate_kernel(shape), "generated.weft");
  WEFT_CHECK(module.has_value(), "{}", print(module.diagnostics()));
  out.key_ns = key_ns(**module, options);
  const auto object = jit::compile(**module, options);
  WEFT_CHECK(object.has_value(), "{}", print(object.diagnostics()));
  const auto loaded = jit::load(object->bytes, "k");
  WEFT_CHECK(loaded.has_value(), "{}", print(loaded.diagnostics()));
  out.stats = object->stats;
  return out;
}

std::uint64_t peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) / 1024;
}

void print_header() {
  fmt::print("{:<12}{:>9}{:>9}{:>6}{:>9}{:>11}", "kernel", "barriers", "ops", "width", "effort", "form");
  for (const std::string_view stage : kStageNames) fmt::print("{:>9}", stage);
  fmt::print("{:>9}{:>11}{:>9}{:>10}\n", "key", "total ms", "B/op", "peak MiB");
}

void print_row(const KernelShape& shape, const Measured& m) {
  const auto per_op = [&](std::uint64_t total) { return total / std::max<std::size_t>(m.stats.ir_ops, 1); };
  fmt::print("{:<12}{:>9}{:>9}{:>6}{:>9}{:>11}", kFlavourNames[static_cast<std::size_t>(shape.flavour)], shape.barriers,
             m.stats.ir_ops, m.stats.width, m.stats.effort, m.stats.form.empty() ? "-" : m.stats.form);
  for (const std::uint64_t ns : m.times.ns) fmt::print("{:>9}", per_op(ns));
  fmt::print("{:>9}{:>11.1f}{:>9}{:>10}\n", per_op(m.key_ns), static_cast<double>(m.times.total_ns()) / 1e6,
             per_op(m.stats.object_bytes), peak_mib());
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  Options options;
  std::map<std::string, Flavour> flavours;
  for (std::size_t i = 0; i < std::size(kFlavourNames); ++i) {
    flavours.emplace(kFlavourNames[i], static_cast<Flavour>(i));
  }
  static const std::map<std::string, jit::Effort> efforts{{"auto", jit::Effort::automatic},
                                                          {"minimal", jit::Effort::minimal},
                                                          {"reduced", jit::Effort::reduced},
                                                          {"full", jit::Effort::full}};
  static const std::map<std::string, jit::Form> forms{
      {"auto", jit::Form::automatic}, {"coroutines", jit::Form::coroutines}, {"fission", jit::Form::fission}};
  CLI::App app("Compile time by the size of a kernel, in ns of CPU time for each op", "bench_compile");
  app.add_option("--ops", options.ops, "Number of ops");
  app.add_option("--barriers", options.barriers, "Number of barriers");
  app.add_option("--flavour", options.flavours, "What the kernel does")->transform(CLI::CheckedTransformer(flavours));
  app.add_option("--width", options.compile.width, "Pack width");
  app.add_option("--effort", options.compile.effort, "Effort")->transform(CLI::CheckedTransformer(efforts));
  app.add_option("--form", options.compile.form, "Form")->transform(CLI::CheckedTransformer(forms));
  CLI11_PARSE(app, argc, argv);
  print_header();
  for (const Flavour flavour : options.flavours) {
    for (const std::size_t barriers : options.barriers) {
      for (const std::size_t ops : options.ops) {
        const KernelShape shape{ops, barriers, flavour};
        print_row(shape, measure(shape, options.compile));
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) { return weft::bench::main(argc, argv); }
