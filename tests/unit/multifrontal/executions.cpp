#include <catch2/catch.hpp>
#include <cmath>

#include "examples/multifrontal/device_factors.h"
#include "examples/multifrontal/grid.h"

using namespace multifrontal;

namespace {

struct Problem {
  SymmetricMatrix matrix = condensed_kkt(join_copies(lattice_grid(16, 16), 3));
  Analysis analysis = analyse(matrix, {.level_width = 8});
  std::vector<double> right_side = multiply(matrix, std::vector<double>(matrix.size(), 1.0));
};

const Problem& problem() {
  static const Problem problem;
  return problem;
}

Factors run(Execution execution, bool reproducible, std::uint32_t threads = 0) {
  const weft::Device device("cpu", {.threads = threads});
  return make_device_factorisation(device, problem().analysis, {.execution = execution, .reproducible = reproducible})
      ->factor(problem().matrix);
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
  for (const Execution execution : {Execution::levels, Execution::graph}) {
    for (const bool reproducible : {false, true}) {
      const Factors factors = run(execution, reproducible);
      // Without pivoting rounding grows as the factors do; a term left out changes pivots by their size.
      CHECK(largest_difference(factors.pivots, reference.pivots) < 1e-3);
      const Solution solution = solve(problem().matrix, problem().analysis, factors, problem().right_side);
      CHECK(solution.residual < 1e-10);
      CHECK(factors.perturbed == 0);
    }
  }
}

TEST_CASE("executions: in reproducible mode all give the same bits, on one thread and on several") {
  const Factors first = run(Execution::levels, true, 1);
  for (const Execution execution : {Execution::levels, Execution::graph}) {
    for (const std::uint32_t threads : {1U, 4U}) {
      const Factors factors = run(execution, true, threads);
      CHECK(factors.panels == first.panels);
      CHECK(factors.pivots == first.pivots);
    }
  }
}

TEST_CASE("executions: memory is shared, and the serial order takes least") {
  const weft::Device device("cpu");
  for (const Execution execution : {Execution::levels, Execution::graph}) {
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
  for (const Execution execution : {Execution::levels, Execution::graph}) {
    const Factors factors = make_device_factorisation(device, analysis, {.execution = execution})->factor(matrix);
    CHECK(factors.perturbed > 0);
    CHECK_THROWS_WITH(solve(matrix, analysis, factors, std::vector<double>{1, 0, 0}),
                      Catch::Contains("the matrix is singular"));
  }
}
