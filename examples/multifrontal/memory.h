// Where contributions and scratch of the tasks are, in one buffer, and how much that takes under several rules.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/multifrontal/analysis.h"

namespace multifrontal {

// Elements of memory of each task: what it passes on to its parent, and what only it needs: the contributions within
// its subtree, stacked, and the pivot columns of one front times D.
struct TaskMemory {
  std::uint64_t contribution = 0;
  std::uint64_t stack = 0;
  std::uint64_t columns = 0;
  std::uint64_t scratch() const { return stack + columns; }
};

struct Needs {
  std::vector<TaskMemory> tasks;
  std::vector<std::uint64_t> inner_offsets;  // of each front's contribution in its task's stack; roots have none
};
// Large fronts need no columns where the host factors them.
Needs measure(const Analysis& analysis, bool large_on_host = false);

// When two pieces may share memory.
enum class Sharing {
  none,    // private slots
  levels,  // tasks run level by level
  steps,   // tasks run step by step; those of a segment come after their children, large fronts one after the other
  serial,  // one task after the other
};

struct Layout {
  std::vector<std::uint64_t> contributions;  // offset of each task's
  std::vector<std::uint64_t> scratch;
  std::uint64_t elements = 0;
};

// With `early`, a task's contribution is there from when its first child is done, as children add to it themselves.
Layout lay_out(const Analysis& analysis, const Needs& needs, Sharing sharing, bool early = false);

}  // namespace multifrontal
