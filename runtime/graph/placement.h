// Where transients go in one piece of memory: offsets such that those in conflict share no byte, in as few bytes as can
// be found quickly. Finding the fewest is NP-hard (it is dynamic storage allocation, on any graph of conflicts).
//
// Each is put, the largest first, into the smallest gap between those already placed that it is in conflict with, or
// above them. Then the order is varied: what ends at the top moves to the front, as it was placed too late to find a
// good gap; the best placement seen is kept. (Joslin and Clements, "Squeaky wheel optimization", 1999.) Some
// order leads to the optimum: that of the offsets of an optimal placement.
#pragma once

#include "runtime/graph/transients.h"

namespace weft::graph {

struct Placement {
  std::vector<std::uint64_t> offsets;  // for each transient
  std::uint64_t size_bytes = 0;
};

// Never larger than private slots. `by_first_use` are all transients in the order of their first use in some serial
// order of the nodes: placed in that order, what is used last in, first out takes no more than a stack. The search ends
// as soon as `enough_bytes` are enough.
Placement place(std::span<const Transient> transients, const Conflicts& conflicts,
                std::span<const TransientIndex> by_first_use, std::uint64_t enough_bytes);

// Each behind the one before.
Placement private_slots(std::span<const Transient> transients);

}  // namespace weft::graph
