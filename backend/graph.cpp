// Graphs as applications see them.
#include <weft/graph.h>

#include "backend/graph_launch.h"
#include "backend/graph_picture.h"
#include "backend/graph_recording.h"
#include "backend/graph_state.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <utility>

namespace weft {

// --- GraphBuilder

detail::GraphRecording& GraphBuilder::recording() const {
  if (recording_ == nullptr) throw UsageError("a graph's recording is used that was moved from");
  return *recording_;
}

GraphNode GraphBuilder::add(Command command, std::span<const GraphNode> after) {
  std::unique_ptr<detail::CommandState> state = std::move(command.state_);
  if (state == nullptr) throw UsageError("a command is recorded that was used before, or was moved from");
  return {recording().number(), recording().add(std::move(state), after)};
}

GraphNode GraphBuilder::join(std::span<const GraphNode> after) {
  auto state = std::make_unique<detail::CommandState>();
  state->what = "join";
  state->command.kind = WEFT_COMMAND_NOTHING;
  return add(Command(std::move(state)), after);
}

void GraphBuilder::order(const GraphNode& earlier, const GraphNode& later) { recording().order(earlier, later); }

detail::BufferRange GraphBuilder::add_transient(std::uint64_t count, const detail::ElementType& type,
                                                const TransientOptions& options) {
  return recording().add_transient(count, type, options);
}

detail::BufferRange GraphBuilder::add_input(std::uint64_t count, const detail::ElementType& type,
                                            const std::string& name) {
  return recording().add_input(count, type, name);
}

detail::UniformRef GraphBuilder::add_uniform(std::string name, const void* initial, std::size_t size_bytes) {
  const auto* const bytes = static_cast<const std::byte*>(initial);
  return recording().add_uniform(std::move(name), {bytes, bytes == nullptr ? 0 : size_bytes}, size_bytes);
}

MemoryEstimates GraphBuilder::memory_estimates() const {
  const detail::GraphLayout layout = detail::lay_out(recording(), false);
  const graph::MemoryEstimates estimates = graph::Planner(layout.dag, layout.transients).estimates();
  return {estimates.private_bytes, estimates.aliased_bytes, estimates.serial_bytes};
}

std::string GraphBuilder::dot() const {
  return detail::picture_of(recording(), detail::lay_out(recording(), false), nullptr);
}

Graph GraphBuilder::instantiate(const GraphOptions& options) const {
  return Graph(std::make_shared<detail::GraphState>(recording(), options));
}

// --- Graph

const detail::GraphState& Graph::state() const {
  if (state_ == nullptr) throw UsageError("a graph is used that was never made, or was moved from");
  return *state_;
}

Command Graph::launch(std::span<const GraphBinding> bindings) const {
  auto command = std::make_unique<detail::CommandState>();
  command->what = "launch of " + state().label();
  command->device = state().device();
  command->launch = std::make_shared<detail::GraphLaunch>(state_, bindings);
  return Command(std::move(command));
}

const MemoryEstimates& Graph::memory_estimates() const { return state().estimates; }

const GraphStatistics& Graph::statistics() const { return state().statistics; }

std::string Graph::dot() const {
  const detail::GraphState& graph = state();
  return detail::picture_of(graph.recording, graph.layout, &graph.plan);
}

}  // namespace weft
