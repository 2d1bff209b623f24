#include "backend/graph_state.h"

#include "backend/graph_ranges.h"
#include "backend/shader_state.h"
#include "runtime/support/env.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace weft::detail {
namespace {

using graph::NodeIndex;

// Nobody takes such bytes for a value: as floats they are about -3e-13, as integers about -1.4e9.
constexpr std::byte kPoison{0xAB};
constexpr std::byte kZero{0};

graph::Plan make_plan(const graph::Planner& planner, const GraphOptions& options) {
  if (!options.budget_bytes) return planner.plan();
  std::optional<graph::Plan> plan = planner.plan_within(*options.budget_bytes);
  if (plan) return std::move(*plan);
  const graph::MemoryEstimates& estimates = planner.estimates();
  throw UsageError(fmt::format(
      "the transients of graph '{}' do not fit into a budget of {} bytes: they take {} with one node after "
      "the other, {} as ordered, {} in slots of their own",
      options.name, *options.budget_bytes, estimates.serial_bytes, estimates.aliased_bytes, estimates.private_bytes));
}

graph::Dag with_edges(const graph::Dag& dag, const std::vector<graph::Edge>& added) {
  std::vector<graph::Edge> edges(dag.edges().begin(), dag.edges().end());
  edges.insert(edges.end(), added.begin(), added.end());
  return {dag.node_count(), std::move(edges)};
}

}  // namespace

GraphState::GraphState(const GraphRecording& recorded, const GraphOptions& wanted)
    : options(wanted),
      is_checked(wanted.checked.value_or(env::graph_checks())),
      recording(recorded),
      layout(lay_out(recording, is_checked)),
      dag(0, {}) {
  const graph::Planner planner(layout.dag, layout.transients);
  estimates = {planner.estimates().private_bytes, planner.estimates().aliased_bytes, planner.estimates().serial_bytes};
  plan = make_plan(planner, options);
  dag = with_edges(layout.dag, plan.added_edges);
  transient_of_resource_.assign(recording.resources().size(), layout.resources.size());
  for (std::size_t t = 0; t < layout.resources.size(); ++t) transient_of_resource_[layout.resources[t]] = t;
  add_commands();
  add_edges();
  add_uses();
  fill_statistics();
  log_statistics();
}

std::string GraphState::label() const { return fmt::format("graph '{}'", options.name); }

void GraphState::add_commands() {
  const std::size_t recorded_count = recording.nodes().size();
  std::size_t argument_count = 0;
  std::size_t value_bytes = 0;
  for (const RecordedNode& node : recording.nodes()) {
    argument_count += node.state->arguments.size();
    value_bytes += node.state->values.size();
    labels.push_back(node.state->what);
  }
  for (const graph::TransientIndex t : layout.filled) {
    labels.push_back("filling of " + recording.resources()[layout.resources[t]].label);
  }
  arguments_.reserve(argument_count);
  values_.reserve(value_bytes);
  node_at.assign(dag.order().begin(), dag.order().end());
  nodes.resize(node_at.size());
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    const NodeIndex node = node_at[place];
    WeftCommand& command = nodes[place].command;
    if (node < recorded_count) {
      add_recorded(recording.nodes()[node], command);
    } else {
      add_filling(layout.filled[node - recorded_count], command);
    }
    command.label = node_label(node);
  }
}

// Copies the command, so that what it points to is this graph's own.
void GraphState::add_recorded(const RecordedNode& recorded, WeftCommand& command) {
  const CommandState& state = *recorded.state;
  command = state.command;
  std::byte* const values = std::to_address(values_.insert(values_.end(), state.values.begin(), state.values.end()));
  const auto moved = [&](const void* value) {
    return values + (static_cast<const std::byte*>(value) - state.values.data());
  };
  const auto first = arguments_.insert(arguments_.end(), state.arguments.begin(), state.arguments.end());
  const std::span<WeftArgument> arguments(first, arguments_.end());
  for (WeftArgument& argument : arguments) {
    if (argument.value != nullptr) argument.value = moved(argument.value);
  }
  if (command.transfer.pattern != nullptr) command.transfer.pattern = moved(command.transfer.pattern);
  command.dispatch.arguments = arguments.data();
  for (const UniformArgument& argument : state.uniforms) {
    uniform_patches.push_back({values + argument.offset, argument.uniform.index});
  }
  const WeftKernelInfo* const kernel = state.shader == nullptr ? nullptr : &state.shader->kernel;
  std::size_t at = 0;
  for_each_range(command, arguments, kernel, [&](WeftRange& range, runtime::Access) {
    const ResourceIndex resource = recorded.resources[at++];
    switch (recording.resources()[resource].kind) {
      case GraphResource::Kind::transient:
        transient_patches.push_back({&range, transient_of_resource_[resource], range.offset_bytes});
        break;
      case GraphResource::Kind::input: input_patches.push_back({&range, resource, range.offset_bytes}); break;
      case GraphResource::Kind::buffer: break;
    }
  });
}

void GraphState::add_filling(graph::TransientIndex transient, WeftCommand& command) {
  const GraphResource& resource = recording.resources()[layout.resources[transient]];
  command.kind = WEFT_COMMAND_FILL;
  command.transfer.pattern = resource.options.zeroed ? &kZero : &kPoison;
  command.transfer.pattern_bytes = 1;
  command.transfer.target.size_bytes = resource.size_bytes;
  transient_patches.push_back({&command.transfer.target, transient, 0});
}

void GraphState::add_edges() {
  edges_.reserve(dag.edges().size());
  const std::vector<std::uint32_t> place = graph::positions(node_at);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].predecessors = edges_.data() + edges_.size();
    for (const NodeIndex earlier : dag.predecessors(node_at[i])) {
      edges_.push_back({place[earlier], layout.carries_failure({earlier, node_at[i]}) ? 1U : 0U});
      ++nodes[i].predecessor_count;
    }
  }
}

// The extent of what nodes touch of each input and buffer.
void GraphState::add_uses() {
  std::vector<ResourceUse> extents(recording.resources().size(), {0, UINT64_MAX, 0, 0});
  for (const RecordedNode& node : recording.nodes()) {
    for (const Touch& touch : node.touches) {
      if (touch.resource == Touch::kHost || transient_of_resource_[touch.resource] < layout.resources.size()) continue;
      ResourceUse& extent = extents[touch.resource];
      extent.resource = touch.resource;
      extent.begin = std::min(extent.begin, touch.begin);
      extent.end = std::max(extent.end, touch.end);
      extent.access |= touch.access == runtime::Access::read ? WEFT_ACCESS_READ : WEFT_ACCESS_WRITE;
    }
  }
  std::ranges::copy_if(extents, std::back_inserter(uses), [](const ResourceUse& use) { return use.access != 0; });
}

void GraphState::fill_statistics() {
  const graph::Shape shape = graph::shape_of(dag);
  statistics.nodes = shape.nodes;
  statistics.edges = shape.edges;
  statistics.levels = shape.levels;
  statistics.widest = shape.widest;
  statistics.added_edges = shape.edges - layout.dag.edges().size();
  statistics.transients = layout.transients.size();
  statistics.transient_bytes = plan.size_bytes;
}

void GraphState::log_statistics() const {
  device()->log(
      LogLevel::debug,
      fmt::format("{}: {} nodes, {} edges ({} added), {} levels; {} transients in {} bytes, {} in slots of their "
                  "own{}",
                  label(), statistics.nodes, statistics.edges, statistics.added_edges, statistics.levels,
                  statistics.transients, statistics.transient_bytes, estimates.private_bytes,
                  is_checked ? "; checked" : ""));
}

}  // namespace weft::detail
