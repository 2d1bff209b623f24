// The list of all benchmarks. A benchmark enters it by a Registration in its own file; its order number says where.
#pragma once

#include <vector>

#include "bench/framework/problem.h"

namespace weft::bench {

enum class Scale { tiny, full };  // tiny: enough to check results

struct Registration {
  Registration(int order, const char* name, const char* what, Problem (*make)(Scale)) noexcept;

  int order;
  const char* name;
  const char* what;
  Problem (*make)(Scale);
  const Registration* next;
};

// By order number.
std::vector<const Registration*> benchmarks();

}  // namespace weft::bench
