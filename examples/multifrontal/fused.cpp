// Fused in segments: one kernel for each segment of the tree, with dependency counters in it, and the large fronts
// between. Tasks take what their children left, in order, so that the bits are always the same. The order that the
// counters enforce within a segment, children before parents, is what its pieces of memory are planned by.
#include <algorithm>

#include "examples/multifrontal/executions.h"

namespace multifrontal {

using namespace weft;

namespace {

class Fused final : public DeviceExecution {
 public:
  Fused(const Device& device, const Analysis& analysis, const Needs& needs, const Layout& layout,
        const DeviceOptions& options)
      : DeviceExecution(device, analysis, needs, &layout, options),
        contributions_(layout.contributions),
        work_(device.create_buffer<double>(std::max<std::uint64_t>(layout.elements, 1))),
        missing_(device.create_buffer<uint>(analysis.tasks.size())),
        next_(device.create_buffer<uint>(analysis.tasks.size())),
        leaves_(device.create_buffer<uint>(analysis.tasks.size())),
        large_of_step_(analysis.steps) {
    memory_.aliased = sizeof(double) * layout.elements;
    plan();
  }

 private:
  void submit() override {
    stream_ << missing_.upload(children_);
    for (std::size_t step = 0; step < analysis_.steps; ++step) {
      if (const uint count = leaf_starts_[step + 1] - leaf_starts_[step]; count > 0) {
        stream_ << segment(leaf_starts_[step]).dispatch_blocks(count);
      }
      for (const uint task : large_of_step_[step]) {
        assemble_large(task, work_);
        factor_large(task, work_, contributions_[task]);
      }
    }
  }

  Invocation segment(uint first) const {
    return shaders_.factor_segment(tables_.fronts, tables_.maps, tables_.children, tables_.tasks, leaves_, first, next_,
                                   missing_, tables_.panels, tables_.pivots, tables_.perturbed, tables_.threshold,
                                   work_);
  }

  bool in_one_segment(uint task, uint parent) const {
    return parent != kNone && analysis_.tasks[task].step == analysis_.tasks[parent].step &&
           !analysis_.tasks[task].large;
  }

  void plan() {
    const std::vector<Task>& tasks = analysis_.tasks;
    std::vector<uint> next(tasks.size(), kNone);
    std::vector<std::vector<uint>> leaves(analysis_.steps);
    children_.assign(tasks.size(), 0);
    for (uint task = 0; task < tasks.size(); ++task) {
      if (in_one_segment(task, tasks[task].parent)) {
        next[task] = tasks[task].parent;
        ++children_[next[task]];
      }
      if (tasks[task].large) {
        large_of_step_[tasks[task].step].push_back(task);
      } else if (children_[task] == 0) {
        leaves[tasks[task].step].push_back(task);
      }
    }
    std::vector<uint> all;
    for (const std::vector<uint>& of_step : leaves) {
      leaf_starts_.push_back(static_cast<uint>(all.size()));
      all.insert(all.end(), of_step.begin(), of_step.end());
    }
    leaf_starts_.push_back(static_cast<uint>(all.size()));
    all.resize(tasks.size(), kNone);
    stream_ << next_.upload(std::move(next)) << leaves_.upload(std::move(all)) << synchronize();
  }

  const std::vector<std::uint64_t> contributions_;  // where each task's is
  Buffer<double> work_;
  Buffer<uint> missing_, next_, leaves_;  // see make_factor_segment()
  std::vector<uint> children_;            // of each task, those in its segment
  std::vector<uint> leaf_starts_;         // in leaves_, of each step, and the end
  std::vector<std::vector<uint>> large_of_step_;
};

}  // namespace

std::unique_ptr<DeviceFactorisation> make_fused(const Device& device, const Analysis& analysis,
                                                const DeviceOptions& options) {
  const Needs needs = measure(analysis, options.large_fronts == LargeFronts::blas);
  return std::make_unique<Fused>(device, analysis, needs, lay_out(analysis, needs, Sharing::steps), options);
}

}  // namespace multifrontal
