// One launch of a graph: what it gives for inputs and uniforms, and what must live until its nodes have ended.
#pragma once

#include "backend/command_state.h"
#include "backend/graph_state.h"
#include "runtime/graph/slot_checker.h"

#include <weft/backend.h>
#include <weft/graph.h>

#include <memory>
#include <span>
#include <vector>

namespace weft::detail {

struct GraphLaunch {
  // Throws UsageError for bindings that are wrong or missing, and for buffers that are gone.
  GraphLaunch(std::shared_ptr<GraphState> graph, std::span<const GraphBinding> bindings);

  // What callbacks of a node's command get.
  struct NodeCall {
    GraphLaunch* launch;
    graph::NodeIndex node;
  };

  const std::shared_ptr<GraphState> graph;
  std::vector<std::vector<std::byte>> uniforms;  // values of all
  std::vector<WeftRange> ranges;                 // of inputs and buffers, by resource
  std::vector<std::shared_ptr<BufferMemory>> memories;

  // --- from submission on
  std::shared_ptr<BufferMemory> slots;
  std::shared_ptr<HostException> exception;
  std::shared_ptr<ProfileLog> profiles;  // null if the launch is not profiled
  std::vector<NodeCall> calls;           // by place
  std::unique_ptr<graph::SlotChecker> checker;

 private:
  void bind(const GraphBinding& binding, std::vector<bool>& is_given);
  std::size_t input_of(const GraphBinding& binding) const;
  std::size_t uniform_of(const GraphBinding& binding) const;
  void bind_input(const GraphBinding& binding, ResourceIndex resource);
  void use_buffers();
  void check_all_are_bound(const std::vector<bool>& is_given) const;
  void check_overlaps() const;
};

// Gives the launch to a stream of the graph's device, behind the launch before it that has the same slots. Exceptions
// of the host's functions, and what nodes do to others' memory, go to `exception`. Throws what the backend reports, and
// OutOfMemoryError.
void submit_launch(std::shared_ptr<GraphLaunch> launch, WeftStream* stream, std::shared_ptr<HostException> exception,
                   std::shared_ptr<ProfileLog> profiles);

}  // namespace weft::detail
