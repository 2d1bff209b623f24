#include "runtime/graph/owners.h"

#include <algorithm>
#include <iterator>

namespace weft::graph {

void Owners::split(std::uint64_t at) {
  const auto after = segments_.lower_bound(at);
  if (after == segments_.begin()) return;
  const auto before = std::prev(after);
  if (before->second.end <= at) return;
  segments_.emplace_hint(after, at, before->second);
  before->second.end = at;
}

void Owners::take(std::uint64_t begin, std::uint64_t end, TransientIndex owner, std::vector<TransientIndex>& before) {
  if (begin >= end) return;
  split(begin);
  split(end);
  const auto first = segments_.lower_bound(begin);
  const auto last = segments_.lower_bound(end);
  for (auto segment = first; segment != last; ++segment) {
    if (std::ranges::find(before, segment->second.owner) == before.end()) before.push_back(segment->second.owner);
  }
  segments_.emplace_hint(segments_.erase(first, last), begin, Segment{end, owner});
}

bool Owners::holds(std::uint64_t begin, std::uint64_t end, TransientIndex owner) const {
  if (begin >= end) return true;
  auto segment = segments_.upper_bound(begin);
  if (segment == segments_.begin()) return false;
  for (--segment; begin < end; ++segment) {
    if (segment == segments_.end() || segment->first > begin || segment->second.end <= begin) return false;
    if (segment->second.owner != owner) return false;
    begin = segment->second.end;
  }
  return true;
}

}  // namespace weft::graph
