#include "codegen/lower/emitter.h"

#include <llvm/IR/Constants.h>

#include "codegen/lower/constant.h"
#include "codegen/lower/context.h"
#include "codegen/lower/debug_info.h"
#include "codegen/passes/slots.h"
#include "runtime/support/check.h"

namespace weft::lower {

using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;

Emitter::Emitter(llvm::Module& llvm_module, ir::Module& module, const ir::Function& source,
                 const passes::Shapes& value_shapes, KernelPlan& kernel_plan)
    : out(llvm_module),
      in(module),
      f(source),
      shapes(value_shapes),
      plan(kernel_plan),
      width(kernel_plan.width),
      b(llvm_module.getContext()),
      ranges(module, source, value_shapes),
      values_(source.value_count()) {
  if (plan.math == ir::MathMode::fast) {
    llvm::FastMathFlags flags;
    flags.setFast();
    // Infinities and NaN stay values that kernels test for; only their propagation is approximate.
    flags.setNoNaNs(false);
    flags.setNoInfs(false);
    b.setFastMathFlags(flags);
  }
}

llvm::Type* Emitter::scalar_type(TypeKind kind) {
  switch (kind) {
    case TypeKind::boolean: return b.getInt1Ty();
    case TypeKind::f16: return b.getHalfTy();
    case TypeKind::f32: return b.getFloatTy();
    case TypeKind::f64: return b.getDoubleTy();
    default: return b.getIntNTy(ir::scalar_bits(kind));
  }
}

llvm::Type* Emitter::memory_type(TypeKind kind) {
  return kind == TypeKind::boolean ? b.getInt8Ty() : scalar_type(kind);
}

llvm::Type* Emitter::pack_type(llvm::Type* scalar) const {
  return width == 1 ? scalar : llvm::FixedVectorType::get(scalar, width);
}

const std::vector<TypeKind>& Emitter::leaf_kinds(TypeId type) {
  if (const auto it = kinds_.find(type); it != kinds_.end()) {
    return it->second;
  }
  std::vector<TypeKind> kinds;
  if (ir::is_scalar(in.types[type].kind)) {
    kinds.push_back(in.types[type].kind);
  } else {
    for (std::uint64_t i = 0; i < in.types.part_count(type); ++i) {
      const auto part = leaf_kinds(in.types.part(type, i));
      kinds.insert(kinds.end(), part.begin(), part.end());
    }
  }
  return kinds_[type] = std::move(kinds);
}

const std::vector<std::uint32_t>& Emitter::leaf_slots(TypeId type) {
  if (const auto it = slots_.find(type); it != slots_.end()) {
    return it->second;
  }
  std::vector<std::uint32_t> slots;
  if (ir::is_scalar(in.types[type].kind)) {
    slots.push_back(0);
  } else {
    for (std::uint64_t i = 0; i < in.types.part_count(type); ++i) {
      const std::uint32_t first = passes::slot_of_part(in.types, type, i);
      const auto part = leaf_slots(in.types.part(type, i));
      for (const std::uint32_t slot : part) {
        slots.push_back(first + slot);
      }
    }
  }
  return slots_[type] = std::move(slots);
}

std::uint32_t Emitter::leaf_of_part(TypeId aggregate, std::uint64_t index) {
  std::uint32_t leaf = 0;
  if (in.types[aggregate].kind != TypeKind::structure) {
    return in.types[in.types.part(aggregate, 0)].leaf_count * static_cast<std::uint32_t>(index);
  }
  for (std::uint64_t i = 0; i < index; ++i) {
    leaf += in.types[in.types.part(aggregate, i)].leaf_count;
  }
  return leaf;
}

std::vector<Leaf> Emitter::leaves(ValueId value) {
  const TypeId type = f.type(value);
  const auto& slots = leaf_slots(type);
  auto& emitted = values_[value.index];
  if (emitted.empty() && f.value(value).kind == ir::ValueKind::constant) {
    emitted = constant_leaves(*this, in.constant(ir::ConstantId(f.value(value).index)));
  }
  WEFT_CHECK_EQ(emitted.size(), slots.size(), "leaves of a value of type {}", in.types.text(type));
  std::vector<Leaf> result(emitted.size());
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    result[i] = {emitted[i], shapes.of(value)[slots[i]]};
  }
  return result;
}

Leaf Emitter::leaf(ValueId value, std::size_t index) { return leaves(value)[index]; }

bool Emitter::is_local(ValueId value) const {
  const ir::Op* op = f.definition(value);
  while (op != nullptr && (op->code == ir::OpCode::member || op->code == ir::OpCode::element)) {
    op = f.definition(f.operand(*op, 0));
  }
  return op != nullptr && op->code == ir::OpCode::local;
}

bool Emitter::result_used(ValueId value) {
  if (used_.empty()) {
    used_.resize(f.value_count());
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      for (const ValueId v : f.operands(ir::OpId(i))) {
        used_[v.index] = true;
      }
    }
  }
  return used_[value.index];
}

void Emitter::define(ValueId value, std::vector<llvm::Value*> leaves) {
  if (plan.remarks != nullptr) {
    for (llvm::Value* leaf : leaves) {
      if (llvm::isa<llvm::Instruction>(leaf) && !leaf->hasName()) {
        leaf->setName(kValueName + llvm::Twine(value.index) + ".");
      }
    }
  }
  values_[value.index] = std::move(leaves);
  defined_.push_back(value);
}

void Emitter::begin_function(llvm::Function* next, std::string_view part) {
  function = next;
  if (plan.debug_info != nullptr) {
    plan.debug_info->begin_function(*function, part);
    b.SetCurrentDebugLocation(plan.debug_info->location(*function, f.location));
  }
  loop_masks_.clear();
  function->setDoesNotThrow();
  b.SetInsertPoint(block("entry"));
  for (const ValueId value : defined_) {
    values_[value.index].clear();
  }
  defined_.clear();
  places_.clear();
  locals_.clear();
}

llvm::Value* Emitter::splat(llvm::Value* scalar) { return width == 1 ? scalar : b.CreateVectorSplat(width, scalar); }

llvm::Value* Emitter::iota(llvm::Type* integer) {
  if (width == 1) {
    return zero(integer);
  }
  llvm::SmallVector<llvm::Constant*, 32> lanes;
  for (std::uint32_t i = 0; i < width; ++i) {
    lanes.push_back(llvm::ConstantInt::get(integer, i));
  }
  return llvm::ConstantVector::get(lanes);
}

llvm::Value* Emitter::vector(const Leaf& leaf) {
  if (width == 1 || leaf.value->getType()->isVectorTy()) {
    return leaf.value;
  }
  llvm::Value* base = splat(leaf.value);
  if (leaf.shape.kind != ShapeKind::affine) {
    return base;
  }
  llvm::Type* type = leaf.value->getType();
  llvm::Value* steps = b.CreateMul(iota(type), splat(llvm::ConstantInt::getSigned(type, leaf.shape.stride, true)));
  return b.CreateAdd(base, steps);
}

void Emitter::componentwise(const ir::Op& op, const Make& make) {
  const auto operands = f.operands(op);
  std::vector<std::vector<Leaf>> inputs;
  for (const ValueId v : operands) {
    inputs.push_back(leaves(v));
  }
  const auto result_shapes = shapes.of(op.result);
  const auto& slots = leaf_slots(op.type);
  const std::size_t count = slots.size();
  std::vector<llvm::Value*> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool scalar = is_scalar(result_shapes[slots[i]]);
    llvm::SmallVector<llvm::Value*, 4> arguments;
    for (const auto& input : inputs) {
      const Leaf& leaf = input[std::min(i, input.size() - 1)];
      arguments.push_back(scalar ? leaf.value : vector(leaf));
    }
    result[i] = make(arguments);
  }
  define(op, std::move(result));
}

llvm::Value* Emitter::mask_or_all() { return mask_ != nullptr ? mask_ : llvm::Constant::getAllOnesValue(mask_type()); }

llvm::Value* Emitter::both(llvm::Value* a, llvm::Value* c) {
  if (a == nullptr || c == nullptr) {
    return a == nullptr ? c : a;
  }
  llvm::Value* vector_a = a->getType()->isVectorTy() ? a : splat(a);
  llvm::Value* vector_c = c->getType()->isVectorTy() ? c : splat(c);
  return b.CreateSelect(vector_a, vector_c, zero(vector_c->getType()));
}

llvm::Value* Emitter::without(llvm::Value* a, llvm::Value* c) { return both(a, b.CreateNot(c)); }

llvm::Value* Emitter::bits_of(llvm::Value* mask) {
  return width == 1 ? mask : b.CreateBitCast(mask, b.getIntNTy(width));
}

llvm::Value* Emitter::any(llvm::Value* mask) {
  if (mask == nullptr) {
    return b.getTrue();
  }
  if (!mask->getType()->isVectorTy()) {
    return mask;
  }
  llvm::Value* bits = bits_of(mask);
  return b.CreateICmpNE(bits, zero(bits->getType()));
}

// bits = mask; while (bits != 0) { lane = ctz(bits); body(lane); bits &= bits - 1; }
void Emitter::for_each_lane(llvm::Value* mask, const std::function<void(llvm::Value*)>& body) {
  if (width == 1) {
    if (mask == nullptr) {
      body(b.getInt32(0));
    } else {
      emit_if(mask, [&] { body(b.getInt32(0)); });
    }
    return;
  }
  llvm::Type* word = b.getInt32Ty();
  llvm::Value* active = mask != nullptr ? mask : llvm::Constant::getAllOnesValue(mask_type());
  llvm::Value* start = b.CreateZExt(bits_of(active), word);
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* head = block("lanes");
  llvm::BasicBlock* each = block("lane");
  llvm::BasicBlock* done = block("lanes.done");
  branch_to(head);
  llvm::PHINode* bits = b.CreatePHI(word, 2);
  bits->addIncoming(start, before);
  b.CreateCondBr(b.CreateICmpNE(bits, zero(word)), each, done);
  b.SetInsertPoint(each);
  llvm::Value* lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b.getFalse());
  body(lane);
  bits->addIncoming(b.CreateAnd(bits, b.CreateSub(bits, b.getInt32(1))), b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(done);
}

llvm::Value* Emitter::lane_of(const Leaf& leaf, llvm::Value* lane) {
  if (width == 1 || leaf.shape.kind == ShapeKind::uniform) {
    return leaf.value;
  }
  return b.CreateExtractElement(vector(leaf), lane);
}

void Emitter::branch_to(llvm::BasicBlock* target) {
  b.CreateBr(target);
  b.SetInsertPoint(target);
}

llvm::AllocaInst* Emitter::variable(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  return at.CreateAlloca(type, nullptr, name);
}

llvm::AllocaInst* Emitter::loop_mask(const char* name) {
  llvm::AllocaInst*& mask = loop_masks_[{loops.size(), name}];
  if (mask == nullptr) {
    mask = variable(mask_type(), name);
  }
  return mask;
}

void Emitter::start_dead_block() { b.SetInsertPoint(block("dead")); }

void Emitter::emit_if(llvm::Value* condition, const std::function<void()>& then) {
  llvm::BasicBlock* inside = block("then");
  llvm::BasicBlock* after = block("fi");
  b.CreateCondBr(condition, inside, after);
  b.SetInsertPoint(inside);
  then();
  branch_to(after);
}

// LLVM takes time by the square of a basic block's length, so a long one is cut by a branch around a store whose
// condition, which never holds, LLVM cannot see through. That both ways meet again keeps LLVM from moving what comes
// before the branch behind it.
void Emitter::cut_long_block() {
  constexpr std::uint32_t kMaxOps = 256;
  if (b.GetInsertBlock() != growing_) {
    growing_ = b.GetInsertBlock();
    growing_ops_ = 0;
  }
  if (++growing_ops_ < kMaxOps) {
    return;
  }
  llvm::Value* context = context_value(b, ContextValue::block_context, b.getPtrTy());
  const auto field = [&](std::size_t offset) { return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), context, offset); };
  llvm::Value* id = b.CreateLoad(b.getInt32Ty(), field(offsetof(abi::BlockContext, kernel_id)), /*isVolatile=*/true);
  emit_if(b.CreateICmpEQ(id, b.getInt32(~0U)),
          [&] { b.CreateStore(b.getInt64(0), field(offsetof(abi::BlockContext, dropped)), /*isVolatile=*/true); });
}

void Emitter::lower_op(ir::OpId id) {
  cut_long_block();
  const ir::OpId outer = std::exchange(op_, id);
  const std::uint32_t outer_lowering = std::exchange(lowering_, ++lowerings_);
  const llvm::DebugLoc place = b.getCurrentDebugLocation();
  if (plan.debug_info != nullptr) {
    b.SetCurrentDebugLocation(plan.debug_info->location(*function, f.op(id).location));
  }
  lower_by_family(id);
  b.SetCurrentDebugLocation(place);
  op_ = outer;
  lowering_ = outer_lowering;
}

void Emitter::lower_by_family(ir::OpId id) {
  switch (ir::info(f.op(id).code).family) {
    case ir::OpFamily::arith: return lower_arith(*this, id);
    case ir::OpFamily::bits: return lower_bits(*this, id);
    case ir::OpFamily::compare: return lower_compare(*this, id);
    case ir::OpFamily::convert: return lower_convert(*this, id);
    case ir::OpFamily::math: return lower_math(*this, id);
    case ir::OpFamily::vector: WEFT_UNREACHABLE("{} is left after prepare", ir::info(f.op(id).code).text);
    case ir::OpFamily::aggregate: return lower_aggregate(*this, id);
    case ir::OpFamily::memory: return lower_memory(*this, id);
    case ir::OpFamily::atomic: return lower_atomic(*this, id);
    case ir::OpFamily::control: return lower_control(*this, id);
    case ir::OpFamily::group: return lower_group(*this, id);
    case ir::OpFamily::warp: return lower_warp(*this, id);
  }
}

}  // namespace weft::lower
