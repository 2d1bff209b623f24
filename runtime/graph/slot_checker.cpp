#include "runtime/graph/slot_checker.h"

#include <algorithm>
#include <utility>

namespace weft::graph {
namespace {

std::vector<Edge> touches_of(std::span<const Transient> transients) {
  std::vector<Edge> touches;
  for (TransientIndex t = 0; t < transients.size(); ++t) {
    for (const NodeIndex user : transients[t].users) touches.push_back({user, t});
  }
  return touches;
}

}  // namespace

SlotChecker::SlotChecker(const Dag& dag, std::span<const Transient> transients, std::span<const std::uint64_t> offsets)
    : dag_(dag),
      transients_(transients),
      offsets_(offsets),
      transients_of_(dag.node_count(), touches_of(transients), &Edge::from, &Edge::to),
      chain_(dag.node_count(), 0),
      place_(dag.node_count(), 0),
      clocks_(dag.node_count()),
      is_joined_(dag.node_count(), false),
      takers_left_(dag.node_count()),
      states_(transients.size()) {
  number_chains();
  for (NodeIndex node = 0; node < dag.node_count(); ++node) {
    takers_left_[node] = static_cast<std::uint32_t>(dag.successors(node).size());
  }
  for (TransientIndex t = 0; t < transients.size(); ++t) {
    last_users_.push_back(last_users(dag, transients[t].users));
    states_[t].users_left = transients[t].users.size();
  }
}

// Each node goes on with the chain of a predecessor that nobody goes on with, or begins one.
void SlotChecker::number_chains() {
  std::uint32_t chains = 0;
  std::vector<bool> is_tail(dag_.node_count(), false);
  for (const NodeIndex node : dag_.order()) {
    if (transients_of_[node].empty()) continue;
    const auto before = std::ranges::find_if(dag_.predecessors(node), [&](NodeIndex n) { return is_tail[n]; });
    if (before == dag_.predecessors(node).end()) {
      chain_[node] = chains++;
      place_[node] = 1;
    } else {
      chain_[node] = chain_[*before];
      place_[node] = place_[*before] + 1;
      is_tail[*before] = false;
    }
    is_tail[node] = true;
  }
}

void SlotChecker::join_predecessors(NodeIndex node) {
  if (is_joined_[node]) return;
  is_joined_[node] = true;
  Clock& clock = clocks_[node];
  for (const NodeIndex earlier : dag_.predecessors(node)) {
    Clock& other = clocks_[earlier];
    const bool is_last_taker = --takers_left_[earlier] == 0;
    if (is_last_taker && clock.empty()) {
      clock = std::move(other);
    } else {
      if (clock.size() < other.size()) clock.resize(other.size(), 0);
      for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
    }
    if (is_last_taker) Clock().swap(other);
  }
}

// All users of the transient have ended as far as this clock knows.
bool SlotChecker::has_passed(const Clock& clock, TransientIndex t) const {
  return std::ranges::all_of(last_users_[t], [&](NodeIndex user) {
    return chain_[user] < clock.size() && clock[chain_[user]] >= place_[user];
  });
}

std::optional<SlotViolation> SlotChecker::touch(NodeIndex node, TransientIndex t) {
  using Kind = SlotViolation::Kind;
  State& state = states_[t];
  if (!state.has_begun) {
    state.has_begun = true;
    owners_.take(offsets_[t], end_of(t), t, state.before);
  } else if (!owners_.holds(offsets_[t], end_of(t), t)) {
    // The bytes were taken since: somebody who began later shares them.
    for (TransientIndex other = 0; other < transients_.size(); ++other) {
      if (other != t && std::ranges::find(states_[other].before, t) != states_[other].before.end()) {
        return SlotViolation{Kind::taken, node, t, other};
      }
    }
  }
  for (const TransientIndex other : state.before) {
    if (!has_passed(clocks_[node], other)) return SlotViolation{Kind::unordered, node, t, other};
    if (states_[other].users_left > 0) return SlotViolation{Kind::in_use, node, t, other};
  }
  return std::nullopt;
}

std::optional<SlotViolation> SlotChecker::begin(NodeIndex node) {
  const std::lock_guard lock(mutex_);
  join_predecessors(node);
  std::optional<SlotViolation> violation;
  for (const TransientIndex t : transients_of_[node]) {
    std::optional<SlotViolation> found = touch(node, t);
    if (!violation) violation = found;
  }
  return violation;
}

void SlotChecker::end(NodeIndex node) {
  const std::lock_guard lock(mutex_);
  join_predecessors(node);
  if (transients_of_[node].empty()) return;
  Clock& clock = clocks_[node];
  if (clock.size() <= chain_[node]) clock.resize(chain_[node] + 1, 0);
  clock[chain_[node]] = place_[node];
  for (const TransientIndex t : transients_of_[node]) --states_[t].users_left;
}

}  // namespace weft::graph
