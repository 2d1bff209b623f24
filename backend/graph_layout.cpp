#include "backend/graph_layout.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace weft::detail {
namespace {

using graph::Dag;
using graph::Edge;
using graph::NodeIndex;
using graph::TransientIndex;

constexpr std::uint64_t kAlignment = 64;  // of a device's buffers
constexpr std::size_t kMostNamed = 10;    // nodes of a cycle

std::vector<RecordedEdge> merged(std::vector<RecordedEdge> edges) {
  std::ranges::sort(edges, {}, &RecordedEdge::edge);
  std::vector<RecordedEdge> result;
  for (const RecordedEdge& edge : edges) {
    if (!result.empty() && result.back().edge == edge.edge) {
      result.back().carries_failure |= edge.carries_failure;
    } else {
      result.push_back(edge);
    }
  }
  return result;
}

std::vector<Edge> plain(std::span<const RecordedEdge> edges) {
  std::vector<Edge> result;
  result.reserve(edges.size());
  for (const RecordedEdge& edge : edges) result.push_back(edge.edge);
  return result;
}

void check_has_no_cycle(const GraphRecording& recording, std::span<const Edge> edges) {
  const std::vector<NodeIndex> cycle = graph::find_cycle(recording.nodes().size(), edges);
  if (cycle.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMostNamed); ++i) text += node_text(recording, cycle[i]) + "; ";
  if (cycle.size() > kMostNamed) text += fmt::format("{} more; ", cycle.size() - kMostNamed);
  throw UsageError(fmt::format("a graph's nodes wait for each other in a cycle: {}and again node {}", text, cycle[0]));
}

// Transients with their users, ascending.
void collect_transients(const GraphRecording& recording, GraphLayout& layout) {
  const std::vector<GraphResource>& resources = recording.resources();
  std::vector<std::size_t> transient_of(resources.size(), resources.size());
  for (ResourceIndex r = 0; r < resources.size(); ++r) {
    if (resources[r].kind != GraphResource::Kind::transient) continue;
    transient_of[r] = layout.transients.size();
    layout.transients.push_back({resources[r].size_bytes, kAlignment, {}, resources[r].options.own_slot});
    layout.resources.push_back(r);
  }
  for (NodeIndex node = 0; node < recording.nodes().size(); ++node) {
    for (const ResourceIndex r : recording.nodes()[node].resources) {
      if (transient_of[r] == resources.size()) continue;
      std::vector<NodeIndex>& users = layout.transients[transient_of[r]].users;
      if (users.empty() || users.back() != node) users.push_back(node);
    }
  }
}

// --- transients that are read before they were written

struct NodeTouch {
  NodeIndex node;
  Touch touch;
};

bool overlap(const Touch& a, const Touch& b) { return a.begin < b.end && b.begin < a.end; }

// Looks backwards along the edges for a node that writes some of what the reader reads.
bool is_written_before(const Dag& dag, const NodeTouch& read, std::span<const NodeTouch> writes) {
  std::vector<NodeIndex> writers;
  for (const NodeTouch& write : writes) {
    if (overlap(write.touch, read.touch)) writers.push_back(write.node);
  }
  const auto is_writer = [&](NodeIndex node) { return std::ranges::binary_search(writers, node); };
  if (is_writer(read.node) || std::ranges::any_of(dag.predecessors(read.node), is_writer)) return true;
  std::vector<NodeIndex> open{read.node};
  std::vector<bool> is_seen(dag.node_count(), false);
  while (!open.empty() && !writers.empty()) {
    const NodeIndex node = open.back();
    open.pop_back();
    for (const NodeIndex earlier : dag.predecessors(node)) {
      if (is_writer(earlier)) return true;
      if (!is_seen[earlier]) open.push_back(earlier);
      is_seen[earlier] = true;
    }
  }
  return false;
}

void check_transients_are_written(const GraphRecording& recording, const GraphLayout& layout) {
  std::map<ResourceIndex, std::vector<NodeTouch>> writes;  // ascending nodes
  const auto for_each_touch = [&](auto visit) {
    for (NodeIndex node = 0; node < recording.nodes().size(); ++node) {
      for (const Touch& touch : recording.nodes()[node].touches) {
        if (touch.resource == Touch::kHost || touch.begin == touch.end) continue;
        const GraphResource& resource = recording.resources()[touch.resource];
        if (resource.kind == GraphResource::Kind::transient && !resource.options.zeroed) visit(node, touch);
      }
    }
  };
  for_each_touch([&](NodeIndex node, const Touch& touch) {
    if (touch.access != runtime::Access::read) writes[touch.resource].push_back({node, touch});
  });
  for_each_touch([&](NodeIndex node, const Touch& touch) {
    if (touch.access != runtime::Access::read) return;
    if (is_written_before(layout.dag, {node, touch}, writes[touch.resource])) return;
    throw UsageError(fmt::format("{} of a graph reads bytes {} to {} of {}, which no node before it writes",
                                 node_text(recording, node), touch.begin, touch.end,
                                 recording.resources()[touch.resource].label));
  });
}

// --- nodes that fill

void add_filling_nodes(const GraphRecording& recording, bool fills_all, GraphLayout& layout) {
  const Dag& recorded = layout.dag;
  auto node = static_cast<NodeIndex>(recorded.node_count());
  for (TransientIndex t = 0; t < layout.transients.size(); ++t) {
    std::vector<NodeIndex>& users = layout.transients[t].users;
    const bool is_filled = fills_all || recording.resources()[layout.resources[t]].options.zeroed;
    if (!is_filled || users.empty() || layout.transients[t].size_bytes == 0) continue;
    const std::vector<NodeIndex> first = graph::first_users(recorded, users);
    for (const NodeIndex earlier : graph::latest_common_predecessors(recorded, first)) {
      layout.edges.push_back({{earlier, node}, false});
    }
    for (const NodeIndex user : first) layout.edges.push_back({{node, user}, true});
    users.push_back(node++);
    layout.filled.push_back(t);
  }
  if (layout.filled.empty()) return;
  layout.edges = merged(std::move(layout.edges));
  layout.dag = Dag(node, plain(layout.edges));
}

}  // namespace

bool GraphLayout::carries_failure(const Edge& edge) const {
  const auto found = std::ranges::lower_bound(edges, edge, {}, &RecordedEdge::edge);
  return found != edges.end() && found->edge == edge && found->carries_failure;
}

std::string node_text(const GraphRecording& recording, NodeIndex node) {
  return fmt::format("node {}, {}", node, recording.nodes()[node].state->what);
}

GraphLayout lay_out(const GraphRecording& recording, bool fills_all) {
  std::vector<RecordedEdge> edges = merged(recording.edges());
  std::vector<Edge> plain_edges = plain(edges);
  check_has_no_cycle(recording, plain_edges);
  GraphLayout layout{Dag(recording.nodes().size(), std::move(plain_edges)), std::move(edges), {}, {}, {}};
  collect_transients(recording, layout);
  check_transients_are_written(recording, layout);
  add_filling_nodes(recording, fills_all, layout);
  return layout;
}

}  // namespace weft::detail
