#include "examples/multifrontal/memory.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace multifrontal {

namespace {

// Memory in use from the time when `first` begins until `last` ends; tasks, or levels.
struct Piece {
  std::uint64_t size = 0;
  std::uint32_t first = 0, last = 0;
  std::uint64_t offset = 0;
};

// Largest first, each at the lowest place that is free of what it conflicts with.
template <typename Conflict>
std::uint64_t place(std::vector<Piece>& pieces, const Conflict& conflict) {
  std::vector<std::size_t> by_size(pieces.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::sort(by_size, {},
                    [&](std::size_t i) { return std::tuple(-static_cast<std::int64_t>(pieces[i].size), i); });
  std::uint64_t end = 0;
  std::vector<const Piece*> placed;  // by offset
  for (const std::size_t i : by_size) {
    Piece& piece = pieces[i];
    for (const Piece* other : placed) {
      if (conflict(piece, *other) && other->offset < piece.offset + piece.size) {
        piece.offset = std::max(piece.offset, other->offset + other->size);
      }
    }
    placed.insert(std::ranges::upper_bound(placed, piece.offset, {}, [](const Piece* p) { return p->offset; }), &piece);
    end = std::max(end, piece.offset + piece.size);
  }
  return end;
}

std::uint64_t place_by_times(std::vector<Piece>& pieces) {
  return place(pieces, [](const Piece& a, const Piece& b) { return a.first <= b.last && b.first <= a.last; });
}

std::uint64_t place_by_steps(std::vector<Piece>& pieces, const Analysis& analysis) {
  std::vector<std::uint32_t> first(analysis.tasks.size());  // of the subtree of tasks
  for (std::uint32_t t = 0; t < first.size(); ++t) {
    first[t] = t;
    for (const std::uint32_t child : analysis.tasks[t].children) {
      first[t] = std::min(first[t], first[child]);
    }
  }
  const auto before = [&](const Piece& a, const Piece& b) {
    const Task& earlier = analysis.tasks[a.last];
    const Task& later = analysis.tasks[b.first];
    return earlier.step < later.step ||
           (earlier.step == later.step && a.last < b.first && (later.large || first[b.first] <= a.last));
  };
  return place(pieces, [&](const Piece& a, const Piece& b) { return !before(a, b) && !before(b, a); });
}

std::uint32_t first_child_level(const Analysis& analysis, const Task& task) {
  std::uint32_t level = task.level;
  for (const std::uint32_t child : task.children) {
    level = std::min(level, analysis.tasks[child].level);
  }
  return level;
}

// Offsets of pieces that begin in this order and end when their parent, `last`, is done. Pieces of even and odd depth
// go on two stacks: a front's own piece never lies on top of its children's, so each stack gives back from its top.
std::uint64_t stack_up(const std::vector<Piece>& pieces, std::vector<std::uint64_t>& offsets) {
  if (pieces.empty()) {
    return 0;
  }
  const std::uint32_t first = pieces.front().first;
  std::vector<std::uint8_t> odd(pieces.size() + 1, 0);  // the root has no piece
  for (std::size_t i = pieces.size(); i-- > 0;) {
    odd[i] = odd[pieces[i].last - first] ^ 1U;
  }
  std::array<std::vector<const Piece*>, 2> stacks;
  std::array<std::uint64_t, 2> tops{}, peaks{};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint8_t side = odd[i];
    offsets[pieces[i].first] = tops[side];
    stacks[side].push_back(&pieces[i]);
    tops[side] += pieces[i].size;
    peaks[side] = std::max(peaks[side], tops[side]);
    std::vector<const Piece*>& children = stacks[side ^ 1U];
    while (!children.empty() && children.back()->last == pieces[i].first) {
      tops[side ^ 1U] -= children.back()->size;
      children.pop_back();
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    offsets[pieces[i].first] += odd[i] != 0 ? peaks[0] : 0;
  }
  return peaks[0] + peaks[1];
}

}  // namespace

Needs measure(const Analysis& analysis, bool large_on_host) {
  Needs needs{.tasks = std::vector<TaskMemory>(analysis.tasks.size()),
              .inner_offsets = std::vector<std::uint64_t>(analysis.fronts.size(), 0)};
  for (std::size_t t = 0; t < analysis.tasks.size(); ++t) {
    const Task& task = analysis.tasks[t];
    TaskMemory& memory = needs.tasks[t];
    std::vector<Piece> inner;
    for (std::uint32_t f = task.first_front; f < task.first_front + task.front_count; ++f) {
      const Front& front = analysis.fronts[f];
      memory.columns = std::max(memory.columns, std::uint64_t{front.size()} * front.pivots);
      if (f + 1 < task.first_front + task.front_count) {
        inner.push_back({front.contribution(), f, front.parent});
      }
    }
    if (task.large && large_on_host) {
      memory.columns = 0;
    }
    memory.stack = stack_up(inner, needs.inner_offsets);
    memory.contribution = analysis.fronts[task.first_front + task.front_count - 1].contribution();
  }
  return needs;
}

Layout lay_out(const Analysis& analysis, const Needs& needs, Sharing sharing, bool early) {
  const std::size_t count = analysis.tasks.size();
  std::vector<Piece> pieces;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Task& task = analysis.tasks[t];
    const std::uint32_t user = task.parent == kNone ? t : task.parent;
    if (sharing == Sharing::levels) {
      const std::uint32_t first = early ? first_child_level(analysis, task) : task.level;
      const std::uint32_t last = early ? task.level : analysis.tasks[user].level;
      pieces.push_back({needs.tasks[t].contribution, first, last});
      pieces.push_back({needs.tasks[t].scratch(), task.level, task.level});
    } else {
      pieces.push_back({needs.tasks[t].contribution, t, user});
      pieces.push_back({needs.tasks[t].scratch(), t, t});
    }
  }
  Layout layout;
  switch (sharing) {
    case Sharing::none: layout.elements = place(pieces, [](const Piece&, const Piece&) { return true; }); break;
    case Sharing::steps: layout.elements = place_by_steps(pieces, analysis); break;
    case Sharing::levels:
    case Sharing::serial: layout.elements = place_by_times(pieces); break;
  }
  for (std::size_t t = 0; t < count; ++t) {
    layout.contributions.push_back(pieces[2 * t].offset);
    layout.scratch.push_back(pieces[2 * t + 1].offset);
  }
  return layout;
}

}  // namespace multifrontal
