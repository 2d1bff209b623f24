// Handlers of the families compare and convert.
#include "codegen/interp/apply.h"
#include "codegen/interp/meaning.h"
#include "codegen/interp/meaning_float.h"

namespace weft::interp::handlers {

void eq(const Context& c) {
  binary(c, [](auto a, auto b) { return a == b; });
}
void ne(const Context& c) {
  binary(c, [](auto a, auto b) { return a != b; });
}
void lt(const Context& c) {
  binary(c, [](auto a, auto b) { return a < b; });
}
void le(const Context& c) {
  binary(c, [](auto a, auto b) { return a <= b; });
}
void gt(const Context& c) {
  binary(c, [](auto a, auto b) { return a > b; });
}
void ge(const Context& c) {
  binary(c, [](auto a, auto b) { return a >= b; });
}
void is_nan(const Context& c) { unary(c, WEFT_MEANING(is_nan)); }
void is_inf(const Context& c) { unary(c, WEFT_MEANING(is_inf)); }
void is_finite(const Context& c) { unary(c, WEFT_MEANING(is_finite)); }

void select(const Context& c) {
  const Words condition = c.operand(0);
  const bool per_component = word_count(c.block.types(), c.operand_type(0)) > 1;
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    for (const std::uint32_t lane : c.lanes) {
      const bool chosen = condition.at(lane, per_component ? w : 0) != 0;
      c.result().at(lane, w) = c.operand(chosen ? 1 : 2).at(lane, w);
    }
  }
}

void cast(const Context& c) {
  visit_scalar(c.scalar_kind(0), [&]<class From>() {
    visit_scalar(c.scalar_kind(c.op.type),
                 [&]<class To>() { map_leaves<From>(c, [](From a) { return meaning::cast<To>(a); }); });
  });
}

void bitcast(const Context& c) {
  unary(c, [](auto a) { return a; });
}

}  // namespace weft::interp::handlers
