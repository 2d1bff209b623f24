#include "backend/graph_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace weft::detail {
namespace {

using graph::NodeIndex;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// A line of text for each transient of a node: where it is, or how large.
std::string transient_lines(const GraphRecording& recording, const GraphLayout& layout, const graph::Plan* plan,
                            NodeIndex node) {
  std::string text;
  for (std::size_t t = 0; t < layout.transients.size(); ++t) {
    if (std::ranges::find(layout.transients[t].users, node) == layout.transients[t].users.end()) continue;
    text += "\\n" + escaped(recording.resources()[layout.resources[t]].label);
    if (plan != nullptr) {
      text += fmt::format(" at {}", plan->offsets[t]);
    }
  }
  return text;
}

std::string edge_line(const graph::Edge& edge, std::string_view style) {
  return fmt::format("  n{} -> n{}{};\n", edge.from, edge.to, style);
}

}  // namespace

std::string picture_of(const GraphRecording& recording, const GraphLayout& layout, const graph::Plan* plan) {
  std::string text = "digraph {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  const std::size_t recorded_count = recording.nodes().size();
  for (NodeIndex node = 0; node < layout.dag.node_count(); ++node) {
    const bool is_recorded = node < recorded_count;
    const std::string what = is_recorded ? recording.nodes()[node].state->what : "fill";
    fmt::format_to(std::back_inserter(text), "  n{} [label=\"{}: {}{}\"{}];\n", node, node, escaped(what),
                   transient_lines(recording, layout, plan, node), is_recorded ? "" : ", style=rounded");
  }
  for (const RecordedEdge& edge : layout.edges)
    text += edge_line(edge.edge, edge.carries_failure ? "" : " [style=dashed]");
  if (plan != nullptr) {
    for (const graph::Edge& edge : plan->added_edges) text += edge_line(edge, " [style=dotted, color=red]");
  }
  return text + "}\n";
}

}  // namespace weft::detail
