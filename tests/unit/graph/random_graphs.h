// Random graphs and transients for tests, and the meaning of "precedes" by a walk.
#pragma once

#include "runtime/graph/transients.h"

#include <algorithm>
#include <random>
#include <vector>

namespace weft::graph::test {

using Random = std::mt19937;

inline std::size_t draw(Random& random, std::size_t first, std::size_t last) {
  return std::uniform_int_distribution<std::size_t>(first, last)(random);
}

// Edges lead from lower to higher numbers, at most `reach` apart.
inline std::vector<Edge> random_edges(Random& random, std::size_t nodes, std::size_t edges, std::size_t reach) {
  std::vector<Edge> result;
  for (std::size_t i = 0; i < edges && nodes > 1; ++i) {
    const std::size_t from = draw(random, 0, nodes - 2);
    const std::size_t to = draw(random, from + 1, std::min(nodes - 1, from + reach));
    result.push_back({static_cast<NodeIndex>(from), static_cast<NodeIndex>(to)});
  }
  return result;
}

inline Dag random_dag(Random& random, std::size_t nodes, std::size_t edges, std::size_t reach) {
  return Dag(nodes, random_edges(random, nodes, edges, reach));
}

inline Dag chain(std::size_t nodes) {
  std::vector<Edge> edges;
  for (NodeIndex i = 1; i < nodes; ++i) edges.push_back({i - 1, i});
  return Dag(nodes, std::move(edges));
}

// Each is made by a node and used by some of its successors, as results are.
inline std::vector<Transient> random_transients(Random& random, const Dag& dag, std::size_t count,
                                                std::uint64_t most_bytes) {
  std::vector<Transient> transients;
  for (std::size_t i = 0; i < count; ++i) {
    Transient& transient = transients.emplace_back();
    transient.size_bytes = draw(random, 1, most_bytes);
    transient.alignment = std::uint64_t{1} << draw(random, 0, 3);
    NodeIndex node = static_cast<NodeIndex>(draw(random, 0, dag.node_count() - 1));
    transient.users = {node};
    const auto successors = dag.successors(node);
    for (std::size_t k = 0; k < 3 && !successors.empty(); ++k) {
      transient.users.push_back(successors[draw(random, 0, successors.size() - 1)]);
    }
    std::ranges::sort(transient.users);
    transient.users.erase(std::ranges::unique(transient.users).begin(), transient.users.end());
  }
  return transients;
}

// reached[a][b]: a path leads from a to b.
inline std::vector<std::vector<bool>> walk_all(const Dag& dag) {
  std::vector<std::vector<bool>> reached(dag.node_count(), std::vector<bool>(dag.node_count(), false));
  for (NodeIndex start = 0; start < dag.node_count(); ++start) {
    std::vector<NodeIndex> open{start};
    while (!open.empty()) {
      const NodeIndex node = open.back();
      open.pop_back();
      for (const NodeIndex next : dag.successors(node)) {
        if (!reached[start][next]) open.push_back(next);
        reached[start][next] = true;
      }
    }
  }
  return reached;
}

inline bool share_bytes(std::span<const Transient> transients, std::span<const std::uint64_t> offsets, std::size_t a,
                        std::size_t b) {
  return offsets[a] < offsets[b] + transients[b].size_bytes && offsets[b] < offsets[a] + transients[a].size_bytes;
}

}  // namespace weft::graph::test
