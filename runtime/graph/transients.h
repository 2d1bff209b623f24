// Transients: memory that holds something only while a graph runs. Two of them may share bytes if every node that
// touches one precedes every node that touches the other, along edges that are enforced when the graph runs. Nodes that
// are unordered may run at the same time or in either order, so that their transients are in conflict, whatever their
// levels and wherever they were recorded.
#pragma once

#include "runtime/graph/dag.h"
#include "runtime/graph/reachability.h"

namespace weft::graph {

using TransientIndex = std::uint32_t;

struct Transient {
  std::uint64_t size_bytes = 0;
  std::uint64_t alignment = 1;   // a power of two
  std::vector<NodeIndex> users;  // nodes that touch it, ascending, each once
  bool has_own_slot = false;     // shares with no other
};

// Those among a transient's users that no edge joins to a later or an earlier one of them: all others are between two
// of these. What precedes all the first ones precedes all users, and so for the last ones.
std::vector<NodeIndex> first_users(const Dag& dag, std::span<const NodeIndex> users);
std::vector<NodeIndex> last_users(const Dag& dag, std::span<const NodeIndex> users);

// Row b, column a: every user of transient a precedes every user of transient b. A transient without users precedes and
// follows all others.
BitMatrix preceding_transients(const Dag& dag, std::span<const Transient> transients);

// Row b, column a: a and b may not share bytes. Symmetric. Memory of no bytes is in conflict with nothing. Bits beyond
// the last column mean nothing.
using Conflicts = BitMatrix;

// Transients that are ordered one way or the other do not conflict.
Conflicts conflicts_of(std::span<const Transient> transients, const BitMatrix& preceding);

}  // namespace weft::graph
