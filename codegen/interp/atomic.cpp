// Handlers of the family atomic: one lane after another.
#include "codegen/interp/apply.h"
#include "codegen/interp/meaning.h"
#include "codegen/interp/memory.h"

namespace weft::interp::handlers {

using namespace ir;

namespace {

// For each lane: the value at the place becomes f(value, lane); the result, if there is one, is the value before. Out
// of range that is 0.
template <class F>
void update(const Context& c, F f) {
  const Leaf& leaf = c.block.plan().leaves[pointee(c).index][0];
  for (const std::uint32_t lane : c.lanes) {
    const Access access(c, c.operand(0), lane);
    const bool in_range = access.in_range();
    const std::uint64_t before = in_range ? access.read(0, leaf) : 0;
    if (in_range) {
      access.write(0, leaf, f(before, lane));
    }
    if (c.op.result.valid()) {
      c.result().at(lane) = before;
    }
  }
}

// The same with f(value, operand 1) on scalars.
template <class F>
void update_with(const Context& c, F f) {
  visit_scalar(
      c.scalar_kind(pointee(c)),
      [&]<class T>()
        requires requires(T x) { f(x, x); }
      {
        update(c, [&](std::uint64_t before, std::uint32_t lane) {
          return to_bits(f(from_bits<T>(before), from_bits<T>(c.operand(1).at(lane))));
        });
      });
}

}  // namespace

void atomic_load(const Context& c) { load(c); }

void atomic_store(const Context& c) { store(c); }

void atomic_exchange(const Context& c) {
  update(c, [&](std::uint64_t, std::uint32_t lane) { return c.operand(1).at(lane); });
}

void atomic_compare_exchange(const Context& c) {
  update(c, [&](std::uint64_t before, std::uint32_t lane) {
    return before == c.operand(1).at(lane) ? c.operand(2).at(lane) : before;
  });
}

void atomic_add(const Context& c) { update_with(c, WEFT_MEANING(add)); }
void atomic_sub(const Context& c) { update_with(c, WEFT_MEANING(sub)); }
void atomic_and(const Context& c) { update_with(c, WEFT_MEANING(bit_and)); }
void atomic_or(const Context& c) { update_with(c, WEFT_MEANING(bit_or)); }
void atomic_xor(const Context& c) { update_with(c, WEFT_MEANING(bit_xor)); }
void atomic_min(const Context& c) { update_with(c, WEFT_MEANING(min)); }
void atomic_max(const Context& c) { update_with(c, WEFT_MEANING(max)); }

// Lanes take turns op by op: all accesses before are done.
void fence(const Context&) {}

}  // namespace weft::interp::handlers
