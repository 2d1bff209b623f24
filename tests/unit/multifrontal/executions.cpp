#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "examples/multifrontal/device_factors.h"
#include "examples/multifrontal/grid.h"

using namespace multifrontal;

namespace {

struct Problem {
  explicit Problem(std::uint32_t large_front)
      : analysis(analyse(matrix, {.level_width = 8, .segment_width = 16, .large_front = large_front})) {}

  SymmetricMatrix matrix = condensed_kkt(join_copies(lattice_grid(16, 16), 3));
  Analysis analysis;
  std::vector<double> right_side = multiply(matrix, std::vector<double>(matrix.size(), 1.0));
};

constexpr Execution kExecutions[] = {Execution::levels, Execution::graph, Execution::fused};
constexpr LargeFronts kLargeFronts[] = {LargeFronts::blocks, LargeFronts::blas};

// Its largest fronts have about 100 rows: more than one panel of pivots, and more than one chunk of rows.
const Problem& problem() {
  static const Problem problem(50);
  return problem;
}

Factors run(const Problem& problem, const DeviceOptions& options, std::uint32_t threads = 0) {
  const weft::Device device("cpu", {.threads = threads});
  return make_device_factorisation(device, problem.analysis, options)->factor(problem.matrix);
}

Factors run(Execution execution, LargeFronts large_fronts, bool reproducible, std::uint32_t threads = 0) {
  return run(problem(), {.execution = execution, .large_fronts = large_fronts, .reproducible = reproducible}, threads);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]) / (1 + std::abs(b[i])));
  }
  return largest;
}

}  // namespace

TEST_CASE("executions: each gives the host's factors but for rounding, and solves") {
  const Factors reference = factor_on_host(problem().matrix, problem().analysis);
  const auto large = [](const Task& task) { return task.large; };
  REQUIRE(std::ranges::count_if(problem().analysis.tasks, large) > 4);
  for (const Execution execution : kExecutions) {
    for (const LargeFronts large_fronts : kLargeFronts) {
      for (const bool reproducible : {false, true}) {
        const Factors factors = run(execution, large_fronts, reproducible);
        // Without pivoting rounding grows as the factors do; a term left out changes pivots by their size.
        CHECK(largest_difference(factors.pivots, reference.pivots) < 1e-3);
        const Solution solution = solve(problem().matrix, problem().analysis, factors, problem().right_side);
        CHECK(solution.residual < 1e-10);
        CHECK(factors.perturbed == 0);
      }
    }
  }
}

TEST_CASE("executions: in reproducible mode all give the same bits, on one thread and on several") {
  for (const LargeFronts large_fronts : kLargeFronts) {
    const Factors first = run(Execution::levels, large_fronts, true, 1);
    for (const Execution execution : kExecutions) {
      for (const std::uint32_t threads : {1U, 4U}) {
        const Factors factors = run(execution, large_fronts, true, threads);
        CHECK(factors.panels == first.panels);
        CHECK(factors.pivots == first.pivots);
      }
    }
  }
}

TEST_CASE("executions: many blocks give a large front the bits that one block gives it") {
  const Problem whole(kNone);
  const Factors one = run(whole, {.reproducible = true});
  const Factors many = run(Execution::levels, LargeFronts::blocks, true);
  CHECK(many.panels == one.panels);
  CHECK(many.pivots == one.pivots);
}

TEST_CASE("executions: pivots that are replaced are counted, whoever factors the front") {
  // One front of two equal rows in each of four places.
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < 8; i += 2) {
    entries.insert(entries.end(), {{i, i, 1}, {i + 1, i + 1, 1}, {i + 1, i, 1}});
  }
  const SymmetricMatrix matrix = assemble(8, entries);
  const Analysis analysis = analyse(matrix, {.large_front = 2});
  const weft::Device device("cpu");
  for (const Execution execution : kExecutions) {
    for (const LargeFronts large_fronts : kLargeFronts) {
      const auto solver =
          make_device_factorisation(device, analysis, {.execution = execution, .large_fronts = large_fronts});
      CHECK(solver->factor(matrix).perturbed == 4);
      CHECK(solver->factor(matrix).perturbed == 4);
    }
  }
}

TEST_CASE("executions: memory is shared, and the serial order takes least") {
  const weft::Device device("cpu");
  for (const Execution execution : kExecutions) {
    const MemoryReport memory =
        make_device_factorisation(device, problem().analysis, {.execution = execution})->memory();
    CHECK(memory.aliased < memory.private_slots);
    CHECK(memory.serial <= memory.aliased);
  }
}

TEST_CASE("executions: a singular matrix is an error after any of them") {
  const SymmetricMatrix matrix = assemble(3, {{1, 0, 1}, {2, 1, 1}});  // rows 0 and 2 are the same
  const Analysis analysis = analyse(matrix);
  const weft::Device device("cpu");
  for (const Execution execution : kExecutions) {
    const Factors factors = make_device_factorisation(device, analysis, {.execution = execution})->factor(matrix);
    CHECK(factors.perturbed > 0);
    CHECK_THROWS_WITH(solve(matrix, analysis, factors, std::vector<double>{1, 0, 0}),
                      Catch::Contains("the matrix is singular"));
  }
}
