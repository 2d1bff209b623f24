#include "codegen/lower/wait.h"

#include "codegen/lower/access.h"
#include "codegen/lower/address.h"
#include "codegen/lower/arith.h"
#include "codegen/lower/atomic_access.h"
#include "codegen/lower/context.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/report.h"
#include "codegen/lower/scratch.h"

namespace weft::lower {

namespace {

using ir::TypeKind;
using llvm::Value;

void store_in_wait(Emitter& e, std::size_t field, Value* value) {
  store_context(e.b, offsetof(abi::BlockContext, wait) + field, value);
}

abi::CounterType counter_type(TypeKind kind) {
  if (ir::scalar_bits(kind) == 32) {
    return is_signed(kind) ? abi::CounterType::i32 : abi::CounterType::u32;
  }
  return is_signed(kind) ? abi::CounterType::i64 : abi::CounterType::u64;
}

// One wait:
//
//   while (some active lane's counter is below its value) { tell of one such lane; suspend; }
class WaitLowering {
 public:
  WaitLowering(Emitter& e, ir::OpId id)
      : e_(e),
        id_(id),
        place_(e.place(e.f.operand(e.f.op(id), 0))),
        kind_(e.scalar_kind(place_.type)),
        value_(e.leaf(e.f.operand(e.f.op(id), 1))),
        site_(site(e, id, abi::SiteKind::wait)) {}

  void run() {
    const bool once = is_uniform(place_) && value_.shape.is_uniform() && !is_pack(place_.valid);
    if (!once) {
      addresses_ = {addresses(e_, place_), passes::kVarying};
    }
    llvm::BasicBlock* head = e_.block("wait.test");
    llvm::BasicBlock* waits = e_.block("wait");
    llvm::BasicBlock* after = e_.block("wait.over");
    e_.branch_to(head);
    e_.b.CreateCondBr(once ? test_once() : test_lanes(), waits, after);
    e_.b.SetInsertPoint(waits);
    emit_suspend(e_, id_, abi::PackState::waits);
    e_.b.CreateBr(head);
    e_.b.SetInsertPoint(after);
  }

 private:
  [[nodiscard]] static bool is_pack(const Value* value) { return value != nullptr && value->getType()->isVectorTy(); }

  // Whether a lane has to wait; then it is told of.
  Value* test(Value* lane, Value* address, Value* valid, Value* value) {
    Value* read = valid != nullptr ? e_.b.CreateSelect(valid, address, zeros(e_)) : address;
    Value* counter = access(e_, {ir::OpCode::atomic_load, kind_, false}, read, {});
    Value* waits = is_signed(kind_) ? e_.b.CreateICmpSLT(counter, value) : e_.b.CreateICmpULT(counter, value);
    e_.emit_if(waits, [&] {
      Value* null = llvm::ConstantPointerNull::get(e_.b.getPtrTy());
      tell(lane, valid != nullptr ? e_.b.CreateSelect(valid, address, null) : address, value);
    });
    return waits;
  }

  void tell(Value* lane, Value* address, Value* value) {
    llvm::Type* wide = e_.b.getInt64Ty();
    store_in_wait(e_, offsetof(abi::Wait, counter), address);
    store_in_wait(e_, offsetof(abi::Wait, value),
                  is_signed(kind_) ? e_.b.CreateSExt(value, wide) : e_.b.CreateZExt(value, wide));
    store_in_wait(e_, offsetof(abi::Wait, type), e_.b.getInt32(static_cast<std::uint32_t>(counter_type(kind_))));
    store_in_wait(e_, offsetof(abi::Wait, lane),
                  e_.b.CreateAdd(context_value(e_.b, ContextValue::first_lane, e_.b.getInt32Ty()), lane));
    store_in_wait(e_, offsetof(abi::Wait, site), e_.b.getInt32(site_));
  }

  Value* test_once() { return test(first_active(), place_.base, place_.valid, value_.value); }

  Value* first_active() {
    if (e_.width == 1 || e_.mask() == nullptr) {
      return e_.b.getInt32(0);
    }
    Value* bits = e_.b.CreateZExt(e_.bits_of(e_.mask()), e_.b.getInt32Ty());
    return e_.b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, e_.b.getFalse());
  }

  Value* test_lanes() {
    Scratch some(e_, e_.b.getInt1Ty(), "waits");
    some.store(e_.b.getFalse());
    e_.for_each_lane(e_.mask(), [&](Value* lane) {
      Value* valid = is_pack(place_.valid) ? e_.b.CreateExtractElement(place_.valid, lane) : place_.valid;
      some.store(e_.b.CreateOr(some.load(), test(lane, e_.lane_of(addresses_, lane), valid, e_.lane_of(value_, lane))));
    });
    return some.load();
  }

  Emitter& e_;
  const ir::OpId id_;
  const Place place_;
  const TypeKind kind_;
  const Leaf value_;
  const std::uint32_t site_;
  Leaf addresses_;
};

}  // namespace

void lower_grid_sync(Emitter& e, ir::OpId id) {
  const std::uint32_t index = site(e, id, abi::SiteKind::wait);
  store_in_wait(e, offsetof(abi::Wait, grid_site), e.b.getInt32(index));
  emit_suspend(e, id, abi::PackState::at_grid_barrier);
}

void lower_wait_until(Emitter& e, ir::OpId id) { WaitLowering(e, id).run(); }

}  // namespace weft::lower
