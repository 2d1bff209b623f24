// A launch of a graph of the C interface as nodes of a runtime queue.
#pragma once

#include "runtime/command_queue.h"
#include "runtime/hazards.h"

#include <weft/backend.h>

#include <span>
#include <vector>

namespace weft::backend {

class LocalGraph {
 public:
  // Takes over the launch, which is released with the last of the nodes' commands, or at once if this throws:
  // UsageError for a dispatch that is too large.
  explicit LocalGraph(const WeftGraphLaunch& launch);

  std::span<const runtime::GraphNode> nodes() const { return nodes_; }
  std::span<const runtime::Use> uses() const { return uses_; }

 private:
  std::vector<runtime::Dependency> dependencies_;  // of all nodes
  std::vector<runtime::GraphNode> nodes_;
  std::vector<runtime::Use> uses_;
};

}  // namespace weft::backend
