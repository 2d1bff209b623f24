// Expansions of the families arith and bits.
#include "codegen/passes/expansions.h"

namespace weft::passes::expansions {

using namespace ir;

namespace {

TypeId unsigned_scalar(std::uint32_t width) {
  switch (width) {
    case 8: return kU8;
    case 16: return kU16;
    case 32: return kU32;
    default: return kU64;
  }
}

Expr as_unsigned(Expr a) { return bitcast(unsigned_scalar(a.width()), a); }

// An offset modulo the width and a count clamped to the bits above it, both unsigned.
struct Field {
  Expr offset;
  Expr count;

  Field(Expr offset_operand, Expr count_operand)
      : offset(as_unsigned(offset_operand) & as_unsigned(offset_operand).number(offset_operand.width() - 1)),
        count(min(as_unsigned(count_operand), offset.number(offset.width()) - offset)) {}
};

}  // namespace

Expr sign(const Expansion& x) {
  const Expr a = x[0];
  if (a.category() == ScalarCategory::unsigned_integer) {
    return min(a, a.number(1));
  }
  const Expr zero = a.number(0);
  return select(a > zero, a.number(1), select(a < zero, a.number(-1), a));
}

Expr clamp(const Expansion& x) { return min(max(x[0], x[1]), x[2]); }
Expr saturate(const Expansion& x) { return passes::clamp(x[0], x[0].number(0), x[0].number(1)); }

Expr add_carry(const Expansion& x) {
  const Expr a = as_unsigned(x[0]);
  return cast(x[0].scalar_type(), a + as_unsigned(x[1]) < a);
}

Expr sub_borrow(const Expansion& x) { return cast(x[0].scalar_type(), as_unsigned(x[0]) < as_unsigned(x[1])); }

// The field is shifted to the top, which drops what is above it, and back down, which drops what is below it and brings
// in the sign. Both shifts are less than the width as soon as the field has a bit.
Expr bit_extract(const Expansion& x) {
  const Field field(x[1], x[2]);
  const Expr width = field.count.number(x[0].width());
  const TypeId type = x[0].scalar_type();
  const Expr top = x[0] << bitcast(type, width - field.offset - field.count);
  const Expr bits = top >> bitcast(type, width - field.count);
  return select(field.count == width.number(0), x[0].number(0), bits);
}

Expr bit_insert(const Expansion& x) {
  const Field field(x[2], x[3]);
  const Expr zero = field.count.number(0);
  const Expr ones = ~zero >> (zero.number(x[0].width()) - field.count);
  const Expr mask = select(field.count == zero, zero, ones) << field.offset;
  const Expr inserted = as_unsigned(x[1]) << field.offset;
  return bitcast(x[0].scalar_type(), (as_unsigned(x[0]) & ~mask) | (inserted & mask));
}

}  // namespace weft::passes::expansions
