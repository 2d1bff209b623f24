#include "codegen/lower/atomic_access.h"

#include "codegen/lower/arith.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;
using llvm::Value;
using Operands = llvm::ArrayRef<Value*>;

llvm::Align natural_align(TypeKind kind) { return llvm::Align(ir::scalar_bits(kind) / 8); }

Value* stored_value(Emitter& e, const AtomicAccess& how, Value* before, Operands operands) {
  if (const auto op = combining_op(how.code)) {
    return combine(e, *op, how.kind, before, operands[0]);
  }
  return how.code == OpCode::atomic_compare_exchange
             ? e.b.CreateSelect(e.b.CreateICmpEQ(before, operands[0]), operands[1], before)
             : operands[0];
}

Value* plain(Emitter& e, const AtomicAccess& how, Value* address, Operands operands) {
  const llvm::Align align = natural_align(how.kind);
  Value* before = nullptr;
  if (how.code != OpCode::atomic_store) {
    before = e.b.CreateAlignedLoad(e.scalar_type(how.kind), address, align);
  }
  if (how.code != OpCode::atomic_load) {
    e.b.CreateAlignedStore(stored_value(e, how, before, operands), address, align);
  }
  return before;
}

// Float min and max, which the target has no instruction for, and LLVM none that means the same:
//   before = load(address)
//   do { after = combine(before, operand) } while (!compare_exchange(address, before, after))
Value* exchange_loop(Emitter& e, const AtomicAccess& how, Value* address, Value* operand) {
  const llvm::Align align = natural_align(how.kind);
  llvm::Type* floats = e.scalar_type(how.kind);
  llvm::Type* bits = e.b.getIntNTy(ir::scalar_bits(how.kind));
  llvm::LoadInst* first = e.b.CreateAlignedLoad(bits, address, align);
  first->setAtomic(AtomicOrdering::Monotonic);
  llvm::BasicBlock* before = e.b.GetInsertBlock();
  llvm::BasicBlock* loop = e.block("atomic");
  e.branch_to(loop);
  llvm::PHINode* expected = e.b.CreatePHI(bits, 2);
  expected->addIncoming(first, before);
  Value* current = e.b.CreateBitCast(expected, floats);
  Value* after = e.b.CreateBitCast(combine(e, *combining_op(how.code), how.kind, current, operand), bits);
  Value* exchanged =
      e.b.CreateAtomicCmpXchg(address, expected, after, align, AtomicOrdering::AcquireRelease, AtomicOrdering::Acquire);
  expected->addIncoming(e.b.CreateExtractValue(exchanged, 0), loop);
  llvm::BasicBlock* done = e.block("atomic.done");
  e.b.CreateCondBr(e.b.CreateExtractValue(exchanged, 1), done, loop);
  e.b.SetInsertPoint(done);
  return current;
}

AtomicRMWInst::BinOp instruction(const AtomicAccess& how) {
  switch (how.code) {
    case OpCode::atomic_exchange: return AtomicRMWInst::Xchg;
    case OpCode::atomic_add: return is_float(how.kind) ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
    case OpCode::atomic_sub: return AtomicRMWInst::Sub;
    case OpCode::atomic_and: return AtomicRMWInst::And;
    case OpCode::atomic_or: return AtomicRMWInst::Or;
    case OpCode::atomic_xor: return AtomicRMWInst::Xor;
    case OpCode::atomic_min: return is_signed(how.kind) ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
    case OpCode::atomic_max: return is_signed(how.kind) ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
    default: WEFT_UNREACHABLE("{} changes no number", ir::info(how.code).text);
  }
}

Value* real(Emitter& e, const AtomicAccess& how, Value* address, Operands operands) {
  const llvm::Align align = natural_align(how.kind);
  switch (how.code) {
    case OpCode::atomic_load: {
      llvm::LoadInst* load = e.b.CreateAlignedLoad(e.scalar_type(how.kind), address, align);
      load->setAtomic(AtomicOrdering::Acquire);
      return load;
    }
    case OpCode::atomic_store:
      e.b.CreateAlignedStore(operands[0], address, align)->setAtomic(AtomicOrdering::Release);
      return nullptr;
    case OpCode::atomic_compare_exchange: {
      Value* exchanged = e.b.CreateAtomicCmpXchg(address, operands[0], operands[1], align,
                                                 AtomicOrdering::AcquireRelease, AtomicOrdering::Acquire);
      return e.b.CreateExtractValue(exchanged, 0);
    }
    case OpCode::atomic_min:
    case OpCode::atomic_max:
      if (is_float(how.kind)) {
        return exchange_loop(e, how, address, operands[0]);
      }
      [[fallthrough]];
    default: return e.b.CreateAtomicRMW(instruction(how), address, operands[0], align, AtomicOrdering::AcquireRelease);
  }
}

}  // namespace

std::optional<OpCode> combining_op(OpCode atomic) {
  switch (atomic) {
    case OpCode::atomic_add: return OpCode::add;
    case OpCode::atomic_sub: return OpCode::sub;
    case OpCode::atomic_and: return OpCode::and_;
    case OpCode::atomic_or: return OpCode::or_;
    case OpCode::atomic_xor: return OpCode::xor_;
    case OpCode::atomic_min: return OpCode::min;
    case OpCode::atomic_max: return OpCode::max;
    default: return std::nullopt;
  }
}

Value* access(Emitter& e, const AtomicAccess& how, Value* address, Operands operands) {
  return how.is_shared ? plain(e, how, address, operands) : real(e, how, address, operands);
}

}  // namespace weft::lower
