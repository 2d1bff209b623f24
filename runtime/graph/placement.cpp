#include "runtime/graph/placement.h"

#include <algorithm>
#include <numeric>

namespace weft::graph {
namespace {

// Steps of the search, about a nanosecond each: so many transients are looked at in all.
constexpr std::uint64_t kSearchSteps = 10'000'000;
constexpr std::uint64_t kMaxRounds = 400;

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

class Placer {
 public:
  Placer(std::span<const Transient> transients, const Separation& separation)
      : transients_(transients), separation_(separation) {}

  // Given up as soon as more than `most_bytes` are taken.
  Placement place(std::span<const TransientIndex> order, std::uint64_t most_bytes) {
    result_.offsets.assign(transients_.size(), 0);
    result_.size_bytes = 0;
    placed_.clear();
    for (const TransientIndex t : order) {
      add(t);
      if (result_.size_bytes > most_bytes) break;
    }
    return result_;
  }

 private:
  struct Placed {
    std::uint64_t begin;
    std::uint64_t end;
    TransientIndex transient;
  };

  std::uint64_t find(TransientIndex t) const;
  void add(TransientIndex t);

  std::span<const Transient> transients_;
  const Separation& separation_;
  std::vector<Placed> placed_;  // by ascending offset
  Placement result_;
};

std::uint64_t Placer::find(TransientIndex t) const {
  const std::uint64_t size = transients_[t].size_bytes;
  const std::uint64_t alignment = transients_[t].alignment;
  std::uint64_t top = 0;  // the end of those in conflict that were passed
  std::uint64_t best = 0;
  std::uint64_t smallest = UINT64_MAX;  // gap
  const Separation::Row separated = separation_.row(t);
  for (const Placed& other : placed_) {
    if (!separated.holds(other.transient)) continue;
    if (other.begin >= top + size) {
      const std::uint64_t begin = align_up(top, alignment);
      if (other.begin >= begin + size && other.begin - top < smallest) {
        smallest = other.begin - top;
        best = begin;
      }
    }
    top = std::max(top, other.end);
  }
  return smallest == UINT64_MAX ? align_up(top, alignment) : best;
}

void Placer::add(TransientIndex t) {
  if (transients_[t].size_bytes == 0) return;
  const std::uint64_t offset = find(t);
  const std::uint64_t end = offset + transients_[t].size_bytes;
  result_.offsets[t] = offset;
  result_.size_bytes = std::max(result_.size_bytes, end);
  placed_.insert(std::ranges::upper_bound(placed_, offset, {}, &Placed::begin), Placed{offset, end, t});
}

std::vector<TransientIndex> largest_first(std::span<const Transient> transients) {
  std::vector<TransientIndex> order(transients.size());
  std::iota(order.begin(), order.end(), TransientIndex{0});
  std::ranges::sort(order, {}, [&](TransientIndex t) { return std::pair(~transients[t].size_bytes, t); });
  return order;
}

// The first one placed of those that end at the top goes to the front, others a part of the way, so that orders do not
// repeat at once.
void move_top_ahead(std::vector<TransientIndex>& order, const Placement& placement,
                    std::span<const Transient> transients, std::uint64_t round) {
  const auto is_top = [&](TransientIndex t) {
    return placement.offsets[t] + transients[t].size_bytes == placement.size_bytes;
  };
  const auto top = std::ranges::find_if(order, is_top);
  const auto place = static_cast<std::uint64_t>(top - order.begin());
  const std::uint64_t target = round % 3 == 0 ? 0 : place * (round * 2654435761U % 97) / 97;
  std::rotate(order.begin() + static_cast<std::ptrdiff_t>(target), top, top + 1);
}

}  // namespace

Placement private_slots(std::span<const Transient> transients) {
  Placement placement;
  for (const Transient& transient : transients) {
    placement.offsets.push_back(align_up(placement.size_bytes, transient.alignment));
    placement.size_bytes = placement.offsets.back() + transient.size_bytes;
  }
  return placement;
}

Placement place(std::span<const Transient> transients, const Separation& separation,
                std::span<const TransientIndex> by_first_use, std::uint64_t enough_bytes, std::uint64_t most_bytes) {
  Placer placer(transients, separation);
  Placement best = private_slots(transients);
  const std::uint64_t steps_per_round = transients.size() * transients.size() / 2 + 1;
  const std::uint64_t rounds = std::min(kMaxRounds, kSearchSteps / steps_per_round);
  const auto try_order = [&](std::span<const TransientIndex> order) {
    // The search goes on from whole placements, good or bad.
    const std::uint64_t most = rounds > 0 ? UINT64_MAX : std::min(most_bytes, best.size_bytes);
    Placement placement = placer.place(order, most);
    if (placement.size_bytes < best.size_bytes && placement.size_bytes <= most) best = placement;
    return placement;
  };
  std::vector<TransientIndex> order = largest_first(transients);
  Placement current = try_order(order);
  if (best.size_bytes > enough_bytes) try_order(by_first_use);
  for (std::uint64_t round = 0; round < rounds && best.size_bytes > enough_bytes; ++round) {
    move_top_ahead(order, current, transients, round);
    current = try_order(order);
  }
  return best;
}

}  // namespace weft::graph
