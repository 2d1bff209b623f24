#include <algorithm>
#include <numeric>

#include "examples/multifrontal/analysis.h"

namespace multifrontal {

namespace {

struct Columns {
  std::uint32_t first = 0, count = 0, rows = 0;  // rows of the front
  double zeros = 0;                              // entries that are stored and need not be

  double entries() const { return static_cast<double>(count) * rows - 0.5 * count * (count - 1.0); }
};

// Whether a front is better joined to its parent: for the few zeros that it brings, or since both are tiny.
bool worth_merging(const Columns& merged) {
  const double part = merged.zeros / merged.entries();
  return merged.count <= 4 || (merged.count <= 16 && part < 0.5) || (merged.count <= 48 && part < 0.15) || part < 0.05;
}

// Columns of one front, so far that the columns of the front before it, its last child, may be joined to it.
std::vector<Columns> partition(const EliminationTree& tree) {
  std::vector<Columns> stack;
  for (std::uint32_t column = 0; column < tree.parents.size(); ++column) {
    Columns current{column, 1, tree.counts[column]};
    while (!stack.empty() && tree.parents[current.first - 1] != kNone) {
      const Columns& child = stack.back();
      // The child's last column must have its parent in this front; only the first column can be it while it grows.
      if (tree.parents[current.first - 1] >= current.first + current.count) {
        break;
      }
      Columns merged{child.first, child.count + current.count, child.count + current.rows};
      merged.zeros = child.zeros + current.zeros + merged.entries() - child.entries() - current.entries();
      if (!worth_merging(merged)) {
        break;
      }
      current = merged;
      stack.pop_back();
    }
    stack.push_back(current);
  }
  return stack;
}

class Builder {
 public:
  Builder(const SymmetricMatrix& matrix, const std::vector<std::uint32_t>& order, const EliminationTree& tree)
      : order_(order), positions_(inverse(order)), tree_(tree), full_(make_full(matrix)) {}

  std::vector<Front> build() {
    const std::vector<Columns> parts = partition(tree_);
    fronts_.resize(parts.size());
    front_of_.resize(order_.size());
    for (std::uint32_t f = 0; f < parts.size(); ++f) {
      fronts_[f].first_pivot = parts[f].first;
      fronts_[f].pivots = parts[f].count;
      std::fill_n(front_of_.begin() + parts[f].first, parts[f].count, f);
    }
    std::vector<std::uint32_t> seen(order_.size(), kNone);
    for (std::uint32_t f = 0; f < fronts_.size(); ++f) {
      find_rows(f, seen);
    }
    for (Front& front : fronts_) {
      place_in_parent(front);
    }
    return std::move(fronts_);
  }

 private:
  struct Adjacency {
    std::vector<std::uint64_t> starts;
    std::vector<std::uint32_t> rows;
  };

  // Both triangles.
  static Adjacency make_full(const SymmetricMatrix& matrix) {
    Adjacency full;
    full.starts.assign(matrix.size() + std::size_t{1}, 0);
    for (std::uint32_t column = 0; column < matrix.size(); ++column) {
      for (std::uint64_t e = matrix.starts[column] + 1; e < matrix.starts[column + 1]; ++e) {
        ++full.starts[column + std::size_t{1}];
        ++full.starts[matrix.rows[e] + std::size_t{1}];
      }
    }
    std::partial_sum(full.starts.begin(), full.starts.end(), full.starts.begin());
    full.rows.resize(full.starts.back());
    std::vector<std::uint64_t> next(full.starts.begin(), full.starts.end() - 1);
    for (std::uint32_t column = 0; column < matrix.size(); ++column) {
      for (std::uint64_t e = matrix.starts[column] + 1; e < matrix.starts[column + 1]; ++e) {
        full.rows[next[column]++] = matrix.rows[e];
        full.rows[next[matrix.rows[e]]++] = column;
      }
    }
    return full;
  }

  // The rows below the pivots: of the matrix, and of the children.
  void find_rows(std::uint32_t f, std::vector<std::uint32_t>& seen) {
    Front& front = fronts_[f];
    const std::uint32_t end = front.first_pivot + front.pivots;
    std::vector<std::uint32_t>& rows = front.rows;
    rows.resize(front.pivots);
    std::iota(rows.begin(), rows.end(), front.first_pivot);
    const auto add = [&](std::uint32_t row) {
      if (row >= end && seen[row] != f) {
        seen[row] = f;
        rows.push_back(row);
      }
    };
    for (std::uint32_t pivot = front.first_pivot; pivot < end; ++pivot) {
      const std::uint32_t column = order_[pivot];
      for (std::uint64_t e = full_.starts[column]; e < full_.starts[column + 1]; ++e) {
        add(positions_[full_.rows[e]]);
      }
    }
    for (const std::uint32_t child : front.children) {
      std::for_each(fronts_[child].rows.begin() + fronts_[child].pivots, fronts_[child].rows.end(), add);
    }
    std::sort(rows.begin() + front.pivots, rows.end());
    if (front.border() > 0) {
      front.parent = front_of_[rows[front.pivots]];
      fronts_[front.parent].children.push_back(f);
    }
  }

  void place_in_parent(Front& front) const {
    if (front.parent == kNone) {
      return;
    }
    const std::vector<std::uint32_t>& rows = fronts_[front.parent].rows;
    std::size_t at = 0;
    for (std::size_t i = front.pivots; i < front.rows.size(); ++i) {
      while (rows[at] != front.rows[i]) {
        ++at;
      }
      front.rows_in_parent.push_back(static_cast<std::uint32_t>(at));
    }
  }

  const std::vector<std::uint32_t>& order_;
  std::vector<std::uint32_t> positions_;
  const EliminationTree& tree_;
  Adjacency full_;
  std::vector<Front> fronts_;
  std::vector<std::uint32_t> front_of_;  // of each pivot
};

}  // namespace

double Front::flops() const {
  double sum = 0;
  for (std::uint64_t rest = size(); rest > border(); --rest) {
    sum += static_cast<double>(rest * rest);
  }
  return sum;
}

std::vector<Front> find_fronts(const SymmetricMatrix& matrix, const std::vector<std::uint32_t>& order,
                               const EliminationTree& tree) {
  return Builder(matrix, order, tree).build();
}

}  // namespace multifrontal
