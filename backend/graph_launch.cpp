#include "backend/graph_launch.h"

#include "backend/errors.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft::detail {
namespace {

using backend::ErrorSink;
using Kind = GraphResource::Kind;

// --- what the backend calls; no exception may reach it
void release_launch(void* user) { delete static_cast<std::shared_ptr<GraphLaunch>*>(user); }
void release_graph(void* user) { delete static_cast<std::shared_ptr<GraphState>*>(user); }

const GraphLaunch::NodeCall& call_of(void* user) { return *static_cast<GraphLaunch::NodeCall*>(user); }

const CommandState& command_of(const GraphLaunch::NodeCall& call) {
  return *call.launch->graph->recording.nodes()[call.node].state;
}

void run_host(void* user) {
  const GraphLaunch::NodeCall& call = call_of(user);
  try {
    command_of(call).host();
  } catch (...) {
    call.launch->exception->set(std::current_exception());
  }
}

int report_progress(void* user, std::uint64_t done, std::uint64_t total) {
  const GraphLaunch::NodeCall& call = call_of(user);
  try {
    return command_of(call).progress(done, total) ? 1 : 0;
  } catch (...) {
    call.launch->exception->set(std::current_exception());
    return 0;
  }
}

void add_profile(void* user, const WeftProfile* profile) {
  const GraphLaunch::NodeCall& call = call_of(user);
  call.launch->profiles->add(to_command_profile(call.launch->graph->node_label(call.node), *profile));
}

std::string violation_text(const GraphState& graph, const graph::SlotViolation& violation) {
  const auto transient_label = [&](graph::TransientIndex t) {
    return graph.recording.resources()[graph.layout.resources[t]].label;
  };
  const auto reason = [&] {
    switch (violation.kind) {
      case graph::SlotViolation::Kind::unordered: return "without coming after all nodes that touch it";
      case graph::SlotViolation::Kind::in_use: return "which a node that has not ended still uses";
      case graph::SlotViolation::Kind::taken: return "which has taken them before this node ended";
    }
    return "";
  };
  return fmt::format("{}: node {}, {}, touches bytes of {} that are also those of {}, {}", graph.label(),
                     violation.node, graph.node_label(violation.node), transient_label(violation.transient),
                     transient_label(violation.other), reason());
}

void begin_node(void* user) {
  const GraphLaunch::NodeCall& call = call_of(user);
  const std::optional<graph::SlotViolation> violation = call.launch->checker->begin(call.node);
  if (!violation) return;
  const DeviceError error(violation_text(*call.launch->graph, *violation));
  call.launch->exception->set(std::make_exception_ptr(error));
}

void end_node(void* user) {
  const GraphLaunch::NodeCall& call = call_of(user);
  call.launch->checker->end(call.node);
}

bool overlap(const WeftRange& a, const WeftRange& b) {
  return a.buffer == b.buffer && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

}  // namespace

// --- bindings

GraphLaunch::GraphLaunch(std::shared_ptr<GraphState> of, std::span<const GraphBinding> bindings)
    : graph(std::move(of)), ranges(graph->recording.resources().size()) {
  const GraphRecording& recording = graph->recording;
  for (const RecordedUniform& uniform : recording.uniforms()) uniforms.push_back(uniform.value);
  // Inputs first, then uniforms.
  std::vector<bool> is_given(recording.resources().size() + recording.uniforms().size(), false);
  for (const GraphBinding& binding : bindings) bind(binding, is_given);
  check_all_are_bound(is_given);
  use_buffers();
  check_overlaps();
}

void GraphLaunch::bind(const GraphBinding& binding, std::vector<bool>& is_given) {
  const bool is_input = binding.input != nullptr;
  const std::size_t place = is_input ? input_of(binding) : uniform_of(binding);
  const std::size_t number = is_input ? place : graph->recording.resources().size() + place;
  if (is_given[number]) {
    const std::string label = is_input ? graph->recording.resources()[place].label
                                       : fmt::format("uniform '{}'", graph->recording.uniforms()[place].name);
    throw UsageError(fmt::format("a launch of {} binds {} twice", graph->label(), label));
  }
  is_given[number] = true;
  if (is_input) {
    bind_input(binding, static_cast<ResourceIndex>(place));
  } else {
    const auto* const bytes = static_cast<const std::byte*>(binding.value);
    std::copy_n(bytes, uniforms[place].size(), uniforms[place].begin());
  }
}

std::size_t GraphLaunch::input_of(const GraphBinding& binding) const {
  const std::vector<GraphResource>& resources = graph->recording.resources();
  const BufferState* const buffer = binding.input->state().get();
  const auto found = std::ranges::find_if(resources, [&](const GraphResource& resource) {
    return resource.kind == Kind::input && buffer != nullptr && resource.placeholder->buffer.lock().get() == buffer;
  });
  if (found != resources.end()) return static_cast<std::size_t>(found - resources.begin());
  throw UsageError(fmt::format("a launch of {} binds what is no input of it", graph->label()));
}

std::size_t GraphLaunch::uniform_of(const GraphBinding& binding) const {
  const GraphRecording& recording = graph->recording;
  const UniformRef& uniform = binding.uniform;
  if (uniform.recording == recording.number() && uniform.index < recording.uniforms().size()) return uniform.index;
  throw UsageError(fmt::format("a launch of {} gives a value for what is no uniform of it", graph->label()));
}

void GraphLaunch::bind_input(const GraphBinding& binding, ResourceIndex resource) {
  const GraphResource& input = graph->recording.resources()[resource];
  const std::string user = fmt::format("{} of {}", input.label, graph->label());
  if (binding.input->size_bytes() != input.size_bytes) {
    throw UsageError(fmt::format("{} is bound in part: a launch binds the whole of it", user));
  }
  UsedRange used = use(*binding.buffer, user);
  check_is_no_placeholder(*used.memory, user);
  check_same_device(*used.memory->device, "the buffer bound to " + user, *graph->device(), "the graph");
  if (used.range.size_bytes != input.size_bytes) {
    throw UsageError(fmt::format("{} ({} bytes) is bound to a view of {} bytes: both must have the same size", user,
                                 input.size_bytes, used.range.size_bytes));
  }
  ranges[resource] = used.range;
  memories.push_back(std::move(used.memory));
}

void GraphLaunch::check_all_are_bound(const std::vector<bool>& is_given) const {
  const GraphRecording& recording = graph->recording;
  const auto check = [&](std::size_t place, std::string_view kind, std::string_view label) {
    if (!is_given[place])
      throw UsageError(fmt::format("a launch of {} does not bind {}{}", graph->label(), kind, label));
  };
  for (std::size_t r = 0; r < recording.resources().size(); ++r) {
    if (recording.resources()[r].kind == Kind::input) check(r, "", recording.resources()[r].label);
  }
  for (std::size_t u = 0; u < recording.uniforms().size(); ++u) {
    const RecordedUniform& uniform = recording.uniforms()[u];
    if (!uniform.is_initialised) check(recording.resources().size() + u, "uniform ", "'" + uniform.name + "'");
  }
}

void GraphLaunch::use_buffers() {
  const std::vector<GraphResource>& resources = graph->recording.resources();
  for (std::size_t r = 0; r < resources.size(); ++r) {
    if (resources[r].kind != Kind::buffer) continue;
    std::shared_ptr<BufferMemory> memory = resources[r].buffer->use("a launch of " + graph->label());
    ranges[r] = {memory->handle, 0, 0};
    memories.push_back(std::move(memory));
  }
}

// Nodes were ordered as if an input shared bytes with nothing else.
void GraphLaunch::check_overlaps() const {
  const std::vector<GraphResource>& resources = graph->recording.resources();
  const auto range_of = [&](const GraphState::ResourceUse& use) {
    const WeftRange& range = ranges[use.resource];
    return WeftRange{range.buffer, range.offset_bytes + use.begin, use.end - use.begin};
  };
  for (const GraphState::ResourceUse& a : graph->uses) {
    if (resources[a.resource].kind != Kind::input) continue;
    for (const GraphState::ResourceUse& b : graph->uses) {
      const bool is_compared_once = resources[b.resource].kind != Kind::input || a.resource < b.resource;
      const bool is_written = ((a.access | b.access) & WEFT_ACCESS_WRITE) != 0;
      if (!is_compared_once || !is_written || !overlap(range_of(a), range_of(b))) continue;
      throw UsageError(fmt::format("a launch of {} binds {} to bytes that are also those of {}, and nodes write there",
                                   graph->label(), resources[a.resource].label, resources[b.resource].label));
    }
  }
}

// --- submission

namespace {

// With the graph's mutex held.
class Submission {
 public:
  Submission(std::shared_ptr<GraphLaunch> launch, WeftStream* stream)
      : launch_(std::move(launch)), graph_(*launch_->graph), stream_(stream), slots_(choose_slots()) {}

  void run() {
    patch();
    make_calls();
    if (graph_.is_checked) {
      launch_->checker =
          std::make_unique<graph::SlotChecker>(graph_.dag, graph_.layout.transients, graph_.plan.offsets);
    }
    if (slots_.stream != stream_ && slots_.finished.value() < slots_.launches) submit_point(WEFT_COMMAND_WAIT);
    submit_nodes();
    slots_.stream = stream_;
    ++slots_.launches;
    submit_point(WEFT_COMMAND_SIGNAL);
  }

 private:
  SlotSet& choose_slots();
  void patch();
  void make_calls();
  std::vector<WeftGraphUse> uses() const;
  void submit_nodes();
  void submit_point(WeftCommandKind kind);

  const std::shared_ptr<GraphLaunch> launch_;
  GraphState& graph_;
  WeftStream* const stream_;
  SlotSet& slots_;
};

// Launches on one stream come one after the other in any case.
SlotSet& Submission::choose_slots() {
  std::deque<SlotSet>& sets = graph_.slot_sets;
  auto chosen = std::ranges::find(sets, stream_, &SlotSet::stream);
  if (chosen == sets.end() && graph_.options.overlap == GraphOverlap::own_slots) {
    chosen = std::ranges::find_if(sets, [](const SlotSet& s) { return s.finished.value() >= s.launches; });
  }
  if (chosen == sets.end() && graph_.options.overlap == GraphOverlap::serialise) chosen = sets.begin();
  SlotSet& slots = chosen == sets.end() ? sets.emplace_back(graph_.device()) : *chosen;
  if (slots.memory == nullptr) {
    slots.memory = std::make_shared<BufferMemory>(graph_.device(), graph_.plan.size_bytes);
  }
  return slots;
}

void Submission::patch() {
  launch_->slots = slots_.memory;
  if (graph_.patched != &slots_) {
    for (const GraphState::RangePatch& patch : graph_.transient_patches) {
      patch.range->buffer = slots_.memory->handle;
      patch.range->offset_bytes = graph_.plan.offsets[patch.index] + patch.offset_bytes;
    }
    graph_.patched = &slots_;
  }
  for (const GraphState::RangePatch& patch : graph_.input_patches) {
    const WeftRange& range = launch_->ranges[patch.index];
    patch.range->buffer = range.buffer;
    patch.range->offset_bytes = range.offset_bytes + patch.offset_bytes;
  }
  for (const GraphState::UniformPatch& patch : graph_.uniform_patches) {
    std::ranges::copy(launch_->uniforms[patch.uniform], patch.value);
  }
}

void Submission::make_calls() {
  const std::vector<RecordedNode>& recorded = graph_.recording.nodes();
  launch_->calls.resize(graph_.nodes.size());
  for (std::size_t place = 0; place < graph_.nodes.size(); ++place) {
    const graph::NodeIndex node = graph_.node_at[place];
    launch_->calls[place] = {launch_.get(), node};
    WeftCommand& command = graph_.nodes[place].command;
    command.user = &launch_->calls[place];
    command.profile = launch_->profiles == nullptr ? nullptr : add_profile;
    if (node >= recorded.size()) continue;
    if (recorded[node].state->host) command.host = run_host;
    if (recorded[node].state->progress) command.dispatch.progress = report_progress;
  }
}

std::vector<WeftGraphUse> Submission::uses() const {
  std::vector<WeftGraphUse> out;
  for (const GraphState::ResourceUse& use : graph_.uses) {
    WeftRange range = launch_->ranges[use.resource];
    range.offset_bytes += use.begin;
    range.size_bytes = use.end - use.begin;
    out.push_back({range, use.access});
  }
  return out;
}

void Submission::submit_nodes() {
  const std::vector<WeftGraphUse> used = uses();
  WeftGraphLaunch raw{};
  raw.nodes = graph_.nodes.data();
  raw.node_count = static_cast<std::uint32_t>(graph_.nodes.size());
  raw.uses = used.data();
  raw.use_count = static_cast<std::uint32_t>(used.size());
  raw.user = new std::shared_ptr<GraphLaunch>(launch_);
  raw.release = release_launch;
  if (graph_.is_checked) {
    raw.begin = begin_node;
    raw.end = end_node;
  }
  const ErrorSink errors;
  const WeftResult result = graph_.device()->backend.submit_graph(stream_, &raw, errors.interface());
  if (result != WEFT_OK) errors.raise(result, "launching a graph");
}

// The slots' event counts launches that have finished.
void Submission::submit_point(WeftCommandKind kind) {
  WeftCommand raw{};
  raw.kind = kind;
  raw.label = kind == WEFT_COMMAND_WAIT ? "wait for a graph's launch before" : "end of a graph's launch";
  raw.user = new std::shared_ptr<GraphState>(launch_->graph);
  raw.release = release_graph;
  raw.point = {slots_.finished.handle, slots_.launches};
  const ErrorSink errors;
  const WeftResult result = graph_.device()->backend.submit(stream_, &raw, errors.interface());
  if (result != WEFT_OK) errors.raise(result, "launching a graph");
}

}  // namespace

void submit_launch(std::shared_ptr<GraphLaunch> launch, WeftStream* stream, std::shared_ptr<HostException> exception,
                   std::shared_ptr<ProfileLog> profiles) {
  launch->exception = std::move(exception);
  launch->profiles = std::move(profiles);
  const std::shared_ptr<GraphState> graph = launch->graph;
  const std::lock_guard lock(graph->mutex);
  Submission(std::move(launch), stream).run();
}

}  // namespace weft::detail
