// Graphs: orders, cycles, and who precedes whom.
#include "runtime/graph/dag.h"
#include "tests/unit/graph/random_graphs.h"

#include <catch2/catch.hpp>

#include <chrono>

using namespace weft::graph;
using namespace weft::graph::test;

namespace {

void check_is_order(const Dag& dag, std::span<const NodeIndex> order) {
  REQUIRE(order.size() == dag.node_count());
  const std::vector<std::uint32_t> place = positions(order);
  for (const Edge& edge : dag.edges()) REQUIRE(place[edge.from] < place[edge.to]);
}

}  // namespace

TEST_CASE("dag: every order puts nodes after their predecessors") {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t nodes = draw(random, 1, 60);
    const Dag dag = random_dag(random, nodes, draw(random, 0, 3 * nodes), nodes);
    check_is_order(dag, dag.order());
    check_is_order(dag, depth_first_order(dag));
  }
}

TEST_CASE("dag: the order follows the numbers as far as edges allow") {
  const Dag dag(5, {{3, 1}, {4, 0}});
  CHECK(std::ranges::equal(dag.order(), std::vector<NodeIndex>{2, 3, 1, 4, 0}));
}

TEST_CASE("dag: edges that are given twice count once") {
  const Dag dag(2, {{0, 1}, {0, 1}});
  CHECK(dag.edges().size() == 1);
  CHECK(dag.predecessors(1).size() == 1);
}

TEST_CASE("dag: the depth-first order of a tree finishes a subtree before the next one") {
  //  0 1   2 3
  //  4     5
  //     6          recorded level by level
  const Dag dag(7, {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {5, 6}});
  CHECK(depth_first_order(dag) == std::vector<NodeIndex>{0, 1, 4, 2, 3, 5, 6});
}

TEST_CASE("dag: a cycle is found, and its nodes are named in order") {
  CHECK(find_cycle(3, std::vector<Edge>{{0, 1}, {1, 2}}).empty());
  CHECK(find_cycle(1, std::vector<Edge>{{0, 0}}) == std::vector<NodeIndex>{0});
  // 4 comes after a cycle, 0 before: neither is on it.
  const std::vector<Edge> edges{{0, 3}, {3, 1}, {1, 2}, {2, 3}, {2, 4}};
  CHECK(find_cycle(5, edges) == std::vector<NodeIndex>{1, 2, 3});
}

TEST_CASE("dag: the latest common predecessors have all the others behind them") {
  Random random(10);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = draw(random, 1, 30);
    const Dag dag = random_dag(random, count, draw(random, 0, 3 * count), count);
    const auto reached = walk_all(dag);
    std::vector<NodeIndex> nodes;
    for (std::size_t i = draw(random, 1, 3); i > 0; --i) {
      nodes.push_back(static_cast<NodeIndex>(draw(random, 0, count - 1)));
    }
    const std::vector<NodeIndex> latest = latest_common_predecessors(dag, nodes);
    for (NodeIndex node = 0; node < count; ++node) {
      const bool precedes_all = std::ranges::all_of(nodes, [&](NodeIndex n) { return reached[node][n]; });
      const bool is_covered = std::ranges::any_of(latest, [&](NodeIndex n) { return n == node || reached[node][n]; });
      REQUIRE(precedes_all == is_covered);
    }
    if (nodes.size() == 1) continue;
    for (const NodeIndex node : latest) {
      REQUIRE(std::ranges::none_of(latest, [&](NodeIndex n) { return reached[node][n]; }));
    }
  }
}

TEST_CASE("dag: its shape is that of its levels") {
  const Shape shape = shape_of(Dag(6, {{0, 2}, {1, 2}, {2, 3}, {0, 3}}));
  CHECK(shape.nodes == 6);
  CHECK(shape.edges == 4);
  CHECK(shape.levels == 3);
  CHECK(shape.widest == 4);  // 0, 1, 4, 5
}

TEST_CASE("reachability: a source precedes what a walk reaches from it") {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const std::size_t nodes = draw(random, 1, 80);
    const Dag dag = random_dag(random, nodes, draw(random, 0, 2 * nodes), 20);
    std::vector<NodeIndex> sources;
    for (std::size_t i = 0; i < 100; ++i) sources.push_back(static_cast<NodeIndex>(draw(random, 0, nodes - 1)));
    const std::vector<SourceBits> preceding = preceding_sources(dag, sources);
    const auto reached = walk_all(dag);
    for (NodeIndex node = 0; node < nodes; ++node) {
      for (std::size_t i = 0; i < sources.size(); ++i) {
        REQUIRE(preceding[node].test(i) == reached[sources[i]][node]);
      }
    }
  }
}
