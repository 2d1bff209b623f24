#include "runtime/hazards.h"

#include <algorithm>
#include <iterator>

namespace weft::runtime {
namespace {

bool is_empty(const Use& use) { return use.begin >= use.end; }

void add_reader(std::vector<std::uint64_t>& readers, std::uint64_t task, std::uint64_t ended) {
  if (!readers.empty() && readers.back() == task) return;
  // Tasks that have ended go when the list would have to grow, so that it stays as long as the tasks that have not.
  if (readers.size() == readers.capacity()) std::erase_if(readers, [&](std::uint64_t r) { return r <= ended; });
  readers.push_back(task);
}

// One entry for each task, in ascending order.
void merge(std::vector<Dependency>& dependencies, std::size_t first) {
  const auto begin = dependencies.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, dependencies.end(), [](const Dependency& a, const Dependency& b) { return a.task < b.task; });
  auto kept = begin;
  for (auto next = begin; next != dependencies.end(); ++next) {
    if (kept != begin && std::prev(kept)->task == next->task) {
      std::prev(kept)->carries_failure |= next->carries_failure;
    } else {
      *kept++ = *next;
    }
  }
  dependencies.erase(kept, dependencies.end());
}

}  // namespace

void HazardTracker::add(std::uint64_t task, std::span<const Use> uses, std::uint64_t ended,
                        std::vector<Dependency>& dependencies) {
  const std::size_t first = dependencies.size();
  for (const Use& use : uses) {
    if (!is_empty(use)) collect(task, use, dependencies);
  }
  for (const Use& use : uses) {
    if (is_empty(use)) continue;
    if (use.access == Access::read) {
      record_read(task, use, ended);
    } else {
      record_write(task, use);
    }
  }
  merge(dependencies, first);
}

void HazardTracker::forget(std::uint64_t ended) {
  std::erase_if(segments_, [&](const auto& entry) {
    const Segment& segment = entry.second;
    return segment.writer <= ended && std::ranges::all_of(segment.readers, [&](auto r) { return r <= ended; });
  });
}

void HazardTracker::collect(std::uint64_t task, const Use& use, std::vector<Dependency>& dependencies) const {
  const auto add = [&](std::uint64_t earlier, bool carries_failure) {
    if (earlier != 0 && earlier != task) dependencies.push_back({earlier, carries_failure});
  };
  auto segment = segments_.upper_bound({use.memory, use.begin});
  if (segment != segments_.begin()) {
    const auto before = std::prev(segment);
    if (before->first.first == use.memory && before->second.end > use.begin) segment = before;
  }
  for (; segment != segments_.end() && segment->first < std::pair(use.memory, use.end); ++segment) {
    add(segment->second.writer, use.access != Access::write);
    if (use.access == Access::read) continue;
    for (const std::uint64_t reader : segment->second.readers) add(reader, false);
  }
}

// The first segment that begins at `at` or later; one that reaches across is cut in two.
HazardTracker::Segments::iterator HazardTracker::split(std::uint64_t memory, std::uint64_t at) {
  const auto after = segments_.lower_bound({memory, at});
  if (after == segments_.begin()) return after;
  const auto before = std::prev(after);
  if (before->first.first != memory || before->second.end <= at) return after;
  Segment upper = before->second;
  before->second.end = at;
  return segments_.emplace_hint(after, std::pair(memory, at), std::move(upper));
}

void HazardTracker::record_read(std::uint64_t task, const Use& use, std::uint64_t ended) {
  auto segment = split(use.memory, use.begin);
  split(use.memory, use.end);
  std::uint64_t at = use.begin;
  while (at < use.end) {
    const bool is_here = segment != segments_.end() && segment->first == std::pair(use.memory, at);
    if (!is_here) {  // a gap, up to the next segment
      const bool is_last = segment == segments_.end() || segment->first >= std::pair(use.memory, use.end);
      const std::uint64_t end = is_last ? use.end : segment->first.second;
      segment = segments_.emplace_hint(segment, std::pair(use.memory, at), Segment{end, 0, {}});
    }
    add_reader(segment->second.readers, task, ended);
    at = segment->second.end;
    ++segment;
  }
}

void HazardTracker::record_write(std::uint64_t task, const Use& use) {
  const auto first = split(use.memory, use.begin);
  const auto last = split(use.memory, use.end);
  if (first != last && first->first.second == use.begin) {  // its node and list are used again
    segments_.erase(std::next(first), last);
    first->second.end = use.end;
    first->second.writer = task;
    first->second.readers.clear();
    return;
  }
  const auto after = segments_.erase(first, last);
  segments_.emplace_hint(after, std::pair(use.memory, use.begin), Segment{use.end, task, {}});
}

}  // namespace weft::runtime
