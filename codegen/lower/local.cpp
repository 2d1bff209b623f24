#include "codegen/lower/local.h"

#include "codegen/lower/access.h"
#include "codegen/lower/address.h"
#include "codegen/lower/coroutine.h"
#include "codegen/passes/slots.h"

namespace weft::lower {

using ir::TypeId;
using ir::TypeKind;
using ir::ValueId;

namespace {

// Arrays of one local larger than this, in bytes a pack, do not go on a worker's stack.
constexpr std::uint64_t kMaxStackBytes = 2048;

// The slots of a type, with the number of elements of the arrays around each.
struct SlotType {
  TypeKind kind;
  std::uint64_t elements;
};

void collect_slots(Emitter& e, TypeId type, std::uint64_t elements, std::vector<SlotType>& slots) {
  const ir::Type& t = e.in.types[type];
  if (ir::is_scalar(t.kind)) {
    slots.push_back({t.kind, elements});
  } else if (t.kind == TypeKind::array) {
    collect_slots(e, t.element, elements * t.count, slots);
  } else {
    for (std::uint64_t i = 0; i < e.in.types.part_count(type); ++i) {
      collect_slots(e, e.in.types.part(type, i), elements, slots);
    }
  }
}

// Memory for one slot: a stack variable, or a part of the arena when its local is large.
llvm::Value* slot_memory(Emitter& e, ValueId root, llvm::Type* type, bool large) {
  const std::uint64_t bytes = e.out.getDataLayout().getTypeAllocSize(type).getFixedValue();
  if (!large) {
    if (type->isArrayTy()) {
      e.note(RemarkKind::stack_array, bytes, root);
    }
    return e.variable(type, "local");
  }
  if (lives_across_barrier(e, root)) {
    llvm::AllocaInst* memory = e.variable(type, "local.frame");
    memory->setAlignment(llvm::Align(64));
    keep_in_frame(e, memory);
    e.note(RemarkKind::frame_array, bytes, root);
    return memory;
  }
  e.note(RemarkKind::scratch_array, bytes, root);
  const std::uint64_t offset = e.plan.scratch_bytes;
  e.plan.scratch_bytes += llvm::alignTo(bytes, 64);
  llvm::Value* scratch = context_value(e.b, ContextValue::scratch, e.b.getPtrTy());
  return e.b.CreateConstGEP1_64(e.b.getInt8Ty(), scratch, offset);
}

// The address of the place's element in a slot, for an index that is the same in all lanes.
llvm::Value* element_address(Emitter& e, const LocalSlot& slot, const Place& place, std::uint64_t inner_elements,
                             std::uint64_t inner) {
  if (slot.elements == 1) {
    return slot.address;
  }
  llvm::Value* index = e.b.getInt64(inner);
  if (place.index.value != nullptr) {
    llvm::Value* scaled = e.b.CreateMul(place.index.value, e.b.getInt64(inner_elements));
    index = e.b.CreateAdd(scaled, index);
  }
  return e.b.CreateGEP(slot.type, slot.address, index);
}

// Pointers to each lane's own element, for an index that differs.
llvm::Value* lane_element_addresses(Emitter& e, const LocalSlot& slot, const Place& place, std::uint64_t inner_elements,
                                    std::uint64_t inner) {
  llvm::Type* wide = e.pack_type(e.b.getInt64Ty());
  const auto constant = [&](std::uint64_t v) { return e.splat(e.b.getInt64(v)); };
  const std::uint64_t lanes = slot.type->isVectorTy() ? e.width : 1;
  llvm::Type* scalar = slot.type->getScalarType();
  // 32 bits are enough for all but huge arrays, and one gather needs half the registers then.
  const bool narrow = slot.elements * lanes < (std::uint64_t{1} << 31);
  llvm::Value* index = place.index.value;
  if (narrow) {
    const auto small = [&](std::uint64_t v) { return e.splat(e.b.getInt32(static_cast<std::uint32_t>(v))); };
    index = e.b.CreateAdd(e.b.CreateMul(index, small(inner_elements * lanes)), small(inner * lanes));
    index = lanes > 1 ? e.b.CreateAdd(index, e.iota(e.b.getInt32Ty())) : index;
    index = e.b.CreateSExt(index, wide);
  } else {
    index = e.b.CreateMul(e.b.CreateSExt(index, wide), constant(inner_elements * lanes));
    index = e.b.CreateAdd(index, constant(inner * lanes));
    index = lanes > 1 ? e.b.CreateAdd(index, e.iota(e.b.getInt64Ty())) : index;
  }
  return e.b.CreateGEP(scalar, slot.address, index);
}

// One access: leaf `leaf` of the place's type, in slot `slot`, element `inner` of the arrays within the place.
struct LeafPlace {
  std::uint32_t slot;
  std::uint64_t inner;
  std::uint64_t inner_elements;
  TypeKind kind;
};

void collect_leaves(Emitter& e, TypeId type, std::uint32_t slot, std::uint64_t inner, std::uint64_t inner_elements,
                    std::vector<LeafPlace>& leaves) {
  const ir::Type& t = e.in.types[type];
  if (ir::is_scalar(t.kind)) {
    leaves.push_back({slot, inner, inner_elements, t.kind});
    return;
  }
  for (std::uint64_t i = 0; i < e.in.types.part_count(type); ++i) {
    const TypeId part = e.in.types.part(type, i);
    if (t.kind == TypeKind::array) {
      collect_leaves(e, part, slot, inner * t.count + i, inner_elements * t.count, leaves);
    } else {
      collect_leaves(e, part, slot + passes::slot_of_part(e.in.types, type, i), inner, inner_elements, leaves);
    }
  }
}

std::vector<LeafPlace> leaf_places(Emitter& e, const Place& place, std::uint32_t part) {
  std::vector<LeafPlace> leaves;
  collect_leaves(e, place.type, place.first_slot + part * place.part_slots, 0, 1, leaves);
  return leaves;
}

bool has_lane_index(const Place& place) {
  return place.index.value != nullptr && place.index.value->getType()->isVectorTy();
}

llvm::Value* load_leaf(Emitter& e, const Place& place, const LeafPlace& leaf) {
  const LocalSlot& slot = e.local_slots(place.root)[leaf.slot];
  llvm::Value* value = nullptr;
  if (has_lane_index(place)) {
    e.note(RemarkKind::local_gather);
    llvm::Value* mask = active_valid_mask(e, place);
    mask = mask != nullptr ? mask : e.mask_or_all();
    llvm::Type* type = e.pack_type(slot.type->getScalarType());
    llvm::Value* from = lane_element_addresses(e, slot, place, leaf.inner_elements, leaf.inner);
    value = e.b.CreateFreeze(e.b.CreateMaskedGather(type, from, llvm::Align(1), mask, e.zero(type)));
  } else {
    llvm::Value* from = element_address(e, slot, place, leaf.inner_elements, leaf.inner);
    value = e.b.CreateLoad(slot.type, from);
    value = slot.elements > 1 ? e.b.CreateFreeze(value) : value;
  }
  return slot.elements > 1 ? from_memory(e, value, leaf.kind) : value;
}

// Lanes out of range read zero.
llvm::Value* zero_unless_valid(Emitter& e, llvm::Value* value, const Place& place) {
  if (place.valid == nullptr || has_lane_index(place)) {
    return value;
  }
  if (place.valid->getType()->isVectorTy() && !value->getType()->isVectorTy()) {
    value = e.splat(value);
  }
  return e.b.CreateSelect(place.valid, value, e.zero(value->getType()));
}

llvm::Value* is_part(Emitter& e, const Place& place, std::uint32_t part) {
  llvm::Value* index = place.part_index.value;
  return e.b.CreateICmpEQ(index, llvm::ConstantInt::get(index->getType(), part));
}

// select(condition, a, c) where any of the three may be scalar.
llvm::Value* select(Emitter& e, llvm::Value* condition, llvm::Value* a, llvm::Value* c) {
  const bool vector = condition->getType()->isVectorTy() || a->getType()->isVectorTy() || c->getType()->isVectorTy();
  const auto widen = [&](llvm::Value* v) { return vector && !v->getType()->isVectorTy() ? e.splat(v) : v; };
  return e.b.CreateSelect(condition->getType()->isVectorTy() ? widen(condition) : condition, widen(a), widen(c));
}

void store_leaf(Emitter& e, const Place& place, const LeafPlace& leaf, Leaf value, llvm::Value* condition,
                bool blends) {
  const LocalSlot& slot = e.local_slots(place.root)[leaf.slot];
  const bool in_memory = slot.elements > 1;
  if (has_lane_index(place)) {
    e.note(RemarkKind::local_scatter);
    llvm::Value* mask = e.both(active_valid_mask(e, place), condition);
    llvm::Value* to = lane_element_addresses(e, slot, place, leaf.inner_elements, leaf.inner);
    llvm::Value* vector = e.vector(value);
    e.b.CreateMaskedScatter(in_memory ? to_memory(e, vector, leaf.kind) : vector, to, llvm::Align(1),
                            mask != nullptr ? mask : e.mask_or_all());
    return;
  }
  llvm::Value* to = element_address(e, slot, place, leaf.inner_elements, leaf.inner);
  llvm::Value* stored = slot.type->isVectorTy() ? e.vector(value) : value.value;
  llvm::Value* keeps = e.both(condition, place.valid);
  if (blends && e.mask() != nullptr) {
    e.note(RemarkKind::blend);
    keeps = e.both(keeps, e.mask());
  }
  stored = in_memory ? to_memory(e, stored, leaf.kind) : stored;
  if (keeps != nullptr) {
    llvm::Value* old = e.b.CreateLoad(slot.type, to);
    stored = select(e, keeps, stored, in_memory ? e.b.CreateFreeze(old) : old);
  }
  e.b.CreateStore(stored, to);
}

}  // namespace

void make_local(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  const TypeId type = e.in.types[op.type].element;
  auto& slots = e.local_slots(op.result);
  if (slots.empty()) {
    std::vector<SlotType> types;
    collect_slots(e, type, 1, types);
    const auto shapes = e.shapes.local(op.result);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
      llvm::Type* scalar = types[i].elements > 1 ? e.memory_type(types[i].kind) : e.scalar_type(types[i].kind);
      llvm::Type* element = e.is_scalar(shapes[i]) ? scalar : e.pack_type(scalar);
      slots.push_back({nullptr, element, types[i].elements, shapes[i]});
      const std::uint64_t element_bytes = e.out.getDataLayout().getTypeAllocSize(element).getFixedValue();
      bytes += types[i].elements > 1 ? types[i].elements * element_bytes : 0;
    }
    for (LocalSlot& slot : slots) {
      llvm::Type* whole = slot.elements > 1 ? llvm::ArrayType::get(slot.type, slot.elements) : slot.type;
      slot.address = slot_memory(e, op.result, whole, slot.elements > 1 && bytes > kMaxStackBytes);
    }
  }
  e.define_place(op, {.space = Space::local, .type = type, .root = op.result});
}

void declare_local(Emitter& e, ir::OpId id) {
  make_local(e, id);
  for (const LocalSlot& slot : e.local_slots(e.f.op(id).result)) {
    if (slot.elements == 1) {
      e.b.CreateStore(e.zero(slot.type), slot.address);
    }
  }
}

std::vector<llvm::Value*> load_local(Emitter& e, const ir::Op& op, const Place& place) {
  const auto shapes = e.shapes.of(op.result);
  const auto& slots = e.leaf_slots(op.type);
  std::vector<llvm::Value*> result;
  const std::uint32_t parts = std::max(1U, place.part_count);
  for (std::uint32_t part = 0; part < parts; ++part) {
    const auto leaves = leaf_places(e, place, part);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      llvm::Value* value = load_leaf(e, place, leaves[i]);
      if (place.part_count == 0) {
        result.push_back(value);
        continue;
      }
      if (part == 0) {
        result.push_back(llvm::Constant::getNullValue(value->getType()));
      }
      result[i] = select(e, is_part(e, place, part), value, result[i]);
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = as_shape(e, zero_unless_valid(e, result[i], place), shapes[slots[i]]);
  }
  return result;
}

void store_local(Emitter& e, ir::OpId id, const Place& place) {
  const ir::Op& op = e.f.op(id);
  const auto values = e.leaves(e.f.operand(op, 1));
  const std::uint32_t parts = std::max(1U, place.part_count);
  for (std::uint32_t part = 0; part < parts; ++part) {
    llvm::Value* condition = place.part_count > 0 ? is_part(e, place, part) : nullptr;
    const auto leaves = leaf_places(e, place, part);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      store_leaf(e, place, leaves[i], values[i], condition, e.shapes.blends(id));
    }
  }
}

Place local_member(Emitter& e, const Place& outer, std::uint64_t part) {
  Place place = outer;
  const TypeId aggregate = outer.type;
  place.type = e.in.types.part(aggregate, part);
  if (e.in.types[aggregate].kind != TypeKind::array) {
    place.first_slot += passes::slot_of_part(e.in.types, aggregate, part);
    return place;
  }
  // A constant element: index * count + part.
  const std::uint64_t count = e.in.types[aggregate].count;
  if (place.index.value == nullptr) {
    place.index = {e.b.getInt64(part), passes::Shape{ShapeKind::uniform, 0, 0}};
    return place;
  }
  llvm::Type* type = place.index.value->getType();
  place.index.value = e.b.CreateAdd(e.b.CreateMul(place.index.value, llvm::ConstantInt::get(type, count)),
                                    llvm::ConstantInt::get(type, part));
  return place;
}

namespace {

// The index as i64 if uniform, <W x i32> otherwise, 0 where it is out of range so that every address is in the local.
Leaf element_index(Emitter& e, ValueId index, llvm::Value* valid) {
  const Leaf leaf = e.leaf(index);
  const bool is_signed = ir::scalar_category(e.scalar_kind(e.f.type(index))) == ir::ScalarCategory::signed_integer;
  const bool uniform = e.width == 1 || leaf.shape.is_uniform();
  llvm::Type* type = uniform ? e.b.getInt64Ty() : e.pack_type(e.b.getInt32Ty());
  llvm::Value* value = e.b.CreateIntCast(uniform ? leaf.value : e.vector(leaf), type, is_signed);
  if (valid != nullptr) {
    value = e.b.CreateSelect(valid, value, e.zero(type));
  }
  return {value, uniform ? passes::Shape{ShapeKind::uniform, 0, 0} : passes::kVarying};
}

// Chooses among `count` parts at run time; within a part so chosen (a component of a column) the two choices become
// one.
void choose_part(Emitter& e, Place& place, Leaf index, std::uint32_t count) {
  if (place.part_count > 0) {
    const bool uniform = index.shape.is_uniform() && place.part_index.shape.is_uniform();
    const auto widen = [&](llvm::Value* v) { return uniform || v->getType()->isVectorTy() ? v : e.splat(v); };
    llvm::Value* outer = widen(place.part_index.value);
    llvm::Value* scaled = e.b.CreateMul(outer, llvm::ConstantInt::get(outer->getType(), count));
    index = {e.b.CreateAdd(scaled, widen(index.value)), uniform ? index.shape : passes::kVarying};
    count *= place.part_count;
  }
  place.part_index = index;
  place.part_count = count;
  place.part_slots = passes::slot_count(e.in.types, place.type);
}

}  // namespace

Place local_element(Emitter& e, const Place& outer, ValueId index) {
  const TypeId aggregate = outer.type;
  const ir::Type t = e.in.types[aggregate];
  Place place = outer;
  place.type = e.in.types.part(aggregate, 0);
  const std::uint64_t count = e.in.types.part_count(aggregate);
  if (t.kind != TypeKind::array) {
    e.note(RemarkKind::chosen_part, count);
  }
  llvm::Value* valid = in_range(e, index, count);
  const Leaf inner = element_index(e, index, valid);
  place.valid = e.both(outer.valid, valid);
  if (t.kind != TypeKind::array) {
    llvm::Type* narrow = inner.value->getType()->isVectorTy() ? inner.value->getType() : e.b.getInt32Ty();
    choose_part(e, place, {e.b.CreateTrunc(inner.value, narrow), inner.shape}, static_cast<std::uint32_t>(count));
    return place;
  }
  if (outer.index.value == nullptr) {
    place.index = inner;
    return place;
  }
  const bool both_uniform = outer.index.shape.is_uniform() && inner.shape.is_uniform();
  const auto as_vector = [&](const Leaf& leaf) {
    return leaf.shape.is_uniform() ? e.splat(e.b.CreateTrunc(leaf.value, e.b.getInt32Ty())) : leaf.value;
  };
  llvm::Value* a = both_uniform ? outer.index.value : as_vector(outer.index);
  llvm::Value* c = both_uniform ? inner.value : as_vector(inner);
  llvm::Value* scaled = e.b.CreateMul(a, llvm::ConstantInt::get(a->getType(), t.count));
  place.index = {e.b.CreateAdd(scaled, c), both_uniform ? inner.shape : passes::kVarying};
  return place;
}

}  // namespace weft::lower
