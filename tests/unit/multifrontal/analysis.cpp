#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "examples/multifrontal/factors.h"
#include "examples/multifrontal/grid.h"
#include "examples/multifrontal/memory.h"

using namespace multifrontal;

namespace {

SymmetricMatrix kkt() { return condensed_kkt(join_copies(lattice_grid(14, 14), 2)); }

std::vector<double> waves(std::size_t size) {
  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = std::cos(static_cast<double>(i));
  }
  return x;
}

}  // namespace

TEST_CASE("analysis: the order is a permutation, and each row of a front that is no pivot is one of its parent") {
  const SymmetricMatrix matrix = kkt();
  const Analysis analysis = analyse(matrix);
  std::vector<std::uint32_t> sorted = analysis.order;
  std::ranges::sort(sorted);
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    REQUIRE(sorted[i] == i);
  }
  for (const Front& front : analysis.fronts) {
    REQUIRE(front.rows_in_parent.size() == front.border());
    for (std::size_t i = 0; i < front.border(); ++i) {
      REQUIRE(analysis.fronts[front.parent].rows[front.rows_in_parent[i]] == front.rows[front.pivots + i]);
    }
  }
}

TEST_CASE("analysis: every front is in one task, and levels are above those of children and no wider than asked") {
  const Analysis analysis = analyse(kkt(), {.level_width = 5});
  std::uint32_t next = 0;
  std::vector<std::uint32_t> widths(analysis.levels, 0);
  std::vector<std::uint32_t> count(analysis.fronts.size(), 0);
  for (const Task& task : analysis.tasks) {
    next += task.front_count;
    ++widths[task.level];
    for (std::uint32_t f = task.first_front; f < task.first_front + task.front_count; ++f) {
      ++count[f];
    }
    for (const std::uint32_t child : task.children) {
      REQUIRE(analysis.tasks[child].level < task.level);
    }
  }
  CHECK(next == analysis.fronts.size());
  CHECK(std::ranges::all_of(count, [](std::uint32_t n) { return n == 1; }));
  CHECK(*std::ranges::max_element(widths) == 5);
}

TEST_CASE("analysis: large fronts are tasks of their own, and alternate with segments no larger than asked") {
  const Analysis analysis = analyse(kkt(), {.segment_width = 6, .large_front = 40});
  std::vector<std::uint32_t> widths(analysis.steps, 0);
  std::uint32_t large = 0;
  for (const Task& task : analysis.tasks) {
    const Front& root = analysis.fronts[task.first_front + task.front_count - 1];
    CHECK(task.large == (root.size() >= 40));
    CHECK((!task.large || task.front_count == 1));
    CHECK(task.step % 2 == (task.large ? 1 : 0));
    for (const std::uint32_t child : task.children) {
      CHECK(analysis.tasks[child].step <= task.step);
    }
    large += task.large ? 1 : 0;
    widths[task.step] += task.large ? 0 : 1;
  }
  CHECK(large > 2);
  CHECK(*std::ranges::max_element(widths) == 6);
}

TEST_CASE("memory: in a segment only what comes before a task in the tree gives its memory to it") {
  const Analysis analysis = analyse(kkt(), {.segment_width = 20, .large_front = 40});
  const Needs needs = measure(analysis);
  const Layout layout = lay_out(analysis, needs, Sharing::steps);
  const std::vector<Task>& tasks = analysis.tasks;
  // Whether a is surely done when b begins.
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (tasks[a].step != tasks[b].step || tasks[a].large) {
      return tasks[a].step != tasks[b].step ? tasks[a].step < tasks[b].step : a < b;
    }
    while (a != kNone && a != b) {
      a = tasks[a].parent;
    }
    return a == b;
  };
  const auto parent = [&](std::uint32_t t) { return tasks[t].parent == kNone ? t : tasks[t].parent; };
  for (std::uint32_t a = 0; a < tasks.size(); ++a) {
    for (std::uint32_t b = 0; b < tasks.size(); ++b) {
      const auto overlap = [](std::uint64_t at, std::uint64_t size, std::uint64_t other, std::uint64_t other_size) {
        return at < other + other_size && other < at + size;
      };
      if (a == b) {
        continue;
      }
      if (overlap(layout.contributions[a], needs.tasks[a].contribution, layout.contributions[b],
                  needs.tasks[b].contribution)) {
        REQUIRE(((parent(a) != b && before(parent(a), b)) || (parent(b) != a && before(parent(b), a))));
      }
      if (overlap(layout.scratch[a], needs.tasks[a].scratch(), layout.scratch[b], needs.tasks[b].scratch())) {
        REQUIRE((before(a, b) || before(b, a)));
      }
      if (overlap(layout.contributions[a], needs.tasks[a].contribution, layout.scratch[b], needs.tasks[b].scratch())) {
        REQUIRE(((parent(a) != b && before(parent(a), b)) || before(b, a)));
      }
    }
  }
  CHECK(layout.elements < lay_out(analysis, needs, Sharing::none).elements);
}

TEST_CASE("memory: pieces share memory only where one is done before the other begins") {
  const Analysis analysis = analyse(kkt(), {.level_width = 4});
  const Needs needs = measure(analysis);
  const Layout layout = lay_out(analysis, needs, Sharing::levels);
  struct Range {
    std::uint64_t begin, end;
    std::uint32_t first, last;
  };
  std::vector<Range> ranges;
  for (std::uint32_t t = 0; t < analysis.tasks.size(); ++t) {
    const Task& task = analysis.tasks[t];
    const std::uint32_t user = task.parent == kNone ? t : task.parent;
    ranges.push_back({layout.contributions[t], layout.contributions[t] + needs.tasks[t].contribution, task.level,
                      analysis.tasks[user].level});
    ranges.push_back({layout.scratch[t], layout.scratch[t] + needs.tasks[t].scratch(), task.level, task.level});
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool together = ranges[i].first <= ranges[j].last && ranges[j].first <= ranges[i].last;
      const bool overlap = ranges[i].begin < ranges[j].end && ranges[j].begin < ranges[i].end;
      REQUIRE(!(together && overlap));
    }
  }
  const std::uint64_t apart = lay_out(analysis, needs, Sharing::none).elements;
  CHECK(layout.elements < apart);
  CHECK(lay_out(analysis, needs, Sharing::serial).elements <= layout.elements);
}

TEST_CASE("host: an optimal power flow's matrix is solved to a small residual") {
  const SymmetricMatrix matrix = kkt();
  const Analysis analysis = analyse(matrix);
  const Factors factors = factor_on_host(matrix, analysis);
  const std::vector<double> x = waves(matrix.size());
  const Solution solution = solve(matrix, analysis, factors, multiply(matrix, x));
  CHECK(solution.residual < 1e-10);
  CHECK(factors.perturbed == 0);
}

TEST_CASE("host: a small matrix has the factors that are known") {
  const SymmetricMatrix matrix = assemble(2, {{0, 0, 4}, {1, 0, 2}, {1, 1, -3}});
  const Analysis analysis = analyse(matrix);
  const Factors factors = factor_on_host(matrix, analysis);
  CHECK(factors.pivots[0] * factors.pivots[1] == Approx(-16));
  const Solution solution = solve(matrix, analysis, factors, std::vector<double>{6, -1});
  CHECK(solution.x[0] == Approx(1));
  CHECK(solution.x[1] == Approx(1));
}

TEST_CASE("host: a singular matrix is an error that counts the pivots") {
  // A Laplacian of a path: constants are its null space, and the right side is not in its range.
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i + 1 < 50; ++i) {
    entries.insert(entries.end(), {{i, i, 1}, {i + 1, i + 1, 1}, {i + 1, i, -1}});
  }
  const SymmetricMatrix matrix = assemble(50, entries);
  const Analysis analysis = analyse(matrix);
  const Factors factors = factor_on_host(matrix, analysis);
  CHECK(factors.perturbed == 1);
  CHECK_THROWS_WITH(solve(matrix, analysis, factors, waves(50)),
                    Catch::Contains("the matrix is singular, or too nearly so: 1 of 50 pivots were replaced"));
}

TEST_CASE("host: a matrix whose norm overflows is an error that says so") {
  const SymmetricMatrix matrix = assemble(2, {{0, 0, 1e308}, {1, 0, 1e308}, {1, 1, 1}});
  CHECK_THROWS_WITH(factor_on_host(matrix, analyse(matrix)), Catch::Contains("scale the matrix"));
}
