// The family arith: component by component on scalars and packs alike.
#include "codegen/lower/arith.h"

#include <llvm/IR/PatternMatch.h>

#include "codegen/lower/device_call.h"
#include "codegen/lower/divide.h"
#include "codegen/lower/half.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::Value;
using llvm::Intrinsic::ID;
using Operands = llvm::ArrayRef<Value*>;

// Whether every lane is the same number, other than the zero that would lose to the other zero.
bool is_plain_number(Value* v, bool least) {
  const llvm::APFloat* number = nullptr;
  return llvm::PatternMatch::match(v, llvm::PatternMatch::m_APFloat(number)) && !number->isNaN() &&
         !(number->isZero() && number->isNegative() != least);
}

// Of a number and a NaN the number, and -0 < +0. LLVM has minimumnum and maximumnum for this, but up to LLVM 22 the
// code for x86 gives NaN where it knows that one operand is none: maximumnum(uitofp(i), 0.0 / 0.0).
//   a beyond b ? a : b      one instruction, which gives b where one of them is NaN or both are zeros
//   a == b                  the bits of both, so that of two zeros the right one is left
Value* float_extremum(Emitter& e, bool least, Value* a, Value* b) {
  if (is_plain_number(a, least)) {
    std::swap(a, b);
  }
  Value* beyond = e.b.CreateSelect(least ? e.b.CreateFCmpOLT(a, b) : e.b.CreateFCmpOGT(a, b), a, b);
  if (is_plain_number(b, least) || e.plan.math == ir::MathMode::fast) {
    return beyond;
  }
  const unsigned bits = a->getType()->getScalarSizeInBits();
  llvm::Type* words = a->getType()->getWithNewType(e.b.getIntNTy(bits));
  Value* x = e.b.CreateBitCast(a, words);
  Value* y = e.b.CreateBitCast(b, words);
  Value* zero = e.b.CreateBitCast(least ? e.b.CreateOr(x, y) : e.b.CreateAnd(x, y), a->getType());
  Value* result = e.b.CreateSelect(e.b.CreateFCmpOEQ(a, b), zero, beyond);
  return e.b.CreateSelect(e.b.CreateFCmpUNO(b, b), a, result);
}

Value* extremum(Emitter& e, OpCode code, TypeKind kind, Value* a, Value* b) {
  const bool least = code == OpCode::min;
  if (kind == TypeKind::f16) {
    return through_f32(e, {a, b}, [&](Operands x) { return extremum(e, code, TypeKind::f32, x[0], x[1]); });
  }
  if (is_float(kind)) {
    return float_extremum(e, least, a, b);
  }
  const ID of_signed = least ? llvm::Intrinsic::smin : llvm::Intrinsic::smax;
  const ID of_unsigned = least ? llvm::Intrinsic::umin : llvm::Intrinsic::umax;
  return e.b.CreateBinaryIntrinsic(is_signed(kind) ? of_signed : of_unsigned, a, b);
}

Value* quotient(Emitter& e, OpCode code, TypeKind kind, Value* a, Value* b) {
  if (!is_float(kind)) {
    return divide(e, code, kind, a, b);
  }
  if (code == OpCode::div) {
    return e.b.CreateFDiv(a, b);
  }
  if (kind == TypeKind::f16) {
    return through_f32(e, {a, b}, [&](Operands x) { return quotient(e, code, TypeKind::f32, x[0], x[1]); });
  }
  return call_device(e, "fmod", kind, {a, b}, a->getType()->getScalarType());
}

Value* negated(Emitter& e, TypeKind kind, Value* a) { return is_float(kind) ? e.b.CreateFNeg(a) : e.b.CreateNeg(a); }

Value* absolute(Emitter& e, TypeKind kind, Value* a) {
  if (is_float(kind)) {
    return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
  }
  return is_signed(kind) ? e.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, e.b.getFalse()) : a;
}

Value* fused(Emitter& e, TypeKind kind, Operands x) {
  return kind == TypeKind::f16 ? fma_f16(e, x)
                               : e.b.CreateIntrinsic(llvm::Intrinsic::fma, {x[0]->getType()}, {x[0], x[1], x[2]});
}

// The upper half of a product of packs of 64 bits, for which LLVM has no vector code: schoolbook multiplication of
// halves.
//   a * b = high(a) high(b) 2^64 + (high(a) low(b) + low(a) high(b)) 2^32 + low(a) low(b)
// Neither sum below leaves 64 bits. A signed operand is 2^64 less than its bits say where it is negative.
Value* high_of_packs(Emitter& e, bool has_sign, Value* a, Value* b) {
  Value* half = llvm::ConstantInt::get(a->getType(), 32);
  Value* mask = llvm::ConstantInt::get(a->getType(), 0xffffffffU);
  const auto low = [&](Value* v) { return e.b.CreateAnd(v, mask); };
  const auto high = [&](Value* v) { return e.b.CreateLShr(v, half); };
  Value* first = e.b.CreateAdd(e.b.CreateMul(high(a), low(b)), high(e.b.CreateMul(low(a), low(b))));
  Value* second = e.b.CreateAdd(e.b.CreateMul(low(a), high(b)), low(first));
  Value* result = e.b.CreateAdd(e.b.CreateMul(high(a), high(b)), e.b.CreateAdd(high(first), high(second)));
  if (!has_sign) {
    return result;
  }
  Value* sign = llvm::ConstantInt::get(a->getType(), 63);
  Value* excess = e.b.CreateAdd(e.b.CreateAnd(e.b.CreateAShr(a, sign), b), e.b.CreateAnd(e.b.CreateAShr(b, sign), a));
  return e.b.CreateSub(result, excess);
}

Value* high_product(Emitter& e, TypeKind kind, Value* a, Value* b) {
  const std::uint32_t bits = ir::scalar_bits(kind);
  llvm::Type* type = a->getType();
  if (bits == 64 && type->isVectorTy()) {
    return high_of_packs(e, is_signed(kind), a, b);
  }
  llvm::Type* wide = type->getWithNewType(e.b.getIntNTy(2 * bits));
  Value* product =
      e.b.CreateMul(e.b.CreateIntCast(a, wide, is_signed(kind)), e.b.CreateIntCast(b, wide, is_signed(kind)));
  return e.b.CreateTrunc(e.b.CreateLShr(product, llvm::ConstantInt::get(wide, bits)), type);
}

Value* arithmetic(Emitter& e, OpCode code, TypeKind kind, Operands x) {
  switch (code) {
    case OpCode::div:
    case OpCode::rem: return quotient(e, code, kind, x[0], x[1]);
    case OpCode::neg: return negated(e, kind, x[0]);
    case OpCode::abs: return absolute(e, kind, x[0]);
    case OpCode::fma: return fused(e, kind, x);
    case OpCode::mul_high: return high_product(e, kind, x[0], x[1]);
    default: return combine(e, code, kind, x[0], x[1]);
  }
}

}  // namespace

Value* combine(Emitter& e, OpCode code, TypeKind kind, Value* a, Value* b) {
  switch (code) {
    case OpCode::add: return is_float(kind) ? e.b.CreateFAdd(a, b) : e.b.CreateAdd(a, b);
    case OpCode::sub: return is_float(kind) ? e.b.CreateFSub(a, b) : e.b.CreateSub(a, b);
    case OpCode::mul: return is_float(kind) ? e.b.CreateFMul(a, b) : e.b.CreateMul(a, b);
    case OpCode::min:
    case OpCode::max: return extremum(e, code, kind, a, b);
    case OpCode::and_: return e.b.CreateAnd(a, b);
    case OpCode::or_: return e.b.CreateOr(a, b);
    case OpCode::xor_: return e.b.CreateXor(a, b);
    default: WEFT_UNREACHABLE("{} combines no two values", ir::info(code).text);
  }
}

void lower_arith(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  const TypeKind kind = e.scalar_kind(op.type);
  e.componentwise(op, [&](Operands x) { return arithmetic(e, op.code, kind, x); });
}

}  // namespace weft::lower
