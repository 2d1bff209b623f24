// A graph while it is recorded: what its nodes do, what they touch, and in which order they must run.
//
// Commands name memory by handles. Those of a recording's transients and inputs are placeholders (buffer_state.h),
// which a launch replaces by real ones. Buffers are not held: a launch asks whether they still exist.
#pragma once

#include "backend/buffer_state.h"
#include "backend/command_state.h"
#include "runtime/graph/dag.h"
#include "runtime/hazards.h"

#include <weft/graph.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft::detail {

using ResourceIndex = std::uint32_t;

// Memory that nodes touch.
struct GraphResource {
  enum class Kind { transient, input, buffer };
  Kind kind = Kind::buffer;
  std::string label;  // "transient 'x' of 100 f32"
  std::uint64_t size_bytes = 0;
  TransientOptions options{};                 // of a transient
  std::shared_ptr<BufferMemory> placeholder;  // of a transient or an input
  std::shared_ptr<BufferState> buffer;        // of a buffer
};

// Bytes of a resource, or of the host's memory, that a node touches.
struct Touch {
  static constexpr ResourceIndex kHost = UINT32_MAX;
  ResourceIndex resource = kHost;
  std::uint64_t begin = 0;  // of the host's memory: addresses
  std::uint64_t end = 0;
  runtime::Access access = runtime::Access::read;
};

struct RecordedNode {
  std::shared_ptr<const CommandState> state;
  std::vector<ResourceIndex> resources;  // of its ranges, in the order of for_each_range()
  std::vector<Touch> touches;
};

struct RecordedEdge {
  graph::Edge edge;
  bool carries_failure = true;
};

struct RecordedUniform {
  std::string name;
  std::vector<std::byte> value;  // initial
  bool is_initialised = false;
};

// Copied when it is instantiated.
class GraphRecording {
 public:
  GraphRecording(std::shared_ptr<DeviceState> device, GraphOrder order);

  std::uint32_t add(std::unique_ptr<CommandState> command, std::span<const GraphNode> after);
  void order(const GraphNode& earlier, const GraphNode& later);
  BufferRange add_transient(std::uint64_t count, const ElementType& type, const TransientOptions& options);
  BufferRange add_input(std::uint64_t count, const ElementType& type, const std::string& name);
  UniformRef add_uniform(std::string name, std::span<const std::byte> initial, std::size_t size_bytes);

  const std::shared_ptr<DeviceState>& device() const { return device_; }
  std::uint64_t number() const { return number_; }  // among the process's recordings
  const std::vector<GraphResource>& resources() const { return resources_; }
  const std::vector<RecordedNode>& nodes() const { return nodes_; }
  const std::vector<RecordedEdge>& edges() const { return edges_; }
  const std::vector<RecordedUniform>& uniforms() const { return uniforms_; }

 private:
  BufferRange add_placeholder(GraphResource resource);
  void check_command(const CommandState& command) const;
  void check_uniform(const UniformArgument& argument) const;
  void check_node(const GraphNode& node) const;
  ResourceIndex resource_of(const CommandState& command, const WeftRange& range);
  void note_touches(RecordedNode& node);
  void infer_edges(std::uint32_t node, bool is_fence);

  std::shared_ptr<DeviceState> device_;
  GraphOrder order_;
  std::uint64_t number_;
  std::vector<GraphResource> resources_;
  std::map<const BufferState*, ResourceIndex> resource_of_buffer_;  // which the resources keep
  std::vector<RecordedNode> nodes_;
  std::vector<RecordedEdge> edges_;
  std::vector<RecordedUniform> uniforms_;
  // Where the order is inferred:
  runtime::HazardTracker hazards_;
  std::uint32_t fence_ = 0;  // one more than the latest node that keeps its place among all others
};

}  // namespace weft::detail
