// What is known before any number is: the order of elimination, the tree of fronts, and what each front holds.
//
// A front is a dense symmetric matrix. Its first rows are its pivots, eliminated here; the rest is what it contributes
// to its parent (Duff, Reid: The multifrontal solution of indefinite sparse symmetric linear systems, 1983). Fronts are
// numbered so that children come before parents and a subtree's fronts are consecutive. Small subtrees, and single
// fronts above them, are tasks: what one block of a kernel does.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "examples/multifrontal/matrix.h"

namespace multifrontal {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Front {
  std::uint32_t first_pivot = 0;  // in the order of elimination
  std::uint32_t pivots = 0;
  std::uint32_t parent = kNone;
  std::uint64_t panel = 0;                    // where its columns of L begin among those of all
  std::vector<std::uint32_t> rows;            // ascending, pivots first
  std::vector<std::uint32_t> rows_in_parent;  // of each row that is no pivot
  std::vector<std::uint32_t> children;

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows.size()); }
  std::uint32_t border() const { return size() - pivots; }
  std::uint64_t contribution() const { return std::uint64_t{border()} * border(); }  // elements
  double flops() const;
};

struct Task {
  std::uint32_t first_front = 0, front_count = 0;  // the last one is the root of the subtree
  std::uint32_t parent = kNone;
  std::uint32_t level = 0;  // above those of all children; filled by assign_levels()
  std::uint32_t step = 0;   // even: of a segment of the forest; odd: of large fronts; filled by assign_steps()
  std::vector<std::uint32_t> children;
  bool large = false;  // one front that is worth many blocks, or a BLAS
};

struct Analysis {
  std::vector<std::uint32_t> order;  // order[i] is eliminated as the i-th
  std::vector<Front> fronts;
  std::vector<Task> tasks;                  // children before parents
  std::vector<std::uint64_t> destinations;  // in the panels, of each entry of the matrix
  std::uint64_t panel_elements = 0;
  std::uint32_t levels = 0;
  std::uint32_t steps = 0;
  double flops = 0;
};

struct AnalysisOptions {
  std::uint32_t seed = 1;             // of the ordering
  std::uint32_t tasks_wanted = 64;    // about; a subtree becomes one task below this part of the work
  std::uint32_t level_width = 32;     // most tasks of a level
  std::uint32_t segment_width = 128;  // most tasks of a segment
  std::uint32_t large_front = 192;    // rows from which on a front is large
};

// Throws std::runtime_error where the ordering fails or the factors outgrow 32-bit indices.
Analysis analyse(const SymmetricMatrix& matrix, const AnalysisOptions& options = {});

// --- its steps
// A fill-reducing order, by METIS.
std::vector<std::uint32_t> dissect(const SymmetricMatrix& matrix, std::uint32_t seed);

// The tree of elimination in an order that is changed to a postorder of it, and the entries of each column of L.
struct EliminationTree {
  std::vector<std::uint32_t> parents;
  std::vector<std::uint32_t> counts;
};
EliminationTree eliminate(const SymmetricMatrix& matrix, std::vector<std::uint32_t>& order);

// Fronts of columns of the same structure, small ones merged with their parents.
std::vector<Front> find_fronts(const SymmetricMatrix& matrix, const std::vector<std::uint32_t>& order,
                               const EliminationTree& tree);

// A large front is a task of its own, and so are all above it.
std::vector<Task> group_fronts(const std::vector<Front>& fronts, std::uint32_t tasks_wanted, std::uint32_t large_front);

// Levels of at most `width` tasks: of those whose children are on lower levels, the first ones. A level of all of them
// would have every leaf's contribution in memory at once. Gives the number of levels.
std::uint32_t assign_levels(std::vector<Task>& tasks, std::uint32_t width);

// Cuts the forest of tasks that are not large into segments of at most `width` tasks, between the large fronts. A
// segment's tasks have their children in it or in earlier steps. Gives the number of steps.
std::uint32_t assign_steps(std::vector<Task>& tasks, std::uint32_t width);

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order);

}  // namespace multifrontal
