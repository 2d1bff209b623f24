// Places in block and grid, and barriers.
#include "codegen/lower/context.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/lane_ids.h"
#include "codegen/lower/wait.h"
#include "runtime/support/check.h"

namespace weft::lower {

using ir::Op;
using ir::OpCode;

namespace {

llvm::Value* word(Emitter& e, ContextValue value, std::uint64_t dimension = 0) {
  return context_value(e.b, value + dimension, e.b.getInt32Ty());
}

llvm::Value* thread_id(Emitter& e, const Op& op) {
  llvm::Value* first_lane = word(e, ContextValue::first_lane);
  return e.is_scalar(e.shapes.of(op.result)[0]) ? scalar_thread_id(e.b, e.f, first_lane, op.imm)
                                                : vector_thread_id(e.b, e.f, first_lane, e.width, op.imm);
}

llvm::Value* dispatch_id(Emitter& e, const Op& op) {
  llvm::Value* extent = e.b.getInt32(e.f.attributes.block_size[op.imm]);
  llvm::Value* start = e.b.CreateMul(word(e, ContextValue::block_id_x, op.imm), extent);
  llvm::Value* within = thread_id(e, op);
  return e.b.CreateAdd(within->getType()->isVectorTy() ? e.splat(start) : start, within);
}

}  // namespace

void lower_group(Emitter& e, ir::OpId id) {
  const Op& op = e.f.op(id);
  switch (op.code) {
    case OpCode::thread_id: return e.define(op, {thread_id(e, op)});
    case OpCode::dispatch_id: return e.define(op, {dispatch_id(e, op)});
    case OpCode::block_id: return e.define(op, {word(e, ContextValue::block_id_x, op.imm)});
    case OpCode::grid_size: return e.define(op, {word(e, ContextValue::grid_size_x, op.imm)});
    case OpCode::dispatch_size: return e.define(op, {word(e, ContextValue::dispatch_size_x, op.imm)});
    case OpCode::block_size: return e.define(op, {e.b.getInt32(e.f.attributes.block_size[op.imm])});
    case OpCode::kernel_id: return e.define(op, {word(e, ContextValue::kernel_id)});
    case OpCode::barrier:
      // A block of one pack waits for nobody: its lanes are at the barrier together.
      if (e.coroutine != nullptr && e.plan.pack_count(e.f) > 1) {
        emit_suspend(e, id, abi::PackState::at_block_barrier);
      } else {
        e.note(RemarkKind::no_suspend);
      }
      return;
    case OpCode::grid_sync: return lower_grid_sync(e, id);
    case OpCode::wait_until: return lower_wait_until(e, id);
    default: WEFT_UNREACHABLE("{} is no op of the group family", ir::info(op.code).text);
  }
}

}  // namespace weft::lower
