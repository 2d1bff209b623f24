#include "runtime/graph/reachability.h"

#include "runtime/support/check.h"

namespace weft::graph {

std::vector<SourceBits> preceding_sources(const Dag& dag, std::span<const NodeIndex> sources) {
  WEFT_CHECK_LE(sources.size(), kSourcesPerBlock);
  std::vector<Edge> places;  // node -> its places among the sources
  for (std::size_t i = 0; i < sources.size(); ++i) places.push_back({sources[i], static_cast<NodeIndex>(i)});
  const NodeLists places_of(dag.node_count(), places, &Edge::from, &Edge::to);

  std::vector<SourceBits> preceding(dag.node_count());
  for (const NodeIndex node : dag.order()) {
    for (const NodeIndex earlier : dag.predecessors(node)) {
      preceding[node] |= preceding[earlier];
      for (const NodeIndex source : places_of[earlier]) preceding[node].set(source);
    }
  }
  return preceding;
}

}  // namespace weft::graph
