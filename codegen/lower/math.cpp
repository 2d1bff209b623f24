// The family math: a few ops are instructions, the rest functions of the device library. f16 is computed as f32.
#include "runtime/device_lib/math.h"
#include "codegen/lower/arith.h"
#include "codegen/lower/device_call.h"
#include "codegen/lower/half.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::Value;
using Operands = llvm::ArrayRef<Value*>;

// LLVM's optimiser would narrow f16(floor(f32(x))) to a floor of halves, which its code generator takes apart lane by
// lane: the fence keeps it from doing so.
Value* to_integral(Emitter& e, llvm::Intrinsic::ID id, TypeKind kind, Value* a) {
  if (kind != TypeKind::f16) {
    return e.b.CreateUnaryIntrinsic(id, a);
  }
  return through_f32(e, {a}, [&](Operands x) {
    return e.b.CreateUnaryIntrinsic(id, e.b.CreateArithmeticFence(x[0], x[0]->getType()));
  });
}

Value* square_root(Emitter& e, TypeKind kind, Value* a) {
  const auto root = [&](Operands x) { return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x[0]); };
  return kind == TypeKind::f16 ? through_f32(e, {a}, root) : root({a});
}

// The device library's function for an op, in fast math its fast variant where there is one.
std::string function_name(const Emitter& e, OpCode code, TypeKind kind) {
  const std::string name(ir::info(code).text);
  const device_lib::MathFunction* function = device_lib::find_math(name);
  WEFT_CHECK(function != nullptr, "the device library has no {}", name);
  const bool has_fast = kind == TypeKind::f32 ? function->has_fast_f32() : function->has_fast_f64();
  return e.plan.math == ir::MathMode::fast && has_fast ? "fast_" + name : name;
}

Value* device(Emitter& e, const ir::Op& op, TypeKind kind, Operands x) {
  if (kind == TypeKind::f16) {
    return through_f32(e, x, [&](Operands wide) { return device(e, op, TypeKind::f32, wide); });
  }
  llvm::Type* result = op.code == OpCode::frexp_exponent ? e.b.getInt32Ty() : e.scalar_type(kind);
  return call_device(e, function_name(e, op.code, kind), kind, x, result);
}

Value* mathematical(Emitter& e, const ir::Op& op, TypeKind kind, Operands x) {
  switch (op.code) {
    case OpCode::sqrt: return square_root(e, kind, x[0]);
    case OpCode::rsqrt: return e.b.CreateFDiv(llvm::ConstantFP::get(x[0]->getType(), 1), square_root(e, kind, x[0]));
    case OpCode::floor: return to_integral(e, llvm::Intrinsic::floor, kind, x[0]);
    case OpCode::ceil: return to_integral(e, llvm::Intrinsic::ceil, kind, x[0]);
    case OpCode::trunc: return to_integral(e, llvm::Intrinsic::trunc, kind, x[0]);
    case OpCode::round: return to_integral(e, llvm::Intrinsic::round, kind, x[0]);
    case OpCode::rint: return to_integral(e, llvm::Intrinsic::roundeven, kind, x[0]);
    case OpCode::copysign: return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x[0], x[1]);
    default: return device(e, op, kind, x);
  }
}

}  // namespace

void lower_math(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  const TypeKind kind = e.scalar_kind(e.f.type(e.f.operand(op, 0)));
  e.componentwise(op, [&](Operands x) { return mathematical(e, op, kind, x); });
}

}  // namespace weft::lower
