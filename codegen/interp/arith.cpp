// Handlers of the families arith and bits.
#include "codegen/interp/apply.h"
#include "codegen/interp/meaning.h"

namespace weft::interp::handlers {

void add(const Context& c) { binary(c, WEFT_MEANING(add)); }
void sub(const Context& c) { binary(c, WEFT_MEANING(sub)); }
void mul(const Context& c) { binary(c, WEFT_MEANING(mul)); }
void div(const Context& c) { binary(c, WEFT_MEANING(div)); }
void rem(const Context& c) { binary(c, WEFT_MEANING(rem)); }
void neg(const Context& c) { unary(c, WEFT_MEANING(neg)); }
void abs(const Context& c) { unary(c, WEFT_MEANING(abs)); }
void min(const Context& c) { binary(c, WEFT_MEANING(min)); }
void max(const Context& c) { binary(c, WEFT_MEANING(max)); }
void mul_high(const Context& c) { binary(c, WEFT_MEANING(mul_high)); }

void fma(const Context& c) {
  const Words third = c.operand(2);
  const Words r = c.result();
  visit_scalar(c.scalar_kind(0), [&]<Floating T>() {
    for (std::uint32_t w = 0; w < c.result_words(); ++w) {
      for (const std::uint32_t lane : c.lanes) {
        r.at(lane, w) = to_bits(meaning::fma(from_bits<T>(c.operand(0).at(lane, w)),
                                             from_bits<T>(c.operand(1).at(lane, w)), from_bits<T>(third.at(lane, w))));
      }
    }
  });
}

void and_(const Context& c) { binary(c, WEFT_MEANING(bit_and)); }
void or_(const Context& c) { binary(c, WEFT_MEANING(bit_or)); }
void xor_(const Context& c) { binary(c, WEFT_MEANING(bit_xor)); }
void not_(const Context& c) { unary(c, WEFT_MEANING(bit_not)); }
void shl(const Context& c) { binary(c, WEFT_MEANING(shl)); }
void shr(const Context& c) { binary(c, WEFT_MEANING(shr)); }
void rotl(const Context& c) { binary(c, WEFT_MEANING(rotl)); }
void rotr(const Context& c) { binary(c, WEFT_MEANING(rotr)); }
void clz(const Context& c) { unary(c, WEFT_MEANING(clz)); }
void ctz(const Context& c) { unary(c, WEFT_MEANING(ctz)); }
void popcount(const Context& c) { unary(c, WEFT_MEANING(popcount)); }
void reverse_bits(const Context& c) { unary(c, WEFT_MEANING(reverse_bits)); }

}  // namespace weft::interp::handlers
