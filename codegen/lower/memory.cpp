// Places, loads and stores. What a place is, and the ways to it, are in address.h, access.h and local.h.
#include "codegen/lower/access.h"
#include "codegen/lower/address.h"
#include "codegen/lower/constant.h"
#include "codegen/lower/context.h"
#include "codegen/lower/local.h"
#include "codegen/lower/run_access.h"
#include "runtime/support/check.h"

namespace weft::lower {

using ir::Op;
using ir::OpCode;
using ir::TypeId;
using ir::TypeKind;

namespace {

constexpr std::uint64_t kSharedAlign = 64;

// The byte offset of each scalar leaf of a type in memory.
void leaf_offsets(Emitter& e, TypeId type, std::uint64_t offset, std::vector<std::uint64_t>& offsets) {
  const ir::Type& t = e.in.types[type];
  if (ir::is_scalar(t.kind)) {
    offsets.push_back(offset);
    return;
  }
  for (std::uint64_t i = 0; i < e.in.types.part_count(type); ++i) {
    const std::uint64_t start = offset + e.in.types.part_offset_bytes(type, i);
    if (t.kind == TypeKind::matrix && t.row_major) {
      for (std::uint64_t row = 0; row < t.rows; ++row) {
        offsets.push_back(start + row * t.stride_bytes);
      }
    } else {
      leaf_offsets(e, e.in.types.part(type, i), start, offsets);
    }
  }
}

const ir::ArgumentSlot& argument_slot(Emitter& e, ir::ValueId parameter) {
  return e.plan.arguments.slots[e.f.value(parameter).index];
}

llvm::Value* buffer_data(Emitter& e, ir::ValueId buffer) {
  return argument_value(e.b, argument_slot(e, buffer).offset_bytes, e.b.getPtrTy());
}

llvm::Value* buffer_count(Emitter& e, ir::ValueId buffer) {
  return argument_value(e.b, argument_slot(e, buffer).offset_bytes + 8, e.b.getInt64Ty());
}

void lower_shared(Emitter& e, const Op& op) {
  const TypeId type = e.in.types[op.type].element;
  Place place{.space = Space::shared, .type = type, .is_small = true};
  place.base = context_value(e.b, ContextValue::shared, e.b.getPtrTy());
  const auto [it, inserted] = e.plan.shared_offsets.try_emplace(op.result, e.plan.shared_bytes);
  if (inserted) {
    e.plan.shared_bytes += llvm::alignTo(std::max<std::uint64_t>(e.in.types[type].size_bytes, 1), kSharedAlign);
  }
  add_bytes(e, place, it->second);
  e.define_place(op, std::move(place));
}

void lower_global(Emitter& e, const Op& op) {
  const ir::Global& global = e.in.globals[op.imm];
  const ir::Constant& data = e.in.constant(global.data);
  const std::string name = "weft.global." + global.name;
  llvm::GlobalVariable* memory = e.out.getGlobalVariable(name, true);
  if (memory == nullptr) {
    llvm::Constant* bytes = llvm::ConstantDataArray::get(e.b.getContext(), llvm::ArrayRef(constant_bytes(e, data)));
    memory = new llvm::GlobalVariable(e.out, bytes->getType(), true, llvm::GlobalValue::InternalLinkage, bytes, name);
    memory->setAlignment(llvm::Align(kSharedAlign));
  }
  e.define_place(op, {.space = Space::global, .type = data.type, .base = memory, .is_small = true});
}

std::uint64_t place_offset(Emitter& e, const Place& outer, std::uint64_t part) {
  const bool in_rows = outer.leaf_stride != 0 && e.in.types[outer.type].kind == TypeKind::vector;
  return in_rows ? part * outer.leaf_stride : e.in.types.part_offset_bytes(outer.type, part);
}

void lower_member(Emitter& e, const Op& op) {
  const Place& outer = e.place(e.f.operand(op, 0));
  if (outer.space == Space::local) {
    e.define_place(op, local_member(e, outer, op.imm));
    return;
  }
  Place place = outer;
  place.type = e.in.types.part(outer.type, op.imm);
  place.leaf_stride = e.in.types[outer.type].row_major ? e.in.types[outer.type].stride_bytes : 0;
  add_bytes(e, place, place_offset(e, outer, op.imm));
  e.define_place(op, std::move(place));
}

// Tells how the index of an access is known to be in range.
void note_range(Emitter& e, const llvm::Value* valid, const llvm::Value* all_valid) {
  if (valid == nullptr) {
    e.note(e.plan.unchecked ? RemarkKind::range_unchecked : RemarkKind::range_proved);
  } else if (!valid->getType()->isVectorTy()) {
    e.note(RemarkKind::range_scalar);
  } else {
    e.note(all_valid != nullptr ? RemarkKind::range_tested : RemarkKind::range_checked);
  }
}

void lower_element(Emitter& e, const Op& op) {
  const Place& outer = e.place(e.f.operand(op, 0));
  const ir::ValueId index = e.f.operand(op, 1);
  if (outer.space == Space::local) {
    e.define_place(op, local_element(e, outer, index));
    return;
  }
  Place place = outer;
  place.type = e.in.types.part(outer.type, 0);
  place.leaf_stride = e.in.types[outer.type].row_major ? e.in.types[outer.type].stride_bytes : 0;
  llvm::Value* valid = in_range(e, index, e.in.types.part_count(outer.type));
  note_range(e, valid, nullptr);
  place.valid = e.both(outer.valid, valid);
  add_index(e, place, index, place_offset(e, outer, 1));
  e.define_place(op, std::move(place));
}

void lower_buffer_element(Emitter& e, const Op& op) {
  const ir::ValueId buffer = e.f.operand(op, 0);
  const ir::ValueId index = e.f.operand(op, 1);
  Place place{.space = Space::buffer, .type = e.in.types[op.type].element, .base = buffer_data(e, buffer)};
  if (op.code == OpCode::byte_element) {
    place.valid = bytes_in_range(e, index, e.in.types[place.type].size_bytes, buffer_count(e, buffer));
    add_index(e, place, index, 1);
  } else {
    place.valid = e.ranges.is_below_size(index, buffer) ? nullptr : in_range(e, index, buffer_count(e, buffer));
    if (place.valid != nullptr) {
      place.all_valid = all_in_range(e, index, buffer_count(e, buffer));
    }
    add_index(e, place, index, e.in.types[e.f.type(buffer)].stride_bytes);
  }
  note_range(e, place.valid, test_of_all(e, place));
  e.define_place(op, std::move(place));
}

std::vector<MemoryLeaf> memory_leaves(Emitter& e, const Place& place) {
  std::vector<std::uint64_t> offsets;
  if (place.leaf_stride != 0 && e.in.types[place.type].kind == TypeKind::vector) {  // a column of rows
    for (std::uint64_t i = 0; i < e.in.types[place.type].rows; ++i) {
      offsets.push_back(i * place.leaf_stride);
    }
  } else {
    leaf_offsets(e, place.type, 0, offsets);
  }
  const auto& kinds = e.leaf_kinds(place.type);
  std::vector<MemoryLeaf> leaves;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    leaves.push_back({offsets[i], kinds[i]});
  }
  return leaves;
}

void lower_load(Emitter& e, const Op& op) {
  const Place& place = e.place(e.f.operand(op, 0));
  if (place.space == Space::local) {
    e.ranges.note_load(op);
    e.define(op, load_local(e, op, place));
    return;
  }
  const auto& slots = e.leaf_slots(op.type);
  const auto shapes = e.shapes.of(op.result);
  std::vector<llvm::Value*> leaves = load_leaves(e, place, memory_leaves(e, place));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    leaves[i] = as_shape(e, leaves[i], shapes[slots[i]]);
  }
  e.define(op, std::move(leaves));
}

void lower_store(Emitter& e, ir::OpId id) {
  const Op& op = e.f.op(id);
  const Place& place = e.place(e.f.operand(op, 0));
  if (place.space == Space::local) {
    store_local(e, id, place);
    return;
  }
  store_leaves(e, place, memory_leaves(e, place), e.leaves(e.f.operand(op, 1)));
}

}  // namespace

void define_parameter(Emitter& e, ir::ValueId parameter) {
  const TypeId type = e.f.type(parameter);
  const TypeKind kind = e.in.types[type].kind;
  if (kind == TypeKind::buffer || kind == TypeKind::byte_buffer) {
    return;  // ops on it read its fields
  }
  const auto& kinds = e.leaf_kinds(type);
  std::vector<std::uint64_t> offsets;
  leaf_offsets(e, type, argument_slot(e, parameter).offset_bytes, offsets);
  std::vector<llvm::Value*> leaves;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    leaves.push_back(from_memory(e, argument_value(e.b, offsets[i], e.memory_type(kinds[i])), kinds[i]));
  }
  e.define(parameter, std::move(leaves));
}

void lower_memory(Emitter& e, ir::OpId id) {
  const Op& op = e.f.op(id);
  switch (op.code) {
    case OpCode::local: return declare_local(e, id);
    case OpCode::shared: return lower_shared(e, op);
    case OpCode::global: return lower_global(e, op);
    case OpCode::member: return lower_member(e, op);
    case OpCode::element: return lower_element(e, op);
    case OpCode::buffer_element:
    case OpCode::byte_element: return lower_buffer_element(e, op);
    case OpCode::load: return lower_load(e, op);
    case OpCode::store: return lower_store(e, id);
    case OpCode::buffer_size: return e.define(op, {buffer_count(e, e.f.operand(op, 0))});
    default: WEFT_UNREACHABLE("{} is left after prepare", ir::info(op.code).text);
  }
}

}  // namespace weft::lower
