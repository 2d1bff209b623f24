// multifrontal INPUT ...: factors a sparse symmetric matrix on a Weft device, solves with it, and says what that took.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <new>

#include "examples/multifrontal/device_factors.h"
#include "examples/multifrontal/grid.h"
#include "examples/multifrontal/peer.h"

namespace {

using namespace multifrontal;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Settings {
  std::string input, device, execution = "all", large_fronts = "blas";
  std::uint32_t lattice = 0, copies = 1, tie_lines = 8, threads = 0, tasks = 64, large = 192, repeats = 1;
  bool reproducible = false, compare = false;
};

void parse(CLI::App& app, Settings& s) {
  app.add_option("input", s.input, "Matrix Market file (.mtx), or MATPOWER case (.m): its optimal power flow");
  app.add_option("--lattice", s.lattice, "instead of a file: a grid of N x N buses")->check(CLI::Range(1U, 4096U));
  app.add_option("--copies", s.copies, "of the grid, in a row")->check(CLI::Range(1U, 1024U))->capture_default_str();
  app.add_option("--tie-lines", s.tie_lines, "between one copy and the next")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  app.add_option("--execution", s.execution, "levels, graph, fused or all")
      ->check(CLI::IsMember({"levels", "graph", "fused", "all"}))
      ->capture_default_str();
  app.add_flag("--reproducible", s.reproducible, "the same bits each time and in each execution");
  app.add_option("--tasks", s.tasks, "about so many")->check(CLI::Range(1U, 65536U))->capture_default_str();
  app.add_option("--large", s.large, "rows from which on a front is large")
      ->check(CLI::Range(2U, 1U << 31U))
      ->capture_default_str();
  app.add_option("--large-fronts", s.large_fronts, "blas: on the host; blocks: many blocks of kernels")
      ->check(CLI::IsMember({"blas", "blocks"}))
      ->capture_default_str();
  app.add_option("--repeat", s.repeats, "factorisations, of which the fastest counts")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  app.add_flag("--compare", s.compare, "also factor with CHOLMOD");
  app.add_option("--device", s.device, "cpu, interp, or another that there is; empty: WEFT_DEVICE, else cpu");
  app.add_option("--threads", s.threads, "threads; 0: all");
}

SymmetricMatrix read(const Settings& s) {
  if (s.input.empty() == (s.lattice == 0)) {
    throw std::runtime_error("expected a file or --lattice N, and not both");
  }
  if (s.input.ends_with(".mtx")) {
    if (s.copies > 1) {
      throw std::runtime_error("--copies is for grids, not for matrices");
    }
    return read_matrix_market(s.input);
  }
  if (!s.input.empty() && !s.input.ends_with(".m")) {
    throw std::runtime_error(fmt::format("{}: unknown ending, expected .mtx or .m", s.input));
  }
  const Grid grid =
      join_copies(s.input.empty() ? lattice_grid(s.lattice, s.lattice) : read_matpower(s.input), s.copies, s.tie_lines);
  fmt::print("grid     {} buses, {} generators, {} branches\n", grid.buses.size(), grid.generators.size(),
             grid.branches.size());
  return condensed_kkt(grid);
}

// Nowhere 0, and in the range of no singular matrix, or so one hopes.
std::vector<double> right_side(const SymmetricMatrix& matrix) {
  std::vector<double> b(matrix.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = std::sin(static_cast<double>(i + 1));
  }
  return b;
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) * 1e-6; }

double run_execution(const Settings& s, const weft::Device& device, const SymmetricMatrix& matrix,
                     const Analysis& analysis, const char* name, Execution execution) {
  const auto solver =
      make_device_factorisation(device, analysis,
                                {.execution = execution,
                                 .large_fronts = s.large_fronts == "blas" ? LargeFronts::blas : LargeFronts::blocks,
                                 .reproducible = s.reproducible});
  double seconds = INFINITY;
  Factors factors;
  for (std::uint32_t i = 0; i < s.repeats; ++i) {
    factors = solver->factor(matrix);
    seconds = std::min(seconds, solver->seconds());
  }
  const Solution solution = solve(matrix, analysis, factors, right_side(matrix));
  const MemoryReport memory = solver->memory();
  fmt::print("{:<8} {:6.3f} s  {:.2f} Gflop/s, residual {:.1e} after {} refinements, {} pivots replaced\n", name,
             seconds, analysis.flops / seconds * 1e-9, solution.residual, solution.refinements, factors.perturbed);
  fmt::print(
      "         memory {:.2f} MB private slots, {:.2f} MB aliased ({:.2f} of them), {:.2f} MB serial; {:.2f} MB on the "
      "host\n",
      megabytes(memory.private_slots), megabytes(memory.aliased),
      static_cast<double>(memory.aliased) / static_cast<double>(memory.private_slots), megabytes(memory.serial),
      megabytes(memory.host));
  return seconds;
}

void run(const Settings& s) {
  auto start = Clock::now();
  const SymmetricMatrix matrix = read(s);
  fmt::print("read     {:6.3f} s  {} rows, {} entries\n", seconds_since(start), matrix.size(), matrix.entries());
  start = Clock::now();
  const Analysis analysis = analyse(matrix, {.tasks_wanted = s.tasks, .large_front = s.large});
  std::uint32_t largest = 0;
  for (const Front& front : analysis.fronts) {
    largest = std::max(largest, front.size());
  }
  fmt::print(
      "analyse  {:6.3f} s  {} fronts, largest {}, {} tasks on {} levels, {:.1f} million entries of L, {:.2f} Gflop\n",
      seconds_since(start), analysis.fronts.size(), largest, analysis.tasks.size(), analysis.levels,
      static_cast<double>(analysis.panel_elements) * 1e-6, analysis.flops * 1e-9);
  const weft::Device device(s.device, {.threads = s.threads});
  double best = INFINITY;
  if (s.execution == "levels" || s.execution == "all") {
    best = std::min(best, run_execution(s, device, matrix, analysis, "levels", Execution::levels));
  }
  if (s.execution == "graph" || s.execution == "all") {
    best = std::min(best, run_execution(s, device, matrix, analysis, "graph", Execution::graph));
  }
  if (s.execution == "fused" || s.execution == "all") {
    best = std::min(best, run_execution(s, device, matrix, analysis, "fused", Execution::fused));
  }
  if (s.compare) {
    const Peer peer = factor_with_cholmod(matrix, right_side(matrix), s.repeats);
    fmt::print("cholmod  {:6.3f} s  {}, residual {:.1e}\n", peer.seconds, peer.method, peer.residual);
    fmt::print("ratio    {:.2f} of CHOLMOD's time\n", best / peer.seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Factors a sparse symmetric matrix on a Weft device, by the multifrontal method"};
  Settings settings;
  parse(app, settings);
  CLI11_PARSE(app, argc, argv);
  try {
    run(settings);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "multifrontal: not enough memory for this matrix\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "multifrontal: {}\n", error.what());
    return 1;
  }
  return 0;
}
