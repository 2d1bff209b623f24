// Watches a graph run and finds commands that touch bytes that are not theirs: the debug mode of transients.
//
// Each node carries a vector clock, joined from those of its predecessors when it begins. The components are not
// threads, whose order a run has by chance, but chains of nodes that edges join, so that the clocks hold what the edges
// enforce and nothing else: two transients that share bytes without being ordered are found in any run, also on one
// thread and with lucky timing. What the clocks cannot see, an executor that starts a node too early, the state of each
// transient shows: its bytes may change hands only when all of its users have ended.
#pragma once

#include "runtime/graph/owners.h"
#include "runtime/graph/transients.h"

#include <mutex>
#include <optional>

namespace weft::graph {

// What is wrong: `node`, which uses `transient`, found bytes of it that are those of `other`.
struct SlotViolation {
  enum class Kind {
    unordered,  // no edges lead from all users of `other` to the node
    in_use,     // a user of `other` has not ended
    taken,      // `other` took bytes of the transient, which is still in use
  };
  Kind kind = Kind::unordered;
  NodeIndex node = 0;
  TransientIndex transient = 0;
  TransientIndex other = 0;
};

// For one run of a graph at a time. Any thread may call any function.
class SlotChecker {
 public:
  // The arguments must outlive the checker. `dag` holds the edges that are enforced.
  SlotChecker(const Dag& dag, std::span<const Transient> transients, std::span<const std::uint64_t> offsets);

  // The node begins; every node that is run calls it. Tells the first violation that it finds.
  std::optional<SlotViolation> begin(NodeIndex node);

  // The node has ended, or will not be run.
  void end(NodeIndex node);

 private:
  // By chain, how many of its nodes have ended; chains beyond the last one: none.
  using Clock = std::vector<std::uint32_t>;

  struct State {
    std::size_t users_left = 0;
    bool has_begun = false;
    std::vector<TransientIndex> before;  // who held its bytes when it began
  };

  void number_chains();
  void join_predecessors(NodeIndex node);
  std::optional<SlotViolation> touch(NodeIndex node, TransientIndex t);
  bool has_passed(const Clock& clock, TransientIndex t) const;
  std::uint64_t end_of(TransientIndex t) const { return offsets_[t] + transients_[t].size_bytes; }

  const Dag& dag_;
  std::span<const Transient> transients_;
  std::span<const std::uint64_t> offsets_;
  NodeLists transients_of_;                         // node -> transients that it touches
  std::vector<std::vector<NodeIndex>> last_users_;  // of each transient
  std::vector<std::uint32_t> chain_;                // of each node that touches a transient
  std::vector<std::uint32_t> place_;                // in its chain, from 1

  std::mutex mutex_;  // guards what follows
  std::vector<Clock> clocks_;
  std::vector<bool> is_joined_;             // the node's clock is complete
  std::vector<std::uint32_t> takers_left_;  // successors that will still join the node's clock
  std::vector<State> states_;
  Owners owners_;
};

}  // namespace weft::graph
