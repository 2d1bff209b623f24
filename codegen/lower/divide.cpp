#include "codegen/lower/divide.h"

#include <llvm/IR/PatternMatch.h>

#include "codegen/lower/device_call.h"

namespace weft::lower {

namespace {

using ir::TypeKind;
using llvm::Value;

class Division {
 public:
  Division(Emitter& e, ir::OpCode code, TypeKind kind)
      : e_(e),
        kind_(kind),
        signed_(ir::scalar_category(kind) == ir::ScalarCategory::signed_integer),
        remainder_(code == ir::OpCode::rem) {}

  // LLVM makes multiplications of it.
  Value* by_constant(Value* a, Value* b, const llvm::APInt& divisor) {
    if (divisor.isZero()) {
      return remainder_ ? e_.zero(a->getType()) : a;
    }
    if (signed_ && divisor.isAllOnes()) {
      return remainder_ ? e_.zero(a->getType()) : e_.b.CreateNeg(a);
    }
    return divide(a, b);
  }

  // By 1 instead wherever the machine would trap: that gives the quotient and remainder that are wanted.
  Value* of_scalars(Value* a, Value* b) {
    llvm::Type* type = a->getType();
    Value* traps = e_.b.CreateICmpEQ(b, e_.zero(type));
    if (signed_) {
      Value* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
      Value* overflows =
          e_.b.CreateAnd(e_.b.CreateICmpEQ(a, least), e_.b.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type)));
      traps = e_.b.CreateOr(traps, overflows);
    }
    return divide(a, e_.b.CreateSelect(traps, llvm::ConstantInt::get(type, 1), b));
  }

  // By the device library, which has it for 32 and 64 bits.
  Value* of_packs(Value* a, Value* b) {
    const bool narrow = ir::scalar_bits(kind_) < 32;
    const TypeKind word = signed_ ? TypeKind::i32 : TypeKind::u32;
    llvm::Type* type = a->getType();
    llvm::Type* wide = narrow ? type->getWithNewType(e_.b.getInt32Ty()) : type;
    const char* name = signed_ ? (remainder_ ? "srem" : "sdiv") : (remainder_ ? "urem" : "udiv");
    Value* result = call_device(e_, name, narrow ? word : kind_,
                                {e_.b.CreateIntCast(a, wide, signed_), e_.b.CreateIntCast(b, wide, signed_)},
                                wide->getScalarType());
    return e_.b.CreateTrunc(result, type);
  }

 private:
  Value* divide(Value* a, Value* b) {
    if (signed_) {
      return remainder_ ? e_.b.CreateSRem(a, b) : e_.b.CreateSDiv(a, b);
    }
    return remainder_ ? e_.b.CreateURem(a, b) : e_.b.CreateUDiv(a, b);
  }

  Emitter& e_;
  TypeKind kind_;
  bool signed_;
  bool remainder_;
};

}  // namespace

Value* divide(Emitter& e, ir::OpCode code, TypeKind kind, Value* a, Value* b) {
  Division division(e, code, kind);
  const llvm::APInt* divisor = nullptr;
  if (llvm::PatternMatch::match(b, llvm::PatternMatch::m_APInt(divisor))) {
    return division.by_constant(a, b, *divisor);
  }
  return a->getType()->isVectorTy() ? division.of_packs(a, b) : division.of_scalars(a, b);
}

}  // namespace weft::lower
