// A directed acyclic graph over nodes 0 .. node_count() - 1, with its edges by either end and one topological order.
// Everything else in this folder reasons about such a graph: the commands of a recorded graph, or the tasks inside of
// one command, and the edges that are enforced when they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::graph {

using NodeIndex = std::uint32_t;

// `to` starts after `from` has ended.
struct Edge {
  NodeIndex from = 0;
  NodeIndex to = 0;

  friend bool operator==(const Edge&, const Edge&) = default;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

// Lists of nodes, one for each node, in one piece of memory.
class NodeLists {
 public:
  NodeLists() = default;
  // List of node k: the other ends of the edges whose `key` is k. In the order of the edges.
  NodeLists(std::size_t node_count, std::span<const Edge> edges, NodeIndex Edge::* key, NodeIndex Edge::* value);

  std::span<const NodeIndex> operator[](NodeIndex node) const {
    return std::span(items_).subspan(begins_[node], begins_[node + 1] - begins_[node]);
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<NodeIndex> items_;
};

// The nodes of one cycle, each before the next and the last before the first; empty if there is none. In time linear in
// nodes and edges.
std::vector<NodeIndex> find_cycle(std::size_t node_count, std::span<const Edge> edges);

class Dag {
 public:
  // Edges may come in any order and repeatedly; there must be no cycle among them.
  Dag(std::size_t node_count, std::vector<Edge> edges);

  std::size_t node_count() const { return order_.size(); }
  std::span<const Edge> edges() const { return edges_; }  // ascending, each once
  std::span<const NodeIndex> predecessors(NodeIndex node) const { return predecessors_[node]; }
  std::span<const NodeIndex> successors(NodeIndex node) const { return successors_[node]; }

  // All nodes, each after its predecessors; as far as that allows, in ascending order.
  std::span<const NodeIndex> order() const { return order_; }

 private:
  std::vector<Edge> edges_;
  NodeLists predecessors_;
  NodeLists successors_;
  std::vector<NodeIndex> order_;
};

// All nodes, each after its predecessors, and as soon as it may after the latest of them: what a depth-first walk of
// the tasks would run, which keeps few results waiting where the graph is like a tree.
std::vector<NodeIndex> depth_first_order(const Dag& dag);

// The place of each node in an order of all nodes.
std::vector<std::uint32_t> positions(std::span<const NodeIndex> order);

// The nodes that precede all of `nodes`, but for those that precede others of these. Whatever precedes all of `nodes`
// is among them or precedes one of them.
std::vector<NodeIndex> latest_common_predecessors(const Dag& dag, std::span<const NodeIndex> nodes);

// What a person wants to know of a graph.
struct Shape {
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::size_t levels = 0;  // nodes on its longest path
  std::size_t widest = 0;  // nodes of the level with most of them
};
Shape shape_of(const Dag& dag);

}  // namespace weft::graph
