// Who holds which bytes: an interval map from bytes to the transient that took them last.
#pragma once

#include "runtime/graph/transients.h"

#include <map>

namespace weft::graph {

class Owners {
 public:
  // Gives bytes [begin, end) to `owner`, and appends those who held some of them to `before`, each once.
  void take(std::uint64_t begin, std::uint64_t end, TransientIndex owner, std::vector<TransientIndex>& before);

  // All bytes of [begin, end) are held by `owner`.
  bool holds(std::uint64_t begin, std::uint64_t end, TransientIndex owner) const;

  void clear() { segments_.clear(); }

 private:
  struct Segment {
    std::uint64_t end;
    TransientIndex owner;
  };
  using Segments = std::map<std::uint64_t, Segment>;  // by their begin; disjoint

  void split(std::uint64_t at);

  Segments segments_;
};

}  // namespace weft::graph
