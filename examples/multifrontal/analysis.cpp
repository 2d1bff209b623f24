#include "examples/multifrontal/analysis.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>

namespace multifrontal {

namespace {

// What a front costs beyond its arithmetic, as if it were arithmetic.
double cost(const Front& front) { return front.flops() + 8.0 * front.size() * front.size() + 4000; }

void find_destinations(const SymmetricMatrix& matrix, Analysis& analysis) {
  const std::vector<std::uint32_t> positions = inverse(analysis.order);
  std::vector<std::uint32_t> front_of(matrix.size());
  for (std::uint32_t f = 0; f < analysis.fronts.size(); ++f) {
    std::fill_n(front_of.begin() + analysis.fronts[f].first_pivot, analysis.fronts[f].pivots, f);
  }
  analysis.destinations.resize(matrix.entries());
  for (std::uint32_t column = 0; column < matrix.size(); ++column) {
    for (std::uint64_t e = matrix.starts[column]; e < matrix.starts[column + 1]; ++e) {
      const auto [pivot, row] = std::minmax(positions[column], positions[matrix.rows[e]]);
      const Front& front = analysis.fronts[front_of[pivot]];
      const auto at = std::ranges::lower_bound(front.rows, row) - front.rows.begin();
      analysis.destinations[e] =
          front.panel + std::uint64_t{pivot - front.first_pivot} * front.size() + static_cast<std::uint64_t>(at);
    }
  }
}

}  // namespace

std::vector<Task> group_fronts(const std::vector<Front>& fronts, std::uint32_t tasks_wanted,
                               std::uint32_t large_front) {
  std::vector<double> work(fronts.size());
  std::vector<std::uint32_t> first(fronts.size());  // front of the subtree
  double total = 0;
  for (std::uint32_t f = 0; f < fronts.size(); ++f) {
    first[f] = f;
    const bool large = fronts[f].size() >= large_front;
    work[f] = large ? std::numeric_limits<double>::infinity() : cost(fronts[f]);
    total += cost(fronts[f]);
    for (const std::uint32_t child : fronts[f].children) {
      work[f] += work[child];
      first[f] = std::min(first[f], first[child]);
    }
  }
  const double limit = total / std::max(tasks_wanted, 1U);
  std::vector<Task> tasks;
  std::vector<std::uint32_t> task_of(fronts.size(), kNone);
  for (std::uint32_t f = 0; f < fronts.size(); ++f) {
    const bool inner = work[f] <= limit && fronts[f].parent != kNone && work[fronts[f].parent] <= limit;
    if (inner) {
      continue;
    }
    const std::uint32_t begin = work[f] <= limit ? first[f] : f;
    Task task{.first_front = begin, .front_count = f - begin + 1, .large = fronts[f].size() >= large_front};
    const std::uint32_t index = static_cast<std::uint32_t>(tasks.size());
    task_of[f] = index;
    for (const std::uint32_t child : fronts[f].children) {
      if (child < begin) {
        task.children.push_back(task_of[child]);
        tasks[task_of[child]].parent = index;
      }
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::uint32_t assign_levels(std::vector<Task>& tasks, std::uint32_t width) {
  std::vector<std::size_t> waits_for(tasks.size());
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t t = 0; t < tasks.size(); ++t) {
    waits_for[t] = tasks[t].children.size();
    if (waits_for[t] == 0) {
      ready.push(t);
    }
  }
  std::uint32_t level = 0;
  for (; !ready.empty(); ++level) {
    std::vector<std::uint32_t> chosen;
    while (!ready.empty() && chosen.size() < width) {
      chosen.push_back(ready.top());
      ready.pop();
    }
    for (const std::uint32_t t : chosen) {
      tasks[t].level = level;
      if (tasks[t].parent != kNone && --waits_for[tasks[t].parent] == 0) {
        ready.push(tasks[t].parent);
      }
    }
  }
  return level;
}

std::uint32_t assign_steps(std::vector<Task>& tasks, std::uint32_t width) {
  std::uint32_t segment = 0;  // the step of the last one
  std::uint32_t filled = 0;   // tasks of that
  std::uint32_t steps = 0;
  for (Task& task : tasks) {
    task.step = task.large ? 1 : segment;
    for (const std::uint32_t child : task.children) {
      task.step = std::max(task.step, tasks[child].step + (tasks[child].large == task.large ? 0 : 1));
    }
    if (!task.large) {
      task.step = task.step == segment && filled == width ? segment + 2 : task.step;
      filled = task.step == segment ? filled + 1 : 1;
      segment = task.step;
    }
    steps = std::max(steps, task.step + 1);
  }
  return steps;
}

Analysis analyse(const SymmetricMatrix& matrix, const AnalysisOptions& options) {
  Analysis analysis;
  analysis.order = dissect(matrix, options.seed);
  const EliminationTree tree = eliminate(matrix, analysis.order);
  analysis.fronts = find_fronts(matrix, analysis.order, tree);
  for (Front& front : analysis.fronts) {
    front.panel = analysis.panel_elements;
    analysis.panel_elements += std::uint64_t{front.size()} * front.pivots;
    analysis.flops += front.flops();
  }
  if (analysis.panel_elements >= kNone) {
    throw std::runtime_error("the factors have more than 2^32 entries");
  }
  analysis.tasks = group_fronts(analysis.fronts, options.tasks_wanted, options.large_front);
  analysis.levels = assign_levels(analysis.tasks, options.level_width);
  analysis.steps = assign_steps(analysis.tasks, options.segment_width);
  find_destinations(matrix, analysis);
  return analysis;
}

}  // namespace multifrontal
