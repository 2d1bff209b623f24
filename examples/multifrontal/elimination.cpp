// The elimination tree (Liu: The role of elimination trees in sparse factorization, 1990).
#include <algorithm>
#include <utility>

#include "examples/multifrontal/analysis.h"

namespace multifrontal {

namespace {

// For each row in the order of elimination, the earlier columns with an entry in it.
struct RowLists {
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> columns;

  RowLists(const SymmetricMatrix& matrix, const std::vector<std::uint32_t>& order)
      : starts(matrix.size() + std::size_t{1}, 0) {
    const std::vector<std::uint32_t> position = inverse(order);
    const auto for_each = [&](const auto& visit) {
      for (std::uint32_t column = 0; column < matrix.size(); ++column) {
        for (std::uint64_t e = matrix.starts[column]; e < matrix.starts[column + 1]; ++e) {
          if (matrix.rows[e] != column) {
            const auto [early, late] = std::minmax(position[matrix.rows[e]], position[column]);
            visit(early, late);
          }
        }
      }
    };
    for_each([&](std::uint32_t, std::uint32_t row) { ++starts[row + std::size_t{1}]; });
    for (std::size_t i = 1; i < starts.size(); ++i) {
      starts[i] += starts[i - 1];
    }
    columns.resize(starts.back());
    std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
    for_each([&](std::uint32_t column, std::uint32_t row) { columns[next[row]++] = column; });
  }
};

std::vector<std::uint32_t> find_parents(const RowLists& rows, std::size_t size) {
  std::vector<std::uint32_t> parents(size, kNone);
  std::vector<std::uint32_t> ancestors(size, kNone);  // shortcuts towards the root
  for (std::uint32_t row = 0; row < size; ++row) {
    for (std::uint64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) {
      std::uint32_t node = rows.columns[e];
      while (node != kNone && node < row) {
        const std::uint32_t next = std::exchange(ancestors[node], row);
        if (next == kNone) {
          parents[node] = row;
        }
        node = next;
      }
    }
  }
  return parents;
}

// Nodes so that each subtree's are consecutive and its root is the last.
std::vector<std::uint32_t> postorder(const std::vector<std::uint32_t>& parents) {
  const std::uint32_t size = static_cast<std::uint32_t>(parents.size());
  std::vector<std::uint32_t> first_child(size, kNone);
  std::vector<std::uint32_t> sibling(size, kNone);
  for (std::uint32_t node = size; node-- > 0;) {
    if (parents[node] != kNone) {
      sibling[node] = std::exchange(first_child[parents[node]], node);
    }
  }
  std::vector<std::uint32_t> result;
  result.reserve(size);
  std::vector<std::uint32_t> path;
  for (std::uint32_t root = 0; root < size; ++root) {
    if (parents[root] != kNone) {
      continue;
    }
    path.push_back(root);
    while (!path.empty()) {
      const std::uint32_t node = path.back();
      if (const std::uint32_t child = first_child[node]; child != kNone) {
        first_child[node] = sibling[child];
        path.push_back(child);
      } else {
        result.push_back(node);
        path.pop_back();
      }
    }
  }
  return result;
}

// Row by row: the columns with an entry in the row are what lies on the paths from its entries up to it.
std::vector<std::uint32_t> count_entries(const RowLists& rows, const std::vector<std::uint32_t>& parents) {
  std::vector<std::uint32_t> counts(parents.size(), 1);
  std::vector<std::uint32_t> seen(parents.size(), kNone);
  for (std::uint32_t row = 0; row < parents.size(); ++row) {
    seen[row] = row;
    for (std::uint64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) {
      for (std::uint32_t node = rows.columns[e]; seen[node] != row; node = parents[node]) {
        seen[node] = row;
        ++counts[node];
      }
    }
  }
  return counts;
}

}  // namespace

EliminationTree eliminate(const SymmetricMatrix& matrix, std::vector<std::uint32_t>& order) {
  const std::vector<std::uint32_t> parents = find_parents(RowLists(matrix, order), order.size());
  const std::vector<std::uint32_t> post = postorder(parents);
  std::vector<std::uint32_t> reordered(order.size());
  for (std::size_t i = 0; i < post.size(); ++i) {
    reordered[i] = order[post[i]];
  }
  order = std::move(reordered);
  const RowLists rows(matrix, order);
  EliminationTree tree;
  tree.parents = find_parents(rows, order.size());
  tree.counts = count_entries(rows, tree.parents);
  return tree;
}

}  // namespace multifrontal
