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

// The places of a transient's first and last user in a serial order of the nodes.
struct Lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = UINT32_MAX;  // with first 0: at no distance from any other
};

// Who may share no byte: those in conflict, and of these, where a serial order is given, only those that it does not
// hold more than `window` places apart. What it refers to must outlive it.
class Separation {
 public:
  explicit Separation(const Conflicts& conflicts) : conflicts_(conflicts) {}
  Separation(const Conflicts& conflicts, std::span<const Lifetime> lifetimes, std::uint32_t window)
      : conflicts_(conflicts), lifetimes_(lifetimes), window_(window) {}

  // Of one transient.
  class Row {
   public:
    bool holds(TransientIndex other) const {
      if (((words_[other / 64] >> (other % 64)) & 1) == 0) return false;
      if (lifetimes_.empty()) return true;
      const Lifetime& its = lifetimes_[other];
      return std::uint64_t{its.last} + window_ >= own_.first && std::uint64_t{own_.last} + window_ >= its.first;
    }

   private:
    friend class Separation;
    std::span<const std::uint64_t> words_;
    std::span<const Lifetime> lifetimes_;
    Lifetime own_;
    std::uint32_t window_ = 0;
  };
  Row row(TransientIndex t) const {
    Row row;
    row.words_ = conflicts_.row(t);
    row.lifetimes_ = lifetimes_;
    if (!lifetimes_.empty()) row.own_ = lifetimes_[t];
    row.window_ = window_;
    return row;
  }

 private:
  const Conflicts& conflicts_;
  std::span<const Lifetime> lifetimes_;
  std::uint32_t window_ = 0;
};

// Never larger than private slots. `by_first_use` are all transients in the order of their first use in some serial
// order of the nodes: placed in that order, what is used last in, first out takes no more than a stack. The search ends
// as soon as `enough_bytes` are enough. Placements that take more than `most_bytes` are given up: private slots come in
// their stead.
Placement place(std::span<const Transient> transients, const Separation& separation,
                std::span<const TransientIndex> by_first_use, std::uint64_t enough_bytes,
                std::uint64_t most_bytes = UINT64_MAX);

// Each behind the one before.
Placement private_slots(std::span<const Transient> transients);

}  // namespace weft::graph
