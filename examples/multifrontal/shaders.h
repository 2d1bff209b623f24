// The compiled kernels, and the tables that they read.
#pragma once

#include "examples/multifrontal/analysis.h"
#include "examples/multifrontal/kernels.h"
#include "examples/multifrontal/memory.h"

namespace multifrontal {

// panels[destinations[i]] = values[i]
inline auto make_scatter() {
  using namespace weft;
  return Kernel1D{"scatter", names("destinations", "values", "panels"),
                  [](BufferVar<uint> destinations, BufferVar<double> values, BufferVar<double> panels) {
                    panels.write(destinations.read(dispatch_id().x), values.read(dispatch_id().x));
                  }};
}

// What a block does for one task. Its root's contribution goes to `contributions`, all others stay in `scratch`.
inline void factor_task(const Tables& tables, const Numbers& numbers, const weft::Var<TaskRecord>& task,
                        const weft::BufferVar<double>& contributions, const weft::BufferVar<double>& scratch,
                        const weft::UInt& mode) {
  using namespace weft;
  const auto inner = [&](const Var<FrontRecord>& front) {
    return Square{scratch, UInt(task.scratch + front.contribution)};
  };
  const auto finish = [&](const Var<FrontRecord>& front, const Square& to) {
    const Square scaled{scratch, UInt(task.columns)};
    sync_block();
    eliminate_pivots(numbers, front, scaled, {0u, UInt(front.pivots)}, UInt(front.size));
    update_contribution(numbers, front, scaled, to, {0u, UInt(front.size - front.pivots)});
    sync_block();
  };
  $for(f, task.first_front, task.last_front) {
    Var<FrontRecord> front = tables.fronts.read(f);
    const Square to = inner(front);
    clear(to, UInt((front.size - front.pivots) * (front.size - front.pivots)));
    sync_block();
    $for(c, front.children, front.children_end) {
      Var<FrontRecord> child = tables.fronts.read(tables.children.read(c));
      extend_add(tables, numbers.panels, child, inner(child), front, to, all_columns(), add_plainly);
      sync_block();
    };
    finish(front, to);
  };
  Var<FrontRecord> root = tables.fronts.read(task.last_front);
  const Square to{contributions, UInt(root.contribution)};
  $if(mode == static_cast<uint>(Children::pulled)) {
    clear(to, UInt((root.size - root.pivots) * (root.size - root.pivots)));
  };
  sync_block();
  $for(c, root.children, root.children_end) {
    UInt index = tables.children.read(c);
    Var<FrontRecord> child = tables.fronts.read(index);
    $if(index >= task.first_front) {
      extend_add(tables, numbers.panels, child, inner(child), root, to, all_columns(), add_plainly);
    }
    $elif(mode == static_cast<uint>(Children::pulled)) {
      extend_add(tables, numbers.panels, child, Square{contributions, UInt(child.contribution)}, root, to,
                 all_columns(), add_plainly);
    };
    sync_block();
  };
  finish(root, to);
}

// Block b does task schedule[first + b].
inline auto make_factor_tasks() {
  using namespace weft;
  return Kernel1D{"factor_tasks", block_size(kLanes), unchecked(),
                  names("fronts", "maps", "children", "tasks", "schedule", "first", "panels", "pivots", "perturbed",
                        "threshold", "contributions", "scratch", "mode"),
                  [](BufferVar<FrontRecord> fronts, BufferVar<uint> maps, BufferVar<uint> children,
                     BufferVar<TaskRecord> tasks, BufferVar<uint> schedule, UInt first, BufferVar<double> panels,
                     BufferVar<double> pivots, BufferVar<uint> perturbed, BufferVar<double> threshold,
                     BufferVar<double> contributions, BufferVar<double> scratch, UInt mode) {
                    const Numbers numbers{panels, pivots, perturbed, Double(threshold.read(0u))};
                    Var<TaskRecord> task = tasks.read(schedule.read(first + block_id().x));
                    factor_task(Tables{fronts, maps, children}, numbers, task, contributions, scratch, mode);
                  }};
}

// Block b does task leaves[first + b], one without children in its segment. Of the blocks that have done the children
// of a task the last one goes on with it, so that no block ever waits. `missing` counts, for each task, the children in
// its segment that are not done; `next` is the parent, where that is in the segment.
inline auto make_factor_segment() {
  using namespace weft;
  return Kernel1D{
      "factor_segment", block_size(kLanes), unchecked(),
      names("fronts", "maps", "children", "tasks", "leaves", "first", "next", "missing", "panels", "pivots",
            "perturbed", "threshold", "work"),
      [](BufferVar<FrontRecord> fronts, BufferVar<uint> maps, BufferVar<uint> children, BufferVar<TaskRecord> tasks,
         BufferVar<uint> leaves, UInt first, BufferVar<uint> next, BufferVar<uint> missing, BufferVar<double> panels,
         BufferVar<double> pivots, BufferVar<uint> perturbed, BufferVar<double> threshold, BufferVar<double> work) {
        const Numbers numbers{panels, pivots, perturbed, Double(threshold.read(0u))};
        Shared<uint, 1> still_missing;
        UInt index = leaves.read(first + block_id().x);
        $while(index != kNone) {
          Var<TaskRecord> task = tasks.read(index);
          factor_task(Tables{fronts, maps, children}, numbers, task, work, work,
                      UInt(static_cast<uint>(Children::pulled)));
          index = next.read(index);
          $if(index != kNone) {
            // Releases what this block wrote, acquires what the other children's blocks did.
            $if(thread_id().x == 0u) { still_missing[0] = missing.atomic(index).fetch_sub(1u); };
            sync_block();
            $if(still_missing[0] != 1u) { index = kNone; };
            sync_block();
          };
        };
      }};
}

// Block (b, s) adds a strip of the contribution of task schedule[first + b] to its parent's, side by side with others.
inline auto make_push() {
  using namespace weft;
  return Kernel2D{
      "push", block_size(kLanes), unchecked(),
      names("fronts", "maps", "tasks", "parents", "schedule", "first", "panels", "from", "to"),
      [](BufferVar<FrontRecord> fronts, BufferVar<uint> maps, BufferVar<TaskRecord> tasks, BufferVar<uint> parents,
         BufferVar<uint> schedule, UInt first, BufferVar<double> panels, BufferVar<double> from, BufferVar<double> to) {
        UInt task = schedule.read(first + block_id().x);
        UInt parent = parents.read(task);
        $if(parent != kNone) {
          Var<FrontRecord> child = fronts.read(tasks.read(task).last_front);
          Var<FrontRecord> into = fronts.read(tasks.read(parent).last_front);
          extend_add(Tables{fronts, maps, maps}, panels, child, Square{from, UInt(child.contribution)}, into,
                     Square{to, UInt(into.contribution)}, strip_of_block(), add_atomically);
        };
      }};
}

// Block (b, s) clears a strip of the contribution of task tasks_to_clear[first + b].
inline auto make_clear() {
  using namespace weft;
  return Kernel2D{
      "clear", block_size(kLanes), unchecked(), names("fronts", "tasks", "tasks_to_clear", "first", "contributions"),
      [](BufferVar<FrontRecord> fronts, BufferVar<TaskRecord> tasks, BufferVar<uint> tasks_to_clear, UInt first,
         BufferVar<double> contributions) {
        UInt task = tasks_to_clear.read(first + block_id().x);
        Var<FrontRecord> front = fronts.read(tasks.read(task).last_front);
        UInt border = front.size - front.pivots;
        UInt strip = (border * border + dispatch_size().y - 1u) / dispatch_size().y;
        UInt begin = strip * block_id().y;
        $if(begin < border * border) {
          clear(Square{contributions, UInt(front.contribution + begin)}, min(strip, UInt(border * border - begin)));
        };
      }};
}

// A large front: panels of pivots, one after the other, then the contribution.
inline constexpr weft::uint kPanel = 32;  // pivots
inline constexpr weft::uint kChunk = 32;  // rows, or columns, of one block

// body(numbers, front, scaled): what the kernels of large fronts have in common.
template <typename Body>
auto make_large(const char* name, const Body& body) {
  using namespace weft;
  return Kernel1D{weft::dsl::Name{name}, block_size(kLanes), unchecked(),
                  names("fronts", "tasks", "task", "first", "end", "panels", "pivots", "perturbed", "threshold",
                        "contributions", "scratch"),
                  [&](BufferVar<FrontRecord> fronts, BufferVar<TaskRecord> tasks, UInt task, UInt first, UInt end,
                      BufferVar<double> panels, BufferVar<double> pivots, BufferVar<uint> perturbed,
                      BufferVar<double> threshold, BufferVar<double> contributions, BufferVar<double> scratch) {
                    const Numbers numbers{panels, pivots, perturbed, Double(threshold.read(0u))};
                    Var<TaskRecord> record = tasks.read(task);
                    Var<FrontRecord> front = fronts.read(record.last_front);
                    body(numbers, front, Square{scratch, UInt(record.columns)}, Range{first, end},
                         Square{contributions, UInt(front.contribution)});
                  }};
}

// The pivots' own rows; one block.
inline auto make_large_pivots() {
  return make_large("large_pivots", [](const Numbers& numbers, const weft::Var<FrontRecord>& front,
                                       const Square& scaled, const Range& pivots, const Square&) {
    eliminate_pivots(numbers, front, scaled, pivots, pivots.end);
  });
}

// Block b does the b-th chunk of the rows below the pivots.
inline auto make_large_rows() {
  return make_large("large_rows", [](const Numbers& numbers, const weft::Var<FrontRecord>& front, const Square& scaled,
                                     const Range& pivots, const Square&) {
    weft::UInt first = pivots.end + weft::block_id().x * kChunk;
    weft::UInt end = weft::min(first + kChunk, front.size);
    eliminate(numbers, front, scaled, pivots, {first, end}, [&](const weft::UInt& pivot, const weft::UInt&) {
      return weft::Double(numbers.pivots.read(front.first_pivot + pivot));
    });
  });
}

// Block b does the b-th chunk of the contribution's columns.
inline auto make_large_update() {
  return make_large("large_update", [](const Numbers& numbers, const weft::Var<FrontRecord>& front,
                                       const Square& scaled, const Range&, const Square& to) {
    weft::UInt first = weft::block_id().x * kChunk;
    weft::UInt end = weft::min(first + kChunk, front.size - front.pivots);
    update_contribution(numbers, front, scaled, to, {first, end});
  });
}

struct Shaders {
  explicit Shaders(const weft::Device& device);

  decltype(std::declval<weft::Device>().compile(make_scatter())) scatter;
  decltype(std::declval<weft::Device>().compile(make_factor_tasks())) factor_tasks;
  decltype(std::declval<weft::Device>().compile(make_factor_segment())) factor_segment;
  decltype(std::declval<weft::Device>().compile(make_push())) push;
  decltype(std::declval<weft::Device>().compile(make_clear())) clear;
  decltype(std::declval<weft::Device>().compile(make_large_pivots())) large_pivots, large_rows, large_update;
};

// What all executions keep on the device. `layout` says where contributions and scratch are in the buffers that the
// kernels are given; without it each task has buffers of its own.
struct DeviceTables {
  DeviceTables(const weft::Device& device, weft::Stream& stream, const Analysis& analysis, const Needs& needs,
               const Layout* layout);

  std::vector<std::uint32_t> schedule;      // tasks, level by level, large ones last in each
  std::vector<std::uint32_t> level_starts;  // in the schedule, and its end
  weft::Buffer<FrontRecord> fronts;
  weft::Buffer<TaskRecord> tasks;
  weft::Buffer<weft::uint> maps, children, parents, scheduled, destinations;
  weft::Buffer<double> values, panels, pivots, threshold;
  weft::Buffer<weft::uint> perturbed;
};

}  // namespace multifrontal
