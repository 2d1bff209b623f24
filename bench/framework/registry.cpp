#include "bench/framework/registry.h"

#include <algorithm>

namespace weft::bench {

namespace {

// Static initialisation of other files adds to it; it is initialised before any of that.
constinit const Registration* first = nullptr;

}  // namespace

Registration::Registration(int order, const char* name, const char* what, Problem (*make)(Scale)) noexcept
    : order(order), name(name), what(what), make(make), next(first) {
  first = this;
}

std::vector<const Registration*> benchmarks() {
  std::vector<const Registration*> all;
  for (const Registration* r = first; r != nullptr; r = r->next) {
    all.push_back(r);
  }
  std::ranges::sort(all, {}, &Registration::order);
  return all;
}

}  // namespace weft::bench
