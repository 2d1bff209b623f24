// Level by level: all tasks of a level are one dispatch. In reproducible mode they take what their children left; else
// children are added to their parents, side by side, by a second dispatch.
#include <algorithm>

#include "examples/multifrontal/executions.h"

namespace multifrontal {

using namespace weft;

namespace {

class Levels final : public DeviceExecution {
 public:
  Levels(const Device& device, const Analysis& analysis, const Needs& needs, const Layout& layout,
         const DeviceOptions& options)
      : DeviceExecution(device, analysis, needs, &layout, options),
        work_(device.create_buffer<double>(std::max<std::uint64_t>(layout.elements, 1))),
        clear_starts_(analysis.levels + std::size_t{1}, 0),
        contributions_(layout.contributions) {
    memory_.aliased = sizeof(double) * layout.elements;
    plan_clearing();
  }

 private:
  void submit() override {
    const Children mode = options_.reproducible ? Children::pulled : Children::pushed;
    for (std::size_t level = 0; level < analysis_.levels; ++level) {
      const uint first = tables_.level_starts[level];
      const uint count = tables_.level_starts[level + 1] - first;
      const uint small = small_tasks(first, count);
      if (mode == Children::pushed && clear_starts_[level] != clear_starts_[level + 1]) {
        stream_ << shaders_.clear(tables_.fronts, tables_.tasks, to_clear_, clear_starts_[level], work_)
                       .dispatch_blocks(clear_starts_[level + 1] - clear_starts_[level]);
      }
      if (small > 0) {
        stream_ << factor_tasks(first, work_, work_, mode).dispatch_blocks(small);
      }
      for (uint position = first + small; position < first + count; ++position) {
        do_large(tables_.schedule[position]);
      }
      if (mode == Children::pushed && level + 1 < analysis_.levels) {
        push_level(first, small, count);
      }
    }
  }

  uint small_tasks(uint first, uint count) const {
    const auto begin = tables_.schedule.begin() + first;
    return static_cast<uint>(std::count_if(begin, begin + count, [&](uint t) { return !analysis_.tasks[t].large; }));
  }

  // In reproducible mode its children are added here, one after the other.
  void do_large(uint task) {
    if (options_.reproducible) {
      assemble_large(task, work_);
    }
    factor_large(task, work_, contributions_[task]);
  }

  void push_level(uint first, uint small, uint count) {
    if (small > 0) {
      stream_ << push(first, work_, work_).dispatch_blocks(small, 1);
    }
    if (small < count) {
      stream_ << push(first + small, work_, work_).dispatch_blocks(count - small, LargeTasks::kStrips);
    }
  }

  // A contribution is cleared at the level of the first child, or at its own.
  void plan_clearing() {
    std::vector<std::vector<uint>> by_level(analysis_.levels);
    for (uint t = 0; t < analysis_.tasks.size(); ++t) {
      std::uint32_t level = analysis_.tasks[t].level;
      for (const std::uint32_t child : analysis_.tasks[t].children) {
        level = std::min(level, analysis_.tasks[child].level);
      }
      by_level[level].push_back(t);
    }
    std::vector<uint> to_clear;
    for (std::size_t level = 0; level < by_level.size(); ++level) {
      to_clear.insert(to_clear.end(), by_level[level].begin(), by_level[level].end());
      clear_starts_[level + 1] = static_cast<uint>(to_clear.size());
    }
    to_clear_ = device_.create_buffer<uint>(to_clear.size());
    stream_ << to_clear_.upload(std::move(to_clear)) << synchronize();
  }

  Buffer<double> work_;
  Buffer<uint> to_clear_;
  std::vector<uint> clear_starts_;                  // in to_clear_, of each level, and the end
  const std::vector<std::uint64_t> contributions_;  // where each task's is
};

}  // namespace

std::unique_ptr<DeviceFactorisation> make_levels(const Device& device, const Analysis& analysis,
                                                 const DeviceOptions& options) {
  const Needs needs = measure(analysis, options.large_fronts == LargeFronts::blas);
  const Layout layout = lay_out(analysis, needs, Sharing::levels, !options.reproducible);
  return std::make_unique<Levels>(device, analysis, needs, layout, options);
}

}  // namespace multifrontal
