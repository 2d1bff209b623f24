#include "runtime/graph/plan.h"

#include "runtime/graph/owners.h"

#include <algorithm>
#include <numeric>

namespace weft::graph {

Planner::Planner(const Dag& dag, std::span<const Transient> transients)
    : dag_(dag),
      transients_(transients),
      preceding_(preceding_transients(dag, transients)),
      conflicts_(conflicts_of(transients, preceding_)) {
  choose_serial_order();
  estimates_.private_bytes = private_slots(transients).size_bytes;
  // Transients that live at once in some order of the nodes are in conflict: the floor is one for both.
  aliased_ = place(transients_, Separation(conflicts_), by_first_use_, serial_floor_);
  serial_ = place(transients_, Separation(conflicts_, lifetimes_, 0), by_first_use_, serial_floor_);
  if (aliased_.size_bytes < serial_.size_bytes) serial_ = aliased_;
  estimates_.aliased_bytes = aliased_.size_bytes;
  estimates_.serial_bytes = serial_.size_bytes;
}

void Planner::choose_serial_order() {
  lifetimes_ = lifetimes_in(dag_.order());
  serial_floor_ = most_live_bytes(lifetimes_);
  std::vector<Lifetime> depth_first = lifetimes_in(depth_first_order(dag_));
  const std::uint64_t floor = most_live_bytes(depth_first);
  if (floor < serial_floor_) {
    lifetimes_ = std::move(depth_first);
    serial_floor_ = floor;
  }
  by_first_use_.resize(transients_.size());
  std::iota(by_first_use_.begin(), by_first_use_.end(), TransientIndex{0});
  std::ranges::sort(by_first_use_, {}, [&](TransientIndex t) { return std::pair(lifetimes_[t].first, t); });
}

// Transients that nothing may be put in the place of are not told apart from any other.
std::vector<Lifetime> Planner::lifetimes_in(std::span<const NodeIndex> order) const {
  const std::vector<std::uint32_t> place = positions(order);
  std::vector<Lifetime> lifetimes;
  for (const Transient& transient : transients_) {
    Lifetime& lifetime = lifetimes.emplace_back();
    if (transient.users.empty() || transient.has_own_slot) continue;
    const auto place_of = [&](NodeIndex user) { return place[user]; };
    lifetime.first = place[*std::ranges::min_element(transient.users, {}, place_of)];
    lifetime.last = place[*std::ranges::max_element(transient.users, {}, place_of)];
  }
  return lifetimes;
}

std::uint64_t Planner::most_live_bytes(std::span<const Lifetime> lifetimes) const {
  std::vector<std::int64_t> change(dag_.node_count() + 2, 0);
  std::uint64_t always = 0;
  for (TransientIndex t = 0; t < transients_.size(); ++t) {
    const auto size = static_cast<std::int64_t>(transients_[t].size_bytes);
    if (transients_[t].has_own_slot) {
      always += transients_[t].size_bytes;
    } else if (!transients_[t].users.empty()) {
      change[lifetimes[t].first] += size;
      change[lifetimes[t].last + 1] -= size;
    }
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  return always + static_cast<std::uint64_t>(std::ranges::max(change));
}

std::optional<Plan> Planner::plan_within(std::uint64_t budget_bytes) const {
  if (aliased_.size_bytes <= budget_bytes) return plan();
  if (serial_.size_bytes > budget_bytes) return std::nullopt;
  Placement best = serial_;
  std::uint32_t met = 0;  // a window with which the budget is met, and below, one with which it is not
  std::uint32_t missed = static_cast<std::uint32_t>(dag_.node_count());
  while (missed - met > 1 + met / 4) {
    const std::uint32_t window = std::midpoint(met, missed);
    Placement placement =
        place(transients_, Separation(conflicts_, lifetimes_, window), by_first_use_, budget_bytes, budget_bytes);
    if (placement.size_bytes <= budget_bytes) {
      met = window;
      best = std::move(placement);
    } else {
      missed = window;
    }
  }
  std::vector<Edge> edges = edges_for(best.offsets);
  return Plan{std::move(best.offsets), best.size_bytes, std::move(edges)};
}

// In the serial order each byte goes from owner to owner; what the graph does not order itself needs edges. Owners that
// are not neighbours are ordered by those between them.
std::vector<Edge> Planner::edges_for(std::span<const std::uint64_t> offsets) const {
  Owners owners;
  std::vector<TransientIndex> before;
  std::vector<Edge> edges;
  for (const TransientIndex t : by_first_use_) {
    if (transients_[t].users.empty()) continue;
    before.clear();
    owners.take(offsets[t], offsets[t] + transients_[t].size_bytes, t, before);
    for (const TransientIndex earlier : before) {
      if (preceding_.test(t, earlier)) continue;
      for (const NodeIndex from : last_users(dag_, transients_[earlier].users)) {
        for (const NodeIndex to : first_users(dag_, transients_[t].users)) edges.push_back({from, to});
      }
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::ranges::unique(edges).begin(), edges.end());
  return edges;
}

}  // namespace weft::graph
