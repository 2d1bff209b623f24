#include "backend/graph_recording.h"

#include "backend/graph_ranges.h"
#include "backend/shader_state.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace weft::detail {
namespace {

using runtime::Access;

std::uint64_t next_recording_number() {
  static std::atomic<std::uint64_t> number{0};  // orders nothing
  return number.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::uint64_t checked_size(std::uint64_t count, const ElementType& type, std::string_view what) {
  if (count <= std::numeric_limits<std::uint64_t>::max() / type.size_bytes) return count * type.size_bytes;
  throw OutOfMemoryError(fmt::format("{} of {} is larger than the address space", what, count_text(count, type)));
}

std::string name_text(std::string_view name) { return name.empty() ? "" : fmt::format("'{}' ", name); }

const WeftKernelInfo* kernel_of(const CommandState& command) {
  return command.shader == nullptr ? nullptr : &command.shader->kernel;
}

Touch host_touch(const void* data, std::uint64_t size_bytes, Access access) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return {Touch::kHost, address, address + size_bytes, access};
}

// As in a stream: a function of the host, and a kernel that writes no buffer and has some other effect, if any.
bool keeps_its_place(const CommandState& command, std::span<const Touch> touches) {
  if (command.command.kind == WEFT_COMMAND_HOST) return true;
  return command.command.kind == WEFT_COMMAND_DISPATCH &&
         std::ranges::all_of(touches, [](const Touch& touch) { return touch.access == Access::read; });
}

}  // namespace

GraphRecording::GraphRecording(std::shared_ptr<DeviceState> device, GraphOrder order)
    : device_(std::move(device)), order_(order), number_(next_recording_number()) {}

BufferRange GraphRecording::add_placeholder(GraphResource resource) {
  const Placeholder placeholder{number_, static_cast<ResourceIndex>(resources_.size())};
  resource.placeholder = std::make_shared<BufferMemory>(device_, placeholder);
  BufferRange range = make_range(resource.placeholder, resource.label, resource.size_bytes);
  resources_.push_back(std::move(resource));
  return range;
}

BufferRange GraphRecording::add_transient(std::uint64_t count, const ElementType& type,
                                          const TransientOptions& options) {
  GraphResource resource;
  resource.kind = GraphResource::Kind::transient;
  resource.label = fmt::format("transient {}of {}", name_text(options.name), count_text(count, type));
  resource.size_bytes = checked_size(count, type, "a transient");
  resource.options = options;
  return add_placeholder(std::move(resource));
}

BufferRange GraphRecording::add_input(std::uint64_t count, const ElementType& type, const std::string& name) {
  GraphResource resource;
  resource.kind = GraphResource::Kind::input;
  resource.label = fmt::format("input {}of {}", name_text(name), count_text(count, type));
  resource.size_bytes = checked_size(count, type, "an input");
  return add_placeholder(std::move(resource));
}

UniformRef GraphRecording::add_uniform(std::string name, std::span<const std::byte> initial, std::size_t size_bytes) {
  const UniformRef ref{number_, static_cast<std::uint32_t>(uniforms_.size())};
  RecordedUniform& uniform = uniforms_.emplace_back();
  uniform.name = std::move(name);
  uniform.value.assign(initial.begin(), initial.end());
  uniform.value.resize(size_bytes);
  uniform.is_initialised = !initial.empty();
  return ref;
}

void GraphRecording::check_uniform(const UniformArgument& argument) const {
  if (argument.uniform.recording == number_) return;
  throw UsageError(fmt::format("{} is a uniform of {}", argument.label,
                               argument.uniform.recording == 0 ? "no graph" : "another graph"));
}

void GraphRecording::check_command(const CommandState& command) const {
  if (command.device != nullptr) check_same_device(*command.device, "the " + command.what, *device_, "the graph");
  if (command.launch != nullptr || command.command.kind == WEFT_COMMAND_SIGNAL ||
      command.command.kind == WEFT_COMMAND_WAIT) {
    throw UsageError(fmt::format(
        "a graph cannot record the {}: it holds dispatches, copies, fills and functions of the host", command.what));
  }
  for (const std::shared_ptr<BufferMemory>& memory : command.memories) {
    if (!memory->placeholder || memory->placeholder->recording == number_) continue;
    throw UsageError(fmt::format("the {} uses a transient or an input of another graph", command.what));
  }
  for (const UniformArgument& argument : command.uniforms) check_uniform(argument);
}

void GraphRecording::check_node(const GraphNode& node) const {
  if (node.recording() == number_) return;
  throw UsageError(fmt::format("a node of {} is given, expected one of this graph",
                               node.recording() == 0 ? "no graph" : "another graph"));
}

ResourceIndex GraphRecording::resource_of(const CommandState& command, const WeftRange& range) {
  const auto memory = std::ranges::find(command.memories, range.buffer, [](const auto& held) { return held->handle; });
  if ((*memory)->placeholder) return (*memory)->placeholder->resource;
  const std::shared_ptr<BufferState> buffer = (*memory)->buffer.lock();
  if (buffer == nullptr) throw UsageError(fmt::format("the {} uses a buffer that was destroyed before", command.what));
  const auto [place, is_new] =
      resource_of_buffer_.try_emplace(buffer.get(), static_cast<ResourceIndex>(resources_.size()));
  if (is_new) {
    GraphResource& added = resources_.emplace_back();
    added.label = buffer->label;
    added.buffer = buffer;
  }
  return place->second;
}

void GraphRecording::note_touches(RecordedNode& node) {
  const CommandState& state = *node.state;
  const WeftTransfer& transfer = state.command.transfer;
  for_each_range(
      state.command, std::span(state.arguments), kernel_of(state), [&](const WeftRange& range, Access access) {
        const ResourceIndex resource = resource_of(state, range);
        node.resources.push_back(resource);
        node.touches.push_back({resource, range.offset_bytes, range.offset_bytes + range.size_bytes, access});
      });
  if (state.command.kind == WEFT_COMMAND_UPLOAD) {
    node.touches.push_back(host_touch(transfer.host_data, transfer.target.size_bytes, Access::read));
  } else if (state.command.kind == WEFT_COMMAND_DOWNLOAD) {
    node.touches.push_back(host_touch(transfer.host_target, transfer.source.size_bytes, Access::write));
  }
}

std::uint32_t GraphRecording::add(std::unique_ptr<CommandState> command, std::span<const GraphNode> after) {
  check_command(*command);
  for (const GraphNode& node : after) check_node(node);
  if (command->does_nothing) command->command.kind = WEFT_COMMAND_NOTHING;
  CommandState& state = *command;
  RecordedNode recorded;
  recorded.state = std::move(command);
  note_touches(recorded);
  state.memories.clear();
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  const bool is_fence = after.empty() && keeps_its_place(state, recorded.touches);
  nodes_.push_back(std::move(recorded));
  for (const GraphNode& earlier : after) edges_.push_back({{earlier.index(), node}, true});
  if (order_ == GraphOrder::inferred) infer_edges(node, is_fence);
  return node;
}

void GraphRecording::infer_edges(std::uint32_t node, bool is_fence) {
  std::vector<runtime::Use> uses;
  for (const Touch& touch : nodes_[node].touches) {
    uses.push_back(
        {touch.resource == Touch::kHost ? 0 : std::uint64_t{touch.resource} + 1, touch.begin, touch.end, touch.access});
  }
  std::vector<runtime::Dependency> found;
  hazards_.add(std::uint64_t{node} + 1, uses, 0, found);
  for (const runtime::Dependency& earlier : found) {
    edges_.push_back({{static_cast<std::uint32_t>(earlier.task - 1), node}, earlier.carries_failure});
  }
  if (is_fence) {
    for (std::uint32_t earlier = fence_; earlier < node; ++earlier) edges_.push_back({{earlier, node}, false});
  }
  if (fence_ > 0) edges_.push_back({{fence_ - 1, node}, false});
  if (is_fence) fence_ = node + 1;
}

void GraphRecording::order(const GraphNode& earlier, const GraphNode& later) {
  check_node(earlier);
  check_node(later);
  edges_.push_back({{earlier.index(), later.index()}, true});
}

}  // namespace weft::detail
