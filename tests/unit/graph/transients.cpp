// Transients: who may share, where they are placed, and what budgets cost.
#include "runtime/graph/plan.h"
#include "tests/unit/graph/random_graphs.h"

#include <catch2/catch.hpp>

#include <numeric>

using namespace weft::graph;
using namespace weft::graph::test;

namespace {

using Walks = std::vector<std::vector<bool>>;

bool precedes(const Walks& reached, const Transient& a, const Transient& b) {
  return std::ranges::all_of(a.users, [&](NodeIndex from) {
    return std::ranges::all_of(b.users, [&](NodeIndex to) { return reached[from][to]; });
  });
}

// No two share bytes unless they are ordered along the edges of `dag`.
void check_is_sound(const Dag& dag, std::span<const Transient> transients, std::span<const std::uint64_t> offsets,
                    std::uint64_t size_bytes) {
  const Walks reached = walk_all(dag);
  for (std::size_t b = 0; b < transients.size(); ++b) {
    REQUIRE(offsets[b] % transients[b].alignment == 0);
    REQUIRE(offsets[b] + transients[b].size_bytes <= size_bytes);
    for (std::size_t a = 0; a < b; ++a) {
      if (!share_bytes(transients, offsets, a, b)) continue;
      const bool is_ordered =
          precedes(reached, transients[a], transients[b]) || precedes(reached, transients[b], transients[a]);
      REQUIRE(is_ordered);
      REQUIRE_FALSE(transients[a].has_own_slot);
      REQUIRE_FALSE(transients[b].has_own_slot);
    }
  }
}

// The fewest bytes: some order of placing each as low as possible has the offsets of an optimal placement.
std::uint64_t optimum(std::span<const Transient> transients, const Conflicts& conflicts) {
  std::vector<std::size_t> order(transients.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t best = UINT64_MAX;
  do {
    std::vector<std::uint64_t> offsets(order.size(), 0);
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Transient& placed = transients[order[i]];
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t j = 0; j < i; ++j) {
          const bool collides =
              conflicts.test(order[i], order[j]) && share_bytes(transients, offsets, order[i], order[j]);
          if (!collides) continue;
          const std::uint64_t end = offsets[order[j]] + transients[order[j]].size_bytes;
          offsets[order[i]] = (end + placed.alignment - 1) / placed.alignment * placed.alignment;
          moved = true;
        }
      }
      size = std::max(size, offsets[order[i]] + placed.size_bytes);
    }
    best = std::min(best, size);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

Dag with_edges(const Dag& dag, std::span<const Edge> added) {
  std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
  edges.insert(edges.end(), added.begin(), added.end());
  return Dag(dag.node_count(), std::move(edges));
}

}  // namespace

TEST_CASE("transients: one precedes another if all its users precede all of the other's") {
  Random random(3);
  // The last round has more than one block of sources.
  for (const std::size_t nodes : {1u, 5u, 30u, 60u, 300u}) {
    const Dag dag = random_dag(random, nodes, 3 * nodes, nodes / 2 + 1);
    const std::vector<Transient> transients = random_transients(random, dag, nodes == 300 ? 1500 : nodes * 2, 100);
    const BitMatrix preceding = preceding_transients(dag, transients);
    const Walks reached = walk_all(dag);
    bool agree = true;
    for (std::size_t b = 0; b < transients.size(); ++b) {
      for (std::size_t a = 0; a < transients.size(); ++a) {
        agree &= preceding.test(b, a) == (a != b && precedes(reached, transients[a], transients[b]));
      }
    }
    CHECK(agree);
  }
}

TEST_CASE("transients: a node that reads one and writes another needs both") {
  const std::vector<Transient> transients{{8, 1, {0, 1}, false}, {8, 1, {1, 2}, false}, {8, 1, {2}, false}};
  const Dag dag = chain(3);
  const Conflicts conflicts = conflicts_of(transients, preceding_transients(dag, transients));
  CHECK(conflicts.test(0, 1));
  CHECK_FALSE(conflicts.test(0, 2));
  CHECK(Planner(dag, transients).plan().size_bytes == 16);
}

TEST_CASE("transients: nodes of different levels that no edges join do not share") {
  // 0 -> 1 -> 2, and 3 by itself: its level is before that of 2, and yet it may run after it.
  const Dag dag(4, {{0, 1}, {1, 2}});
  const std::vector<Transient> transients{{100, 1, {3}, false}, {100, 1, {2}, false}};
  CHECK(Planner(dag, transients).plan().size_bytes == 200);
}

TEST_CASE("transients: plans are sound, and within private slots") {
  Random random(4);
  for (int round = 0; round < 150; ++round) {
    const std::size_t nodes = draw(random, 1, 60);
    const Dag dag = random_dag(random, nodes, draw(random, 0, 3 * nodes), draw(random, 1, nodes));
    std::vector<Transient> transients = random_transients(random, dag, draw(random, 0, 40), 1000);
    for (Transient& transient : transients) {
      transient.has_own_slot = draw(random, 0, 9) == 0;
      if (draw(random, 0, 19) == 0) transient.size_bytes = 0;
    }
    const Planner planner(dag, transients);
    const Plan plan = planner.plan();
    check_is_sound(dag, transients, plan.offsets, plan.size_bytes);
    CHECK(plan.size_bytes == planner.estimates().aliased_bytes);
    CHECK(plan.size_bytes <= planner.estimates().private_bytes);
    CHECK(planner.estimates().serial_bytes <= plan.size_bytes);
    CHECK(planner.serial_floor_bytes() <= planner.estimates().serial_bytes);
  }
}

TEST_CASE("transients: small plans are within 1.2 of the optimum") {
  Random random(5);
  double worst = 1;
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = draw(random, 2, 14);
    const Dag dag = random_dag(random, nodes, draw(random, 0, 2 * nodes), draw(random, 1, nodes));
    const std::vector<Transient> transients = random_transients(random, dag, draw(random, 1, 7), 100);
    const Conflicts conflicts = conflicts_of(transients, preceding_transients(dag, transients));
    const std::uint64_t fewest = optimum(transients, conflicts);
    const std::uint64_t planned = Planner(dag, transients).plan().size_bytes;
    REQUIRE(planned >= fewest);
    worst = std::max(worst, static_cast<double>(planned) / static_cast<double>(fewest));
  }
  CHECK(worst <= 1.2);
}

TEST_CASE("transients: on a chain the plan is as small as a serial stack") {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    // Results are pushed and popped, last in first out, one each step.
    const std::size_t nodes = draw(random, 2, 300);
    std::vector<Transient> transients;
    std::vector<std::size_t> stack;
    std::uint64_t height = 0;
    std::uint64_t highest = 0;
    for (NodeIndex node = 0; node < nodes; ++node) {
      if (!stack.empty() && draw(random, 0, 1) == 0) {
        transients[stack.back()].users.push_back(node);
        height -= transients[stack.back()].size_bytes;
        stack.pop_back();
        continue;
      }
      stack.push_back(transients.size());
      transients.push_back({draw(random, 1, 100), 1, {node}, false});
      height += transients.back().size_bytes;
      highest = std::max(highest, height);
    }
    for (const std::size_t left : stack) transients[left].users.push_back(static_cast<NodeIndex>(nodes - 1));
    for (Transient& transient : transients) {
      transient.users.erase(std::ranges::unique(transient.users).begin(), transient.users.end());
    }
    const Dag dag = chain(nodes);
    const Planner planner(dag, transients);
    CHECK(planner.plan().size_bytes == planner.estimates().serial_bytes);
    CHECK(planner.plan().size_bytes == highest);
  }
}

TEST_CASE("transients: a budget is met by edges that lead forward, down to the serial order") {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const std::size_t nodes = draw(random, 2, 60);
    const Dag dag = random_dag(random, nodes, draw(random, 0, nodes), draw(random, 1, nodes));
    const std::vector<Transient> transients = random_transients(random, dag, 40, 1000);
    const Planner planner(dag, transients);
    const MemoryEstimates& estimates = planner.estimates();
    const std::uint64_t budget = draw(random, estimates.serial_bytes, estimates.aliased_bytes);
    const std::optional<Plan> plan = planner.plan_within(budget);
    REQUIRE(plan);
    CHECK(plan->size_bytes <= budget);
    CHECK((plan->added_edges.empty() || budget < estimates.aliased_bytes));
    const Dag ordered = with_edges(dag, plan->added_edges);  // checks that there is no cycle
    check_is_sound(ordered, transients, plan->offsets, plan->size_bytes);
    CHECK_FALSE(planner.plan_within(estimates.serial_bytes - 1));
    CHECK(planner.plan_within(estimates.aliased_bytes)->added_edges.empty());
  }
}

TEST_CASE("transients: a looser budget leaves more side by side") {
  // 64 pairs of a writer and a reader: the budget says how many of them may run at once.
  std::vector<Edge> edges;
  std::vector<Transient> transients;
  for (NodeIndex i = 0; i < 64; ++i) {
    edges.push_back({2 * i, 2 * i + 1});
    transients.push_back({100, 1, {2 * i, 2 * i + 1}, false});
  }
  const Dag dag(128, edges);
  const Planner planner(dag, transients);
  CHECK(planner.estimates().aliased_bytes == 6400);
  CHECK(planner.estimates().serial_bytes == 100);
  std::size_t levels = 1000;
  for (const std::uint64_t budget : {100u, 400u, 1600u, 6400u}) {
    const std::optional<Plan> plan = planner.plan_within(budget);
    REQUIRE(plan);
    const std::size_t now = shape_of(with_edges(dag, plan->added_edges)).levels;
    CHECK(now < levels);
    levels = now;
  }
  CHECK(levels == 2);
}

TEST_CASE("transients: ten thousand are planned at once") {
  Random random(8);
  const Dag dag = random_dag(random, 10'000, 20'000, 200);
  const std::vector<Transient> transients = random_transients(random, dag, 10'000, 1 << 20);
  const Planner planner(dag, transients);
  CHECK(planner.plan().size_bytes < planner.estimates().private_bytes / 2);
  CHECK(planner.plan_within(std::midpoint(planner.estimates().serial_bytes, planner.estimates().aliased_bytes)));
}
