#include "codegen/lower/half.h"

namespace weft::lower {

namespace {

using llvm::Value;

Value* widened(Emitter& e, Value* half) {
  return e.b.CreateFPExt(half, half->getType()->getWithNewType(e.b.getFloatTy()));
}
Value* narrowed(Emitter& e, Value* wide) {
  return e.b.CreateFPTrunc(wide, wide->getType()->getWithNewType(e.b.getHalfTy()));
}

// An exact value, given as the f32 nearest to it and the sign and inexactness of exact - nearest, rounded to odd:
// itself if it is an f32, else of the two f32 around it the one with an odd significand. Rounding that once more, to a
// format of at most 22 bits, gives what rounding the exact value would have given (Boldo, Melquiond, "When double
// rounding is odd"). In bits, of any sign: nearest - 1 is the f32 before it in magnitude; of the f32 around the exact
// value the one of smaller magnitude, with its lowest bit set, is the odd one.
Value* rounded_to_odd(Emitter& e, Value* nearest, Value* error) {
  llvm::Type* integer = nearest->getType()->getWithNewType(e.b.getInt32Ty());
  Value* none = e.zero(error->getType());
  Value* bits = e.b.CreateBitCast(nearest, integer);
  Value* beyond = e.b.CreateXor(e.b.CreateFCmpOLT(error, none), e.b.CreateICmpSLT(bits, e.zero(integer)));
  Value* toward_zero = e.b.CreateSelect(beyond, e.b.CreateSub(bits, llvm::ConstantInt::get(integer, 1)), bits);
  Value* odd = e.b.CreateOr(toward_zero, llvm::ConstantInt::get(integer, 1));
  Value* inexact = e.b.CreateFCmpONE(error, none);  // not of a NaN, the error of infinities and NaN
  return e.b.CreateSelect(inexact, e.b.CreateBitCast(odd, nearest->getType()), nearest);
}

}  // namespace

Value* through_f32(Emitter& e, llvm::ArrayRef<Value*> operands, const Emitter::Make& make) {
  llvm::SmallVector<Value*, 4> wide;
  for (Value* operand : operands) {
    wide.push_back(operand->getType()->getScalarType()->isHalfTy() ? widened(e, operand) : operand);
  }
  Value* result = make(wide);
  return result->getType()->getScalarType()->isFloatTy() ? narrowed(e, result) : result;
}

Value* f64_to_f16(Emitter& e, Value* value) {
  const llvm::IRBuilderBase::FastMathFlagGuard guard(e.b);
  e.b.clearFastMathFlags();
  Value* nearest = e.b.CreateFPTrunc(value, value->getType()->getWithNewType(e.b.getFloatTy()));
  Value* error = e.b.CreateFSub(value, e.b.CreateFPExt(nearest, value->getType()));
  return narrowed(e, rounded_to_odd(e, nearest, error));
}

// The product is exact in f32; the error of the sum is that of Knuth's two-sum.
Value* fma_f16(Emitter& e, llvm::ArrayRef<Value*> operands) {
  const llvm::IRBuilderBase::FastMathFlagGuard guard(e.b);
  e.b.clearFastMathFlags();
  return through_f32(e, operands, [&](llvm::ArrayRef<Value*> x) {
    Value* product = e.b.CreateFMul(x[0], x[1]);
    Value* sum = e.b.CreateFAdd(product, x[2]);
    Value* added = e.b.CreateFSub(sum, product);
    Value* product_error = e.b.CreateFSub(product, e.b.CreateFSub(sum, added));
    Value* error = e.b.CreateFAdd(product_error, e.b.CreateFSub(x[2], added));
    return rounded_to_odd(e, sum, error);
  });
}

}  // namespace weft::lower
