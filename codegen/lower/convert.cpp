// The family convert.
#include "codegen/lower/arith.h"
#include "codegen/lower/half.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::Value;

// The range of an integer type, its ends rounded toward zero to a float type.
struct Range {
  llvm::APFloat low;
  llvm::APFloat high;
  bool high_is_exact;
};

Range range_in(const llvm::fltSemantics& floats, TypeKind integer) {
  const std::uint32_t bits = ir::scalar_bits(integer);
  const bool has_sign = is_signed(integer);
  const auto low = has_sign ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits);
  const auto high = has_sign ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  Range range{llvm::APFloat(floats), llvm::APFloat(floats), false};
  range.low.convertFromAPInt(low, has_sign, llvm::APFloat::rmTowardZero);
  range.high_is_exact = range.high.convertFromAPInt(high, has_sign, llvm::APFloat::rmTowardZero) == llvm::APFloat::opOK;
  return range;
}

// Saturates; NaN gives 0. The operand is clamped before it is converted, as LLVM's conversion is undefined outside the
// range, and its saturating one takes vectors apart:
//   known = a is NaN ? 0 : a
//   result = integer(clamp(known, low, high)), or the greatest integer where that is no float and a > high
Value* saturated(Emitter& e, TypeKind to, Value* a) {
  llvm::Type* floats = a->getType();
  llvm::Type* integers = floats->getWithNewType(e.scalar_type(to));
  const Range range = range_in(floats->getScalarType()->getFltSemantics(), to);
  Value* low = llvm::ConstantFP::get(floats, range.low);
  Value* high = llvm::ConstantFP::get(floats, range.high);
  Value* known = e.b.CreateSelect(e.b.CreateFCmpORD(a, a), a, e.zero(floats));
  Value* not_below = e.b.CreateSelect(e.b.CreateFCmpOGT(known, low), known, low);
  Value* inside = e.b.CreateSelect(e.b.CreateFCmpOLT(not_below, high), not_below, high);
  Value* result = is_signed(to) ? e.b.CreateFPToSI(inside, integers) : e.b.CreateFPToUI(inside, integers);
  if (range.high_is_exact) {
    return result;
  }
  const std::uint32_t bits = ir::scalar_bits(to);
  const auto greatest = is_signed(to) ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  return e.b.CreateSelect(e.b.CreateFCmpOGT(a, high), llvm::ConstantInt::get(integers, greatest), result);
}

Value* float_to_integer(Emitter& e, TypeKind from, TypeKind to, Value* a) {
  if (from == TypeKind::f16) {
    return through_f32(e, {a}, [&](llvm::ArrayRef<Value*> x) { return saturated(e, to, x[0]); });
  }
  return saturated(e, to, a);
}

Value* float_to_float(Emitter& e, TypeKind from, TypeKind to, Value* a) {
  if (from == TypeKind::f64 && to == TypeKind::f16) {
    return f64_to_f16(e, a);
  }
  return e.b.CreateFPCast(a, a->getType()->getWithNewType(e.scalar_type(to)));
}

// LLVM 22.1.8 takes f32(f16(integer)) for f32(integer) where the integer's known bits fit the significand of f16,
// though it may be above all its numbers, and so an infinity. The fence keeps it from seeing such a conversion; it may
// go when InstCombine's isKnownExactCastIntToFP looks at exponents.
Value* integer_to_float(Emitter& e, TypeKind from, TypeKind to, Value* a) {
  const auto convert = [&](llvm::Type* scalar) {
    llvm::Type* type = a->getType()->getWithNewType(scalar);
    return is_signed(from) ? e.b.CreateSIToFP(a, type) : e.b.CreateUIToFP(a, type);
  };
  if (to != TypeKind::f16 || ir::scalar_bits(from) <= 16) {
    return convert(e.scalar_type(to));
  }
  Value* wide = convert(e.b.getFloatTy());
  return e.b.CreateFPTrunc(e.b.CreateArithmeticFence(wide, wide->getType()),
                           a->getType()->getWithNewType(e.b.getHalfTy()));
}

Value* to_bool(Emitter& e, TypeKind from, Value* a) {
  Value* zero = e.zero(a->getType());
  return is_float(from) ? e.b.CreateFCmpUNE(a, zero) : e.b.CreateICmpNE(a, zero);
}

Value* cast(Emitter& e, TypeKind from, TypeKind to, Value* a) {
  if (from == to) {
    return a;
  }
  if (to == TypeKind::boolean) {
    return to_bool(e, from, a);
  }
  if (is_float(from)) {
    return is_float(to) ? float_to_float(e, from, to, a) : float_to_integer(e, from, to, a);
  }
  return is_float(to) ? integer_to_float(e, from, to, a)
                      : e.b.CreateIntCast(a, a->getType()->getWithNewType(e.scalar_type(to)), is_signed(from));
}

}  // namespace

void lower_convert(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  const TypeKind from = e.scalar_kind(e.f.type(e.f.operand(op, 0)));
  const TypeKind to = e.scalar_kind(op.type);
  if (op.code == OpCode::cast) {
    e.componentwise(op, [&](llvm::ArrayRef<Value*> x) { return cast(e, from, to, x[0]); });
  } else {
    e.componentwise(op, [&](llvm::ArrayRef<Value*> x) {
      return e.b.CreateBitCast(x[0], x[0]->getType()->getWithNewType(e.scalar_type(to)));
    });
  }
}

}  // namespace weft::lower
