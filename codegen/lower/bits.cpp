// The family bits. Amounts of shifts are taken modulo the width before LLVM sees them, as it leaves others undefined;
// its funnel shifts take them so themselves.
#include "codegen/lower/arith.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::Value;

Value* shifted(Emitter& e, OpCode code, TypeKind kind, Value* a, Value* b) {
  Value* amount = e.b.CreateAnd(b, llvm::ConstantInt::get(b->getType(), ir::scalar_bits(kind) - 1));
  if (code == OpCode::shl) {
    return e.b.CreateShl(a, amount);
  }
  return is_signed(kind) ? e.b.CreateAShr(a, amount) : e.b.CreateLShr(a, amount);
}

Value* rotated(Emitter& e, OpCode code, Value* a, Value* b) {
  const auto id = code == OpCode::rotl ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr;
  return e.b.CreateIntrinsic(id, {a->getType()}, {a, a, b});
}

Value* bitwise(Emitter& e, OpCode code, TypeKind kind, llvm::ArrayRef<Value*> x) {
  switch (code) {
    case OpCode::not_: return e.b.CreateNot(x[0]);
    case OpCode::shl:
    case OpCode::shr: return shifted(e, code, kind, x[0], x[1]);
    case OpCode::rotl:
    case OpCode::rotr: return rotated(e, code, x[0], x[1]);
    case OpCode::clz: return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x[0], e.b.getFalse());
    case OpCode::ctz: return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x[0], e.b.getFalse());
    case OpCode::popcount: return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x[0]);
    case OpCode::reverse_bits: return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x[0]);
    default: return combine(e, code, kind, x[0], x[1]);
  }
}

}  // namespace

void lower_bits(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  const TypeKind kind = e.scalar_kind(op.type);
  e.componentwise(op, [&](llvm::ArrayRef<Value*> x) { return bitwise(e, op.code, kind, x); });
}

}  // namespace weft::lower
