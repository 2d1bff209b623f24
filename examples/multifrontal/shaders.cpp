#include "examples/multifrontal/shaders.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace multifrontal {

using namespace weft;

namespace {

// At least one element: a buffer has no size 0.
template <typename T>
Buffer<T> upload(const Device& device, Stream& stream, std::vector<T> values) {
  if (values.empty()) {
    values.resize(1);
  }
  Buffer<T> buffer = device.create_buffer<T>(values.size());
  stream << buffer.upload(std::move(values));
  return buffer;
}

struct FrontTables {
  std::vector<FrontRecord> fronts;
  std::vector<uint> maps, children;
};

FrontTables tabulate(const Analysis& analysis, const Needs& needs) {
  FrontTables tables;
  for (std::size_t f = 0; f < analysis.fronts.size(); ++f) {
    const Front& front = analysis.fronts[f];
    tables.fronts.push_back({.size = front.size(),
                             .pivots = front.pivots,
                             .first_pivot = front.first_pivot,
                             .panel = static_cast<uint>(front.panel),
                             .contribution = static_cast<uint>(needs.inner_offsets[f]),
                             .map = static_cast<uint>(tables.maps.size()),
                             .children = static_cast<uint>(tables.children.size()),
                             .children_end = static_cast<uint>(tables.children.size() + front.children.size())});
    tables.maps.insert(tables.maps.end(), front.rows_in_parent.begin(), front.rows_in_parent.end());
    tables.children.insert(tables.children.end(), front.children.begin(), front.children.end());
  }
  return tables;
}

}  // namespace

Shaders::Shaders(const Device& device) {
  const ShaderOptions options{.width = kLanes};
  auto compiled_scatter = device.compile_async(make_scatter());
  auto compiled_tasks = device.compile_async(make_factor_tasks(), options);
  auto compiled_segment = device.compile_async(make_factor_segment(), options);
  auto compiled_push = device.compile_async(make_push(), options);
  auto compiled_clear = device.compile_async(make_clear(), options);
  auto compiled_pivots = device.compile_async(make_large_pivots(), options);
  auto compiled_rows = device.compile_async(make_large_rows(), options);
  auto compiled_update = device.compile_async(make_large_update(), options);
  scatter = compiled_scatter.get();
  factor_tasks = compiled_tasks.get();
  factor_segment = compiled_segment.get();
  push = compiled_push.get();
  clear = compiled_clear.get();
  large_pivots = compiled_pivots.get();
  large_rows = compiled_rows.get();
  large_update = compiled_update.get();
}

DeviceTables::DeviceTables(const Device& device, Stream& stream, const Analysis& analysis, const Needs& needs,
                           const Layout* layout)
    : schedule(analysis.tasks.size()),
      level_starts(analysis.levels + std::size_t{1}, 0),
      values(device.create_buffer<double>(analysis.destinations.size())),
      panels(device.create_buffer<double>(analysis.panel_elements)),
      pivots(device.create_buffer<double>(analysis.order.size())),
      threshold(device.create_buffer<double>(1)),
      perturbed(device.create_buffer<uint>(1)) {
  std::iota(schedule.begin(), schedule.end(), 0U);
  std::ranges::sort(schedule, {},
                    [&](std::uint32_t t) { return std::tuple(analysis.tasks[t].level, analysis.tasks[t].large, t); });
  FrontTables tables = tabulate(analysis, needs);
  std::vector<TaskRecord> records;
  std::vector<uint> task_parents;
  for (std::size_t t = 0; t < analysis.tasks.size(); ++t) {
    const Task& task = analysis.tasks[t];
    const uint root = task.first_front + task.front_count - 1;
    const uint scratch = layout != nullptr ? static_cast<uint>(layout->scratch[t]) : 0;
    tables.fronts[root].contribution = layout != nullptr ? static_cast<uint>(layout->contributions[t]) : 0;
    records.push_back({task.first_front, root, scratch, scratch + static_cast<uint>(needs.tasks[t].stack)});
    task_parents.push_back(task.parent);
    ++level_starts[task.level + std::size_t{1}];
  }
  std::partial_sum(level_starts.begin(), level_starts.end(), level_starts.begin());
  fronts = upload(device, stream, std::move(tables.fronts));
  maps = upload(device, stream, std::move(tables.maps));
  children = upload(device, stream, std::move(tables.children));
  tasks = upload(device, stream, std::move(records));
  parents = upload(device, stream, std::move(task_parents));
  scheduled = upload(device, stream, std::vector<uint>(schedule.begin(), schedule.end()));
  destinations = upload(device, stream, std::vector<uint>(analysis.destinations.begin(), analysis.destinations.end()));
}

}  // namespace multifrontal
