// The family compare.
#include "codegen/lower/compare.h"

#include "codegen/lower/arith.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::CmpInst;
using llvm::Value;

struct Predicates {
  CmpInst::Predicate floats;
  CmpInst::Predicate signed_integers;
  CmpInst::Predicate others;
};

Predicates predicates(OpCode code) {
  switch (code) {
    case OpCode::eq: return {CmpInst::FCMP_OEQ, CmpInst::ICMP_EQ, CmpInst::ICMP_EQ};
    case OpCode::ne: return {CmpInst::FCMP_UNE, CmpInst::ICMP_NE, CmpInst::ICMP_NE};
    case OpCode::lt: return {CmpInst::FCMP_OLT, CmpInst::ICMP_SLT, CmpInst::ICMP_ULT};
    case OpCode::le: return {CmpInst::FCMP_OLE, CmpInst::ICMP_SLE, CmpInst::ICMP_ULE};
    case OpCode::gt: return {CmpInst::FCMP_OGT, CmpInst::ICMP_SGT, CmpInst::ICMP_UGT};
    case OpCode::ge: return {CmpInst::FCMP_OGE, CmpInst::ICMP_SGE, CmpInst::ICMP_UGE};
    default: WEFT_UNREACHABLE("{} is no comparison", ir::info(code).text);
  }
}

// Tests of the bits: fast math may not reason about them.
Value* classified(Emitter& e, OpCode code, TypeKind kind, Value* a) {
  llvm::Type* integer = a->getType()->getWithNewType(e.b.getIntNTy(ir::scalar_bits(kind)));
  const llvm::APInt infinity = llvm::APFloat::getInf(a->getType()->getScalarType()->getFltSemantics()).bitcastToAPInt();
  const llvm::APInt magnitude = llvm::APInt::getSignedMaxValue(ir::scalar_bits(kind));
  Value* bits = e.b.CreateAnd(e.b.CreateBitCast(a, integer), llvm::ConstantInt::get(integer, magnitude));
  const CmpInst::Predicate predicate = code == OpCode::is_nan   ? CmpInst::ICMP_UGT
                                       : code == OpCode::is_inf ? CmpInst::ICMP_EQ
                                                                : CmpInst::ICMP_ULT;
  return e.b.CreateICmp(predicate, bits, llvm::ConstantInt::get(integer, infinity));
}

}  // namespace

Value* compare(Emitter& e, OpCode code, TypeKind kind, Value* a, Value* b) {
  const Predicates p = predicates(code);
  return e.b.CreateCmp(is_float(kind) ? p.floats : is_signed(kind) ? p.signed_integers : p.others, a, b);
}

void lower_compare(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  const auto kind = [&] { return e.scalar_kind(e.f.type(e.f.operand(op, 0))); };
  switch (op.code) {
    case OpCode::select:
      e.componentwise(op, [&](llvm::ArrayRef<Value*> x) { return e.b.CreateSelect(x[0], x[1], x[2]); });
      break;
    case OpCode::is_nan:
    case OpCode::is_inf:
    case OpCode::is_finite:
      e.componentwise(op, [&](llvm::ArrayRef<Value*> x) { return classified(e, op.code, kind(), x[0]); });
      break;
    default: e.componentwise(op, [&](llvm::ArrayRef<Value*> x) { return compare(e, op.code, kind(), x[0], x[1]); });
  }
}

}  // namespace weft::lower
