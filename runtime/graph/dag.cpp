#include "runtime/graph/dag.h"

#include "runtime/support/check.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>

namespace weft::graph {
namespace {

std::vector<std::uint32_t> predecessor_counts(std::size_t node_count, std::span<const Edge> edges) {
  std::vector<std::uint32_t> counts(node_count, 0);
  for (const Edge& edge : edges) ++counts[edge.to];
  return counts;
}

// Smallest ready node first. Shorter than the number of nodes if there is a cycle.
std::vector<NodeIndex> ascending_order(std::size_t node_count, std::span<const Edge> edges,
                                       const NodeLists& successors) {
  std::vector<std::uint32_t> missing = predecessor_counts(node_count, edges);
  std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
  for (NodeIndex node = 0; node < node_count; ++node) {
    if (missing[node] == 0) ready.push(node);
  }
  std::vector<NodeIndex> order;
  order.reserve(node_count);
  while (!ready.empty()) {
    const NodeIndex node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const NodeIndex next : successors[node]) {
      if (--missing[next] == 0) ready.push(next);
    }
  }
  return order;
}

}  // namespace

NodeLists::NodeLists(std::size_t node_count, std::span<const Edge> edges, NodeIndex Edge::* key,
                     NodeIndex Edge::* value)
    : begins_(node_count + 1, 0), items_(edges.size()) {
  for (const Edge& edge : edges) ++begins_[edge.*key + 1];
  for (std::size_t i = 0; i < node_count; ++i) begins_[i + 1] += begins_[i];
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (const Edge& edge : edges) items_[next[edge.*key]++] = edge.*value;
}

std::vector<NodeIndex> find_cycle(std::size_t node_count, std::span<const Edge> edges) {
  const NodeLists successors(node_count, edges, &Edge::from, &Edge::to);
  const NodeLists predecessors(node_count, edges, &Edge::to, &Edge::from);
  const std::vector<NodeIndex> order = ascending_order(node_count, edges, successors);
  if (order.size() == node_count) return {};
  std::vector<bool> is_ordered(node_count, false);
  for (const NodeIndex node : order) is_ordered[node] = true;
  // Each node that could not be ordered has a predecessor that could not, so that walking back meets a cycle.
  std::vector<NodeIndex> walk;
  std::vector<std::size_t> place(node_count, node_count);
  auto node = static_cast<NodeIndex>(std::ranges::find(is_ordered, false) - is_ordered.begin());
  while (place[node] == node_count) {
    place[node] = walk.size();
    walk.push_back(node);
    node = *std::ranges::find_if(predecessors[node], [&](NodeIndex earlier) { return !is_ordered[earlier]; });
  }
  walk.erase(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(place[node]));
  std::ranges::reverse(walk);
  std::ranges::rotate(walk, std::ranges::min_element(walk));
  return walk;
}

Dag::Dag(std::size_t node_count, std::vector<Edge> edges) : edges_(std::move(edges)) {
  std::ranges::sort(edges_);
  edges_.erase(std::ranges::unique(edges_).begin(), edges_.end());
  for (const Edge& edge : edges_) WEFT_CHECK_LT(std::max(edge.from, edge.to), node_count);
  predecessors_ = NodeLists(node_count, edges_, &Edge::to, &Edge::from);
  successors_ = NodeLists(node_count, edges_, &Edge::from, &Edge::to);
  order_ = ascending_order(node_count, edges_, successors_);
  WEFT_CHECK_EQ(order_.size(), node_count, "the edges have a cycle");
}

std::vector<NodeIndex> depth_first_order(const Dag& dag) {
  std::vector<std::uint32_t> missing = predecessor_counts(dag.node_count(), dag.edges());
  std::vector<NodeIndex> ready;  // the latest one last
  for (auto node = static_cast<NodeIndex>(dag.node_count()); node-- > 0;) {
    if (missing[node] == 0) ready.push_back(node);
  }
  std::vector<NodeIndex> order;
  order.reserve(dag.node_count());
  while (!ready.empty()) {
    const NodeIndex node = ready.back();
    ready.pop_back();
    order.push_back(node);
    const std::span<const NodeIndex> successors = dag.successors(node);
    for (auto next = successors.rbegin(); next != successors.rend(); ++next) {
      if (--missing[*next] == 0) ready.push_back(*next);
    }
  }
  return order;
}

std::vector<std::uint32_t> positions(std::span<const NodeIndex> order) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

std::vector<NodeIndex> latest_common_predecessors(const Dag& dag, std::span<const NodeIndex> nodes) {
  if (nodes.size() == 1) {
    const std::span<const NodeIndex> direct = dag.predecessors(nodes.front());
    return {direct.begin(), direct.end()};
  }
  // How many of `nodes` each node precedes: after each walk, those that are common so far have seen them all.
  std::vector<std::uint32_t> preceded(dag.node_count(), 0);
  std::vector<NodeIndex> open;
  std::vector<NodeIndex> common;
  for (std::uint32_t done = 0; done < nodes.size(); ++done) {
    common.clear();
    open.assign(1, nodes[done]);
    std::vector<bool> is_seen(dag.node_count(), false);
    while (!open.empty()) {
      const NodeIndex node = open.back();
      open.pop_back();
      for (const NodeIndex earlier : dag.predecessors(node)) {
        if (is_seen[earlier]) continue;
        is_seen[earlier] = true;
        open.push_back(earlier);
        if (preceded[earlier] != done) continue;
        ++preceded[earlier];
        common.push_back(earlier);
      }
    }
    if (common.empty()) return {};
  }
  std::ranges::sort(common);
  std::vector<NodeIndex> latest;
  std::ranges::copy_if(common, std::back_inserter(latest), [&](NodeIndex node) {
    return std::ranges::none_of(dag.successors(node),
                                [&](NodeIndex n) { return std::ranges::binary_search(common, n); });
  });
  return latest;
}

Shape shape_of(const Dag& dag) {
  Shape shape{dag.node_count(), dag.edges().size(), 0, 0};
  std::vector<std::size_t> level(dag.node_count(), 0);
  std::vector<std::size_t> nodes_of_level;
  for (const NodeIndex node : dag.order()) {
    for (const NodeIndex earlier : dag.predecessors(node)) level[node] = std::max(level[node], level[earlier] + 1);
    if (level[node] == nodes_of_level.size()) nodes_of_level.push_back(0);
    ++nodes_of_level[level[node]];
  }
  shape.levels = nodes_of_level.size();
  if (!nodes_of_level.empty()) shape.widest = std::ranges::max(nodes_of_level);
  return shape;
}

}  // namespace weft::graph
