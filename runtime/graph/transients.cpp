#include "runtime/graph/transients.h"

#include <algorithm>
#include <bit>

namespace weft::graph {
namespace {

bool contains(std::span<const NodeIndex> ascending, NodeIndex node) {
  return std::ranges::binary_search(ascending, node);
}

// The last users of all transients: the first one of transient t is number t of `firsts`, so that whole words of bits
// are whole words of the result.
struct Sources {
  std::vector<NodeIndex> firsts;
  std::vector<NodeIndex> others;
  std::vector<TransientIndex> transient_of_other;
};

// A transient without users has no source that could fail to precede anything.
constexpr NodeIndex kNoNode = UINT32_MAX;

Sources sources_of(const Dag& dag, std::span<const Transient> transients) {
  Sources sources;
  for (TransientIndex t = 0; t < transients.size(); ++t) {
    const std::vector<NodeIndex> last = last_users(dag, transients[t].users);
    sources.firsts.push_back(last.empty() ? kNoNode : last.front());
    for (std::size_t i = 1; i < last.size(); ++i) {
      sources.others.push_back(last[i]);
      sources.transient_of_other.push_back(t);
    }
  }
  return sources;
}

// Calls visit(t, begin, bits) for each block of sources, which begins at number `begin`, and each transient t: the bits
// of the sources that precede all of its first users. Bits beyond the last source are set.
template <typename Visit>
void for_each_block(const Dag& dag, std::span<const std::vector<NodeIndex>> first_users,
                    std::span<const NodeIndex> sources, Visit visit) {
  for (std::size_t begin = 0; begin < sources.size(); begin += kSourcesPerBlock) {
    const auto block = sources.subspan(begin, std::min(kSourcesPerBlock, sources.size() - begin));
    std::vector<NodeIndex> nodes(block.begin(), block.end());
    SourceBits always;
    for (std::size_t i = block.size(); i < kSourcesPerBlock; ++i) always.set(i);
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (nodes[i] != kNoNode) continue;
      always.set(i);
      nodes[i] = 0;
    }
    const std::vector<SourceBits> preceding = preceding_sources(dag, nodes);
    for (TransientIndex t = 0; t < first_users.size(); ++t) {
      SourceBits common;
      common.words.fill(~std::uint64_t{0});
      for (const NodeIndex user : first_users[t]) common &= preceding[user];
      common |= always;
      visit(t, begin, common);
    }
  }
}

// Calls visit(column) for each bit of the row that is set.
template <typename Visit>
void for_each_bit(std::span<const std::uint64_t> words, Visit visit) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::uint64_t bits = words[i]; bits != 0; bits &= bits - 1) {
      visit(i * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace

std::vector<NodeIndex> first_users(const Dag& dag, std::span<const NodeIndex> users) {
  std::vector<NodeIndex> first;
  std::ranges::copy_if(users, std::back_inserter(first), [&](NodeIndex user) {
    return std::ranges::none_of(dag.predecessors(user), [&](NodeIndex n) { return contains(users, n); });
  });
  return first;
}

std::vector<NodeIndex> last_users(const Dag& dag, std::span<const NodeIndex> users) {
  std::vector<NodeIndex> last;
  std::ranges::copy_if(users, std::back_inserter(last), [&](NodeIndex user) {
    return std::ranges::none_of(dag.successors(user), [&](NodeIndex n) { return contains(users, n); });
  });
  return last;
}

BitMatrix preceding_transients(const Dag& dag, std::span<const Transient> transients) {
  const Sources sources = sources_of(dag, transients);
  std::vector<std::vector<NodeIndex>> first(transients.size());
  for (TransientIndex t = 0; t < transients.size(); ++t) first[t] = first_users(dag, transients[t].users);

  BitMatrix preceding(transients.size());
  for_each_block(dag, first, sources.firsts, [&](TransientIndex b, std::size_t begin, const SourceBits& common) {
    const std::span<std::uint64_t> row = preceding.row(b).subspan(begin / 64);
    std::copy_n(common.words.begin(), std::min(row.size(), common.words.size()), row.begin());
  });
  for_each_block(dag, first, sources.others, [&](TransientIndex b, std::size_t begin, SourceBits common) {
    for (std::uint64_t& word : common.words) word = ~word;
    for_each_bit(common.words, [&](std::size_t i) { preceding.clear(b, sources.transient_of_other[begin + i]); });
  });
  for (TransientIndex t = 0; t < transients.size(); ++t) preceding.clear(t, t);
  return preceding;
}

Conflicts conflicts_of(std::span<const Transient> transients, const BitMatrix& preceding) {
  const std::size_t count = transients.size();
  const auto shares = [&](std::size_t t) { return !transients[t].has_own_slot; };
  Conflicts conflicts(count);
  for (std::size_t b = 0; b < count; ++b) {
    std::ranges::transform(preceding.row(b), conflicts.row(b).begin(), [](std::uint64_t word) { return ~word; });
    conflicts.clear(b, b);
  }
  for (std::size_t b = 0; b < count; ++b) {
    for_each_bit(preceding.row(b), [&](std::size_t a) {
      if (a >= count) return;
      if (shares(a) && shares(b)) {
        conflicts.clear(a, b);
      } else {
        conflicts.set(b, a);
      }
    });
  }
  for (std::size_t b = 0; b < count; ++b) {
    if (transients[b].size_bytes != 0) continue;
    std::ranges::fill(conflicts.row(b), 0);
    for (std::size_t a = 0; a < count; ++a) conflicts.clear(a, b);
  }
  return conflicts;
}

}  // namespace weft::graph
