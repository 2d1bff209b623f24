// As a command graph: a node for each task and for each child that is added to its parent, contributions and scratch
// are transients. A task starts when its last child has been added, whatever its level. In reproducible mode the
// children of one parent are added one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "examples/multifrontal/executions.h"

namespace multifrontal {

using namespace weft;

namespace {

class AsGraph final : public DeviceExecution {
 public:
  AsGraph(const Device& device, const Analysis& analysis, const Needs& needs, const DeviceOptions& options)
      : DeviceExecution(device, analysis, needs, nullptr, options), needs_(needs) {
    record();
  }

 private:
  static constexpr std::uint64_t kShare = 4;  // of private slots, what it may take is one of so many parts

  void submit() override { stream_ << graph_.launch(); }

  void record() {
    GraphBuilder recording = device_.create_graph(GraphOrder::given);
    contributions_.resize(analysis_.tasks.size());
    added_.resize(analysis_.tasks.size());
    pushes_.resize(analysis_.tasks.size());
    for (uint position = 0; position < tables_.schedule.size(); ++position) {
      add_task(recording, position);
    }
    if (options_.reproducible) {
      order_children(recording);
    }
    const MemoryEstimates estimates = recording.memory_estimates();
    GraphOptions options{.name = "multifrontal"};
    options.budget_bytes = std::max(estimates.private_bytes / kShare, estimates.serial_bytes);
    graph_ = recording.instantiate(options);
    memory_.private_slots = estimates.private_bytes;
    memory_.aliased = graph_.statistics().transient_bytes;
    memory_.serial = estimates.serial_bytes;
  }

  BufferView<double> contribution(GraphBuilder& recording, uint task) {
    if (!contributions_[task]) {
      const std::uint64_t size = std::max<std::uint64_t>(needs_.tasks[task].contribution, 1);
      contributions_[task] = recording.transient<double>(size, {.name = fmt::format("c{}", task), .zeroed = true});
    }
    return *contributions_[task];
  }

  void add_task(GraphBuilder& recording, uint position) {
    const uint task = tables_.schedule[position];
    const std::uint64_t scratch_size = std::max<std::uint64_t>(needs_.tasks[task].scratch(), 1);
    const BufferView<double> scratch = recording.transient<double>(scratch_size, {.name = fmt::format("s{}", task)});
    const BufferView<double> own = contribution(recording, task);
    const GraphNode factored =
        analysis_.tasks[task].large
            ? add_large(recording, task, own, scratch)
            : recording.add(factor_tasks(position, own, scratch, Children::pushed).dispatch_blocks(1), added_[task]);
    const uint parent = analysis_.tasks[task].parent;
    if (parent == kNone) {
      return;
    }
    const uint strips = analysis_.tasks[task].large ? LargeTasks::kStrips : 1;
    pushes_[task] =
        recording.add(push(position, own, contribution(recording, parent)).dispatch_blocks(1, strips), {factored});
    added_[parent].push_back(pushes_[task]);
  }

  // A chain of nodes, after the one that had the same copy before.
  GraphNode add_large(GraphBuilder& recording, uint task, const BufferView<double>& own,
                      const BufferView<double>& scratch) {
    std::optional<GraphNode>& last = last_large_[large_count_ % last_large_.size()];
    std::vector<GraphNode> after = added_[task];
    if (last) {
      after.push_back(*last);
    }
    for (Command& command : large_.factor(task, own, 0, scratch, large_count_ % last_large_.size())) {
      last = recording.add(std::move(command), after);
      after = {*last};
    }
    ++large_count_;
    return *last;
  }

  void order_children(GraphBuilder& recording) const {
    for (const Task& task : analysis_.tasks) {
      for (std::size_t i = 1; i < task.children.size(); ++i) {
        recording.order(pushes_[task.children[i - 1]], pushes_[task.children[i]]);
      }
    }
  }

  const Needs needs_;
  std::vector<std::optional<BufferView<double>>> contributions_;  // of each task
  std::vector<std::vector<GraphNode>> added_;                     // of each task, its children
  std::vector<GraphNode> pushes_;                                 // of each task, its own
  std::array<std::optional<GraphNode>, LargeTasks::kCopies> last_large_;
  std::size_t large_count_ = 0;
  Graph graph_;
};

}  // namespace

std::unique_ptr<DeviceFactorisation> make_graph(const Device& device, const Analysis& analysis,
                                                const DeviceOptions& options) {
  return std::make_unique<AsGraph>(device, analysis, measure(analysis, options.large_fronts == LargeFronts::blas),
                                   options);
}

}  // namespace multifrontal
