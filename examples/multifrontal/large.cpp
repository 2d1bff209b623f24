#include "examples/multifrontal/large.h"

#include <algorithm>

#include "examples/multifrontal/dense.h"

namespace multifrontal {

using namespace weft;

LargeTasks::LargeTasks(const Analysis& analysis, const Shaders& shaders, const DeviceTables& tables, LargeFronts way)
    : analysis_(analysis), shaders_(shaders), tables_(tables), way_(way), copies_(kCopies) {
  if (way == LargeFronts::blocks) {
    return;
  }
  for (const Task& task : analysis.tasks) {
    const Front& front = analysis.fronts[task.first_front];
    for (Copy& copy : copies_) {
      if (task.large) {
        copy.panel.resize(std::max<std::size_t>(copy.panel.size(), std::size_t{front.size()} * front.pivots));
        copy.contribution.resize(std::max<std::size_t>(copy.contribution.size(), front.contribution()));
        copy.diagonal.resize(std::max<std::size_t>(copy.diagonal.size(), front.pivots));
      }
    }
  }
}

std::uint64_t LargeTasks::host_bytes() const {
  std::uint64_t elements = 0;
  for (const Copy& copy : copies_) {
    elements += copy.panel.size() + copy.contribution.size() + copy.diagonal.size();
  }
  return elements * sizeof(double);
}

std::vector<Command> LargeTasks::factor(uint task, const BufferView<double>& contributions, std::uint64_t offset,
                                        const BufferView<double>& scratch, std::size_t copy) const {
  const Front& front = analysis_.fronts[analysis_.tasks[task].first_front];
  if (way_ == LargeFronts::blocks) {
    return by_blocks(task, contributions, scratch);
  }
  return by_blas(front, front.border() > 0 ? contributions.subview(offset, front.contribution()) : contributions, copy);
}

std::vector<Command> LargeTasks::by_blocks(uint task, const BufferView<double>& contributions,
                                           const BufferView<double>& scratch) const {
  const Front& front = analysis_.fronts[analysis_.tasks[task].first_front];
  std::vector<Command> commands;
  const auto add = [&](const auto& shader, uint first, uint end, uint work) {
    if (work > 0) {
      commands.push_back(shader(tables_.fronts, tables_.tasks, task, first, end, tables_.panels, tables_.pivots,
                                tables_.perturbed, tables_.threshold, contributions, scratch)
                             .dispatch_blocks((work + kChunk - 1) / kChunk));
    }
  };
  for (uint first = 0; first < front.pivots; first += kPanel) {
    const uint end = std::min(first + kPanel, front.pivots);
    add(shaders_.large_pivots, first, end, 1);
    add(shaders_.large_rows, first, end, front.size() - end);
  }
  add(shaders_.large_update, 0, front.pivots, front.border());
  return commands;
}

std::vector<Command> LargeTasks::by_blas(const Front& front, const BufferView<double>& contribution,
                                         std::size_t copy) const {
  Copy& own = copies_[copy];
  const std::uint64_t columns = std::uint64_t{front.size()} * front.pivots;
  const DenseFront dense{front.size(), front.pivots, std::span(own.panel).first(columns),
                         std::span(own.contribution).first(front.contribution()),
                         std::span(own.diagonal).first(front.pivots)};
  const BufferView<double> panel = tables_.panels.subview(front.panel, columns);
  const BufferView<double> diagonal = tables_.pivots.subview(front.first_pivot, front.pivots);
  std::vector<Command> commands;
  commands.push_back(panel.download(dense.panel));
  if (front.border() > 0) {
    commands.push_back(contribution.download(dense.contribution));
  }
  commands.push_back(
      host_callback([dense, state = state_.get()] { state->replaced += factor_dense(dense, state->threshold); }));
  commands.push_back(panel.upload(dense.panel));
  commands.push_back(diagonal.upload(dense.diagonal));
  if (front.border() > 0) {
    commands.push_back(contribution.upload(dense.contribution));
  }
  return commands;
}

}  // namespace multifrontal
