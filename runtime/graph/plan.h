// The plan for the transients of a graph: offsets in one piece of memory, and the edges that must be added for them.
//
// Without a budget nothing is added: whatever may run side by side still may, and has memory of its own. A budget buys
// memory with parallelism. Then one serial order is chosen, and transients that this order holds far apart may share
// bytes, too, with an edge from each last user of the earlier one to each first user of the later one. Such edges lead
// forward in the order, so that no cycle can arise. How far is far is about the largest distance with which the budget
// is met, since nodes that are near each other in the order are those that would run side by side.
#pragma once

#include "runtime/graph/placement.h"
#include "runtime/graph/transients.h"

#include <optional>

namespace weft::graph {

// What the transients of a graph take.
struct MemoryEstimates {
  std::uint64_t private_bytes = 0;  // a slot for each
  std::uint64_t aliased_bytes = 0;  // shared as far as the graph's own edges allow
  std::uint64_t serial_bytes = 0;   // shared as a serial order of the nodes allows
};

struct Plan {
  std::vector<std::uint64_t> offsets;  // for each transient
  std::uint64_t size_bytes = 0;
  std::vector<Edge> added_edges;
};

class Planner {
 public:
  // Both must outlive the planner. Users are nodes of the graph.
  Planner(const Dag& dag, std::span<const Transient> transients);

  const MemoryEstimates& estimates() const { return estimates_; }

  // What lives at once in the serial order at its worst: no plan of that order can take less.
  std::uint64_t serial_floor_bytes() const { return serial_floor_; }

  Plan plan() const { return {aliased_.offsets, aliased_.size_bytes, {}}; }

  // None if the budget cannot be met: it is below serial_bytes.
  std::optional<Plan> plan_within(std::uint64_t budget_bytes) const;

 private:
  void choose_serial_order();
  std::vector<Lifetime> lifetimes_in(std::span<const NodeIndex> order) const;
  std::uint64_t most_live_bytes(std::span<const Lifetime> lifetimes) const;
  std::vector<Edge> edges_for(std::span<const std::uint64_t> offsets) const;

  const Dag& dag_;
  std::span<const Transient> transients_;
  BitMatrix preceding_;
  Conflicts conflicts_;
  std::vector<Lifetime> lifetimes_;           // in the serial order
  std::vector<TransientIndex> by_first_use_;  // in the serial order
  std::uint64_t serial_floor_ = 0;
  Placement aliased_;
  Placement serial_;
  MemoryEstimates estimates_;
};

}  // namespace weft::graph
