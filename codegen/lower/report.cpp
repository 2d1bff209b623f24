#include "codegen/lower/report.h"

#include "codegen/lower/context.h"

namespace weft::lower {

using ir::Op;
using ir::OpId;
using ir::TypeKind;

namespace {

llvm::FunctionCallee helper(Emitter& e, const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::FunctionCallee callee = e.out.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

llvm::Value* kernel_info(Emitter& e) { return e.out.getOrInsertGlobal(abi::kInfoSymbol, e.b.getInt8Ty()); }
llvm::Value* block_context(Emitter& e) { return context_value(e.b, ContextValue::block_context, e.b.getPtrTy()); }

llvm::Value* lane_in_block(Emitter& e, llvm::Value* lane) {
  return e.b.CreateAdd(context_value(e.b, ContextValue::first_lane, e.b.getInt32Ty()), lane);
}

// Reports the first of the lanes in the mask, which is not empty, and ends the pack's run: the dispatch is to stop.
void fault(Emitter& e, std::uint32_t site_index, llvm::Value* mask) {
  llvm::Value* lane = e.b.getInt32(0);
  if (e.width > 1 && mask != nullptr) {
    llvm::Value* bits = e.b.CreateZExt(e.bits_of(mask), e.b.getInt32Ty());
    lane = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, e.b.getFalse());
  }
  llvm::Type* ptr = e.b.getPtrTy();
  llvm::Type* word = e.b.getInt32Ty();
  e.b.CreateCall(helper(e, "weft_report_fault", e.b.getVoidTy(), {ptr, ptr, word, word}),
                 {block_context(e), kernel_info(e), e.b.getInt32(site_index), lane_in_block(e, lane)});
  e.b.CreateBr(e.exit);
  e.start_dead_block();
}

// The bits of a value in a slot of 8 bytes.
llvm::Value* slot_bits(Emitter& e, llvm::Value* value) {
  llvm::Type* type = value->getType();
  if (type->isFloatingPointTy()) {
    value = e.b.CreateBitCast(value, e.b.getIntNTy(type->getScalarSizeInBits()));
  }
  return e.b.CreateZExt(value, e.b.getInt64Ty());
}

}  // namespace

std::uint32_t site(Emitter& e, OpId id, abi::SiteKind kind, std::string value_types) {
  const auto [it, inserted] = e.plan.site_of_op.try_emplace(id, static_cast<std::uint32_t>(e.plan.sites.size()));
  if (inserted) {
    const Op& op = e.f.op(id);
    const ir::OpInfo& info = ir::info(op.code);
    const std::string_view text = info.immediate == ir::Immediate::text ? e.in.string(ir::StringId(op.imm)) : info.text;
    e.plan.sites.push_back({kind, std::string(text), std::move(value_types), op.location});
  }
  return it->second;
}

void lower_assert(Emitter& e, OpId id) {
  const Leaf holds = e.leaf(e.f.operand(e.f.op(id), 0));
  llvm::Value* fails = e.b.CreateNot(holds.value);
  llvm::Value* mask = e.both(e.mask(), fails);
  const std::uint32_t index = site(e, id, abi::SiteKind::assertion);
  e.emit_if(e.any(mask), [&] { fault(e, index, mask->getType()->isVectorTy() ? mask : e.mask()); });
}

void lower_unreachable(Emitter& e, OpId id) {
  const std::uint32_t index = site(e, id, abi::SiteKind::unreachable);
  e.emit_if(e.any(e.mask()), [&] { fault(e, index, e.mask()); });
}

void lower_print(Emitter& e, OpId id) {
  const Op& op = e.f.op(id);
  std::string types;
  std::vector<Leaf> values;
  for (const ir::ValueId v : e.f.operands(op)) {
    for (const TypeKind kind : e.leaf_kinds(e.f.type(v))) {
      types += ir::scalar_letter(kind);
    }
    const auto leaves = e.leaves(v);
    values.insert(values.end(), leaves.begin(), leaves.end());
  }
  e.note(RemarkKind::lane_print);
  const std::uint32_t index = site(e, id, abi::SiteKind::print, types);
  llvm::Type* ptr = e.b.getPtrTy();
  llvm::Type* word = e.b.getInt32Ty();
  auto* slots_type = llvm::ArrayType::get(e.b.getInt64Ty(), std::max<std::size_t>(values.size(), 1));
  llvm::AllocaInst* slots = e.variable(slots_type, "printed");
  e.for_each_lane(e.mask(), [&](llvm::Value* lane) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      llvm::Value* to = e.b.CreateConstGEP1_64(e.b.getInt64Ty(), slots, i);
      e.b.CreateStore(slot_bits(e, e.lane_of(values[i], lane)), to);
    }
    e.b.CreateCall(helper(e, "weft_print", e.b.getVoidTy(), {ptr, ptr, word, word, ptr}),
                   {block_context(e), kernel_info(e), e.b.getInt32(index), lane_in_block(e, lane), slots});
  });
}

void lower_clock(Emitter& e, const Op& op) {
  llvm::Value* now = e.b.CreateCall(helper(e, "weft_clock", e.b.getInt64Ty(), {}));
  e.define(op, {e.width > 1 && !e.shapes.of(op.result)[0].is_uniform() ? e.splat(now) : now});
}

}  // namespace weft::lower
