// From a recording to what is planned: the graph whose edges are enforced, with the nodes that fill transients, and who
// touches which transient.
//
// A transient that starts zeroed, or in checked graphs any transient, is filled by a node of its own, which comes after
// the latest nodes that precede all of the transient's first users: whatever could be in the same memory before them
// still can, and no two nodes are ordered that were not.
#pragma once

#include "backend/graph_recording.h"
#include "runtime/graph/plan.h"

#include <string>
#include <vector>

namespace weft::detail {

struct GraphLayout {
  graph::Dag dag;                             // recorded nodes, then those that fill
  std::vector<RecordedEdge> edges;            // of the dag, ascending
  std::vector<graph::Transient> transients;   // users: nodes of the dag
  std::vector<ResourceIndex> resources;       // of the transients
  std::vector<graph::TransientIndex> filled;  // by the nodes that fill

  // Whether an edge's first node fails its second one; false for edges that are not in the dag.
  bool carries_failure(const graph::Edge& edge) const;
};

// Throws UsageError for a cycle, and for a transient that is read before it was written.
GraphLayout lay_out(const GraphRecording& recording, bool fills_all);

// "node 5, dispatch of kernel 'scale'".
std::string node_text(const GraphRecording& recording, graph::NodeIndex node);

}  // namespace weft::detail
