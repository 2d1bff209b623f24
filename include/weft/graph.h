// Command graphs: commands that are recorded once and launched many times, each time with other values and buffers.
//
//   GraphBuilder recording = device.create_graph();
//   BufferView<float> input = recording.input<float>(n, "input");        // bound by each launch
//   BufferView<float> half_way = recording.transient<float>(n);          // memory that the graph shares out
//   GraphUniform<float> factor = recording.uniform<float>("factor");
//   recording.add(scale(input, half_way, factor).dispatch(n));
//   recording.add(scale(half_way, output, 2.f).dispatch(n));
//   Graph graph = recording.instantiate();
//   stream << graph.launch({{input, data}, {factor, 0.5f}}) << synchronize();
//
// A node starts when the last of those that it comes after has ended, whatever its place in the recording. What it
// comes after is inferred from what it touches, byte by byte, as in a stream; or, in a graph of given order, is said
// for each node. To its stream a launch is one command: it comes after all that was submitted before and before all
// that is submitted later, and if any of its nodes fails, it has failed.
//
// Transients hold something while the graph runs. Two of them share memory where every node that touches one precedes
// every node that touches the other.
#pragma once

#include <weft/buffer.h>
#include <weft/export.h>
#include <weft/stream.h>
#include <weft/uniform.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace weft {

namespace detail {
class GraphRecording;
struct GraphState;
}  // namespace detail

// Where the order of a graph's nodes comes from.
enum class GraphOrder {
  inferred,  // from what the nodes touch, in the order in which they are recorded, and what is given besides
  given,     // from what is given alone: nodes that are not ordered may run side by side whatever they touch
};

// A node of a recording, to be named by others. Copies name the same node.
class GraphNode {
 public:
  GraphNode() = default;
  GraphNode(std::uint64_t recording, std::uint32_t index) : recording_(recording), index_(index) {}

  std::uint64_t recording() const { return recording_; }
  std::uint32_t index() const { return index_; }  // in the order of recording, from 0

 private:
  std::uint64_t recording_ = 0;  // 0: none
  std::uint32_t index_ = 0;
};

struct TransientOptions {
  std::string name{};     // for pictures and messages
  bool zeroed = false;    // starts with all bytes 0; otherwise with unspecified contents
  bool own_slot = false;  // shares memory with no other
};

// Bytes that the transients of one launch take.
struct MemoryEstimates {
  std::uint64_t private_bytes = 0;  // if each had a slot of its own
  std::uint64_t aliased_bytes = 0;  // shared as far as the order of the nodes allows: what a graph without budget takes
  std::uint64_t serial_bytes = 0;   // shared as it could be if the nodes ran one after the other: the least budget
};

// Launches of one graph that are in flight on several streams.
enum class GraphOverlap {
  serialise,  // one after the other, whatever stream they are on
  own_slots,  // side by side, with memory for the transients of each
};

struct GraphOptions {
  std::string name = "graph";
  // Most bytes for the transients of one launch. What does not fit side by side is put in order by edges.
  std::optional<std::uint64_t> budget_bytes{};
  GraphOverlap overlap = GraphOverlap::serialise;
  // Transients are filled with a pattern where they are handed over, and no node may touch memory that is not its own
  // at the time: a node that does is an error at synchronize(). None: what WEFT_GRAPH_CHECKS says.
  std::optional<bool> checked{};
};

struct GraphStatistics {
  std::size_t nodes = 0;        // with those that fill transients
  std::size_t edges = 0;        // with the added ones
  std::size_t levels = 0;       // nodes on the longest path
  std::size_t widest = 0;       // nodes of the level with most of them
  std::size_t added_edges = 0;  // for the budget
  std::size_t transients = 0;
  std::uint64_t transient_bytes = 0;  // that a launch takes
};

// What a launch gives for an input or a uniform, for the length of the call.
class GraphBinding {
 public:
  template <typename T>
  GraphBinding(const BufferView<T>& input, const BufferView<T>& buffer)
      : input(&input.range()), buffer(&buffer.range()) {}
  template <typename T>
  GraphBinding(const GraphUniform<T>& uniform, const std::type_identity_t<T>& value)
      : uniform(uniform.ref()), value(&value) {}

  const detail::BufferRange* input = nullptr;  // null for a uniform
  const detail::BufferRange* buffer = nullptr;
  detail::UniformRef uniform{};
  const void* value = nullptr;
};

// A graph that can be launched. Copies name the same graph. Any thread may use any function.
class WEFT_API Graph {
 public:
  Graph() = default;
  explicit Graph(std::shared_ptr<detail::GraphState> state) : state_(std::move(state)) {}

  // A command that runs the graph, for streams of its device. Every input must be bound, and every uniform without an
  // initial value; buffers may overlap only where nothing writes. Throws UsageError; also for a buffer that nodes use
  // and that is gone.
  Command launch(std::initializer_list<GraphBinding> bindings = {}) const {
    return launch(std::span(bindings.begin(), bindings.size()));
  }
  Command launch(std::span<const GraphBinding> bindings) const;

  const MemoryEstimates& memory_estimates() const;
  const GraphStatistics& statistics() const;

  // A picture for Graphviz: nodes, edges (dashed ones order memory alone, dotted ones were added for the budget), and
  // where each transient is.
  std::string dot() const;

 private:
  const detail::GraphState& state() const;

  std::shared_ptr<detail::GraphState> state_;
};

// Records a graph. Made by Device::create_graph(). One thread at a time.
class WEFT_API GraphBuilder {
 public:
  explicit GraphBuilder(std::shared_ptr<detail::GraphRecording> recording) : recording_(std::move(recording)) {}
  GraphBuilder(GraphBuilder&&) noexcept = default;
  GraphBuilder& operator=(GraphBuilder&&) noexcept = default;

  // Adds a dispatch, copy, fill, upload, download or host callback, which comes after the given nodes. A function of
  // the host without given nodes, and a kernel that writes no buffer, keep their place among all others where the order
  // is inferred. Throws UsageError: for signals, waits and launches, objects of another device, transients and uniforms
  // of another recording.
  GraphNode add(Command command, std::initializer_list<GraphNode> after = {}) {
    return add(std::move(command), std::span(after.begin(), after.size()));
  }
  GraphNode add(Command command, std::span<const GraphNode> after);

  // A node that does nothing but come after others.
  GraphNode join(std::span<const GraphNode> after);

  // `later` comes after `earlier`, whatever their places in the recording. A cycle is an error when the graph is made.
  void order(const GraphNode& earlier, const GraphNode& later);

  // `count` elements of memory of the graph, valid while it runs: a view for its commands alone.
  template <typename T>
  BufferView<T> transient(std::uint64_t count, const TransientOptions& options = {}) {
    return BufferView<T>(add_transient(count, detail::element_type<T>(), options));
  }

  // What stands for a buffer of `count` elements that each launch binds.
  template <typename T>
  BufferView<T> input(std::uint64_t count, const std::string& name) {
    return BufferView<T>(add_input(count, detail::element_type<T>(), name));
  }

  // What stands for a value that each launch gives, or may give if there is an initial one.
  template <typename T>
  GraphUniform<T> uniform(std::string name) {
    return GraphUniform<T>(add_uniform(std::move(name), nullptr, sizeof(T)));
  }
  template <typename T>
  GraphUniform<T> uniform(std::string name, const T& initial) {
    return GraphUniform<T>(add_uniform(std::move(name), &initial, sizeof(T)));
  }

  // What the transients would take. Nothing is allocated. Throws as instantiate() does, but for the budget.
  MemoryEstimates memory_estimates() const;

  std::string dot() const;

  // The graph as recorded up to now; more may be recorded, and instantiated again, afterwards. Memory is allocated by
  // the first launch. Throws UsageError: for a cycle, a transient that is read before any node has written it, and a
  // budget that cannot be met.
  Graph instantiate(const GraphOptions& options = {}) const;

 private:
  detail::GraphRecording& recording() const;
  detail::BufferRange add_transient(std::uint64_t count, const detail::ElementType& type,
                                    const TransientOptions& options);
  detail::BufferRange add_input(std::uint64_t count, const detail::ElementType& type, const std::string& name);
  detail::UniformRef add_uniform(std::string name, const void* initial, std::size_t size_bytes);

  std::shared_ptr<detail::GraphRecording> recording_;
};

}  // namespace weft
