// A graph that can be launched: the commands of its nodes in an order in which each comes after its predecessors, and
// what every launch puts into them.
//
// The commands are made once. A launch puts its buffers, values and slots into them and hands them to the backend,
// which copies what it needs, all under mutex_.
#pragma once

#include "backend/event_state.h"
#include "backend/graph_layout.h"

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace weft::detail {

// Memory for the transients of one launch after the other.
struct SlotSet {
  explicit SlotSet(std::shared_ptr<DeviceState> device) : finished(std::move(device)) {}

  std::shared_ptr<BufferMemory> memory;  // null until a launch needs it
  EventHandle finished;                  // its value: launches that have finished
  std::uint64_t launches = 0;            // that were submitted
  WeftStream* stream = nullptr;          // of the latest launch
};

struct GraphState {
  // Throws UsageError for what is wrong with the recording, and for a budget that cannot be met.
  GraphState(const GraphRecording& recording, const GraphOptions& options);
  GraphState(const GraphState&) = delete;
  GraphState& operator=(const GraphState&) = delete;

  const std::shared_ptr<DeviceState>& device() const { return recording.device(); }
  // For people: "graph 'frame'".
  std::string label() const;
  // Of a node of the dag.
  const char* node_label(graph::NodeIndex node) const { return labels[node].c_str(); }

  const GraphOptions options;
  const bool is_checked;
  const GraphRecording recording;
  const GraphLayout layout;
  MemoryEstimates estimates;
  graph::Plan plan;
  graph::Dag dag;  // the layout's, and the plan's edges
  GraphStatistics statistics;
  std::vector<std::string> labels;

  // --- the commands, with what a launch replaces
  struct RangePatch {
    WeftRange* range;
    std::size_t index;           // of the transient, or of the resource
    std::uint64_t offset_bytes;  // in it
  };
  struct UniformPatch {
    std::byte* value;
    std::uint32_t uniform;
  };
  struct ResourceUse {
    ResourceIndex resource;  // an input or a buffer
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t access;
  };
  std::vector<WeftGraphNode> nodes;       // by place
  std::vector<graph::NodeIndex> node_at;  // place -> node of the dag
  std::vector<RangePatch> transient_patches;
  std::vector<RangePatch> input_patches;
  std::vector<UniformPatch> uniform_patches;
  std::vector<ResourceUse> uses;  // one for each input and buffer

  std::mutex mutex;  // guards what launches replace, and what follows
  std::deque<SlotSet> slot_sets;
  const SlotSet* patched = nullptr;  // whose memory is in the commands

 private:
  void add_commands();
  void add_recorded(const RecordedNode& recorded, WeftCommand& command);
  void add_filling(graph::TransientIndex transient, WeftCommand& command);
  void add_edges();
  void add_uses();
  void fill_statistics();
  void log_statistics() const;

  std::vector<WeftGraphEdge> edges_;     // of all nodes
  std::vector<WeftArgument> arguments_;  // of all dispatches; never beyond what was reserved
  std::vector<std::byte> values_;        // likewise
  std::vector<std::size_t> transient_of_resource_;
};

}  // namespace weft::detail
