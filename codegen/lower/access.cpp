#include "codegen/lower/access.h"

#include <llvm/IR/MDBuilder.h>

#include "codegen/lower/address.h"
#include "codegen/lower/context.h"
#include "codegen/passes/shape.h"
#include "runtime/support/check.h"

namespace weft::lower {

using ir::TypeKind;

namespace {

enum class Way : std::uint8_t { uniform, contiguous, rows, scattered };

Way way_of(const Emitter& e, const Place& place, std::uint64_t element_bytes) {
  if (e.width == 1 || is_uniform(place)) {
    return place.valid != nullptr && place.valid->getType()->isVectorTy() ? Way::scattered : Way::uniform;
  }
  const auto step = static_cast<std::int64_t>(element_bytes);
  if (place.terms.empty()) {
    return place.stride == step ? Way::contiguous : Way::scattered;
  }
  std::int64_t stride = place.stride;
  for (const VectorTerm& term : place.terms) {
    if (term.shape.kind != ShapeKind::rows) {
      return Way::scattered;
    }
    stride += term.shape.stride;
  }
  const std::uint32_t row = passes::row_width(e.f, e.width);
  return stride == step && row >= 4 && row < e.width ? Way::rows : Way::scattered;
}

llvm::Value* moved(Emitter& e, llvm::Value* address, std::uint64_t bytes) {
  return e.b.CreateConstGEP1_64(e.b.getInt8Ty(), address, bytes);
}

// A scalar access whose place is out of range goes elsewhere: it reads zeros, or writes what nobody reads. (Not a stack
// variable: LLVM makes a branch of a store to one of two places as soon as one is on the stack, in time by the square
// of their number.)
llvm::Value* sink(Emitter& e) {
  return moved(e, context_value(e.b, ContextValue::block_context, e.b.getPtrTy()),
               offsetof(abi::BlockContext, dropped));
}

llvm::Value* scalar_address(Emitter& e, const Place& place, std::uint64_t offset_bytes, bool writes) {
  e.note(RemarkKind::scalar_access);
  llvm::Value* address = moved(e, place.base, offset_bytes);
  return place.valid == nullptr ? address : e.b.CreateSelect(place.valid, address, writes ? sink(e) : zeros(e));
}

// The address of each row's first lane.
Values row_addresses(Emitter& e, const Place& place, std::uint64_t offset_bytes, std::uint32_t row) {
  Values result;
  for (std::uint32_t lane = 0; lane < e.width; lane += row) {
    result.push_back(moved(e, row_address(e, place, lane), offset_bytes));
  }
  return result;
}

llvm::Value* load_vector(Emitter& e, llvm::Type* type, llvm::Value* address, llvm::Value* mask) {
  if (mask == nullptr) {
    return e.b.CreateAlignedLoad(type, address, kMemoryAlign);
  }
  // Frozen: LLVM 22.1.8 moves a masked load that a select of the same mask uses past a store to its address.
  return e.b.CreateFreeze(e.b.CreateMaskedLoad(type, address, kMemoryAlign, mask, e.zero(type)));
}

void store_vector(Emitter& e, llvm::Value* vector, llvm::Value* address, llvm::Value* mask) {
  if (mask == nullptr) {
    e.b.CreateAlignedStore(vector, address, kMemoryAlign);
  } else {
    e.b.CreateMaskedStore(vector, address, kMemoryAlign, mask);
  }
}

llvm::Value* load_rows(Emitter& e, const Place& place, std::uint64_t offset_bytes, llvm::Type* scalar,
                       llvm::Value* mask) {
  const std::uint32_t row = passes::row_width(e.f, e.width);
  e.note(RemarkKind::row_access, row);
  Values pieces;
  for (llvm::Value* address : row_addresses(e, place, offset_bytes, row)) {
    const auto r = static_cast<std::uint32_t>(pieces.size());
    llvm::Value* row_mask = mask != nullptr ? piece(e.b, mask, r, row) : nullptr;
    pieces.push_back(load_vector(e, llvm::FixedVectorType::get(scalar, row), address, row_mask));
  }
  return joined(e.b, std::move(pieces));
}

void store_rows(Emitter& e, const Place& place, std::uint64_t offset_bytes, llvm::Value* vector, llvm::Value* mask) {
  const std::uint32_t row = passes::row_width(e.f, e.width);
  e.note(RemarkKind::row_access, row);
  std::uint32_t r = 0;
  for (llvm::Value* address : row_addresses(e, place, offset_bytes, row)) {
    store_vector(e, piece(e.b, vector, r, row), address, mask != nullptr ? piece(e.b, mask, r, row) : nullptr);
    ++r;
  }
}

llvm::Value* gather(Emitter& e, const Place& place, std::uint64_t offset_bytes, llvm::Type* scalar, llvm::Value* mask) {
  e.note(RemarkKind::gather);
  Place leaf = place;
  add_bytes(e, leaf, offset_bytes);
  llvm::Type* type = e.pack_type(scalar);
  return e.b.CreateFreeze(e.b.CreateMaskedGather(type, addresses(e, leaf), kMemoryAlign, mask, e.zero(type)));
}

void scatter(Emitter& e, const Place& place, std::uint64_t offset_bytes, llvm::Value* value, llvm::Value* mask) {
  e.note(RemarkKind::scatter);
  Place leaf = place;
  add_bytes(e, leaf, offset_bytes);
  e.b.CreateMaskedScatter(value, addresses(e, leaf), kMemoryAlign, mask);
}

void note_vector(Emitter& e, const llvm::Value* mask) {
  e.note(mask != nullptr ? RemarkKind::masked_access : RemarkKind::vector_access);
}

llvm::Value* mask_or_all(Emitter& e, llvm::Value* mask) {
  return mask != nullptr ? mask : llvm::Constant::getAllOnesValue(e.mask_type());
}

}  // namespace

bool is_scattered(Emitter& e, const Place& place, std::uint64_t element_bytes) {
  return way_of(e, place, element_bytes) == Way::scattered;
}

llvm::Value* zeros(Emitter& e) {
  const char* name = "weft.zeros";
  if (auto* known = e.out.getGlobalVariable(name, true)) {
    return known;
  }
  llvm::Type* type = llvm::ArrayType::get(e.b.getInt64Ty(), kZeroBytes / 8);
  auto* memory = new llvm::GlobalVariable(e.out, type, true, llvm::GlobalValue::InternalLinkage, e.zero(type), name);
  memory->setAlignment(llvm::Align(8));
  return memory;
}

llvm::Value* test_of_all(const Emitter& e, const Place& place) {
  return e.mask() == nullptr ? place.all_valid : nullptr;
}

Values either(Emitter& e, llvm::Value* condition, const std::function<Values()>& fast,
              const std::function<Values()>& slow) {
  if (condition == nullptr) {
    return slow();
  }
  llvm::BasicBlock* fast_start = e.block("fast_access");
  llvm::BasicBlock* slow_start = e.block("slow_access");
  llvm::BasicBlock* after = e.block("accessed");
  e.b.CreateCondBr(condition, fast_start, slow_start, llvm::MDBuilder(e.b.getContext()).createLikelyBranchWeights());
  e.b.SetInsertPoint(fast_start);
  Values values = fast();
  llvm::BasicBlock* fast_end = e.b.GetInsertBlock();
  e.b.CreateBr(after);
  e.b.SetInsertPoint(slow_start);
  const Values slow_values = [&] {
    const Emitter::Otherwise otherwise(e);
    return slow();
  }();
  llvm::BasicBlock* slow_end = e.b.GetInsertBlock();
  e.branch_to(after);
  for (std::size_t i = 0; i < values.size(); ++i) {
    llvm::PHINode* value = e.b.CreatePHI(values[i]->getType(), 2);
    value->addIncoming(values[i], fast_end);
    value->addIncoming(slow_values[i], slow_end);
    values[i] = value;
  }
  return values;
}

llvm::Value* from_memory(Emitter& e, llvm::Value* value, TypeKind kind) {
  return kind == TypeKind::boolean ? e.b.CreateICmpNE(value, e.zero(value->getType())) : value;
}

llvm::Value* to_memory(Emitter& e, llvm::Value* value, TypeKind kind) {
  if (kind != TypeKind::boolean) {
    return value;
  }
  llvm::Type* byte = e.b.getInt8Ty();
  return e.b.CreateZExt(value, value->getType()->isVectorTy() ? e.pack_type(byte) : byte);
}

llvm::Value* last_lane(Emitter& e, llvm::Value* mask) {
  if (mask == nullptr || e.width == 1) {
    return e.b.getInt32(e.width - 1);
  }
  llvm::Value* bits = e.b.CreateZExt(e.bits_of(mask), e.b.getInt32Ty());
  llvm::Value* zeros = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, e.b.getFalse());
  return e.b.CreateAnd(e.b.CreateSub(e.b.getInt32(31), zeros), e.b.getInt32(e.width - 1));
}

llvm::Value* as_shape(Emitter& e, llvm::Value* value, Shape shape) {
  const bool scalar = e.is_scalar(shape);
  if (!scalar && !value->getType()->isVectorTy()) {
    return e.splat(value);
  }
  WEFT_CHECK(scalar == !value->getType()->isVectorTy(), "a vector for a value that every lane shares");
  return value;
}

llvm::Value* load_scalar(Emitter& e, const Place& place, std::uint64_t offset_bytes, TypeKind kind) {
  llvm::Type* scalar = e.memory_type(kind);
  const Way way = way_of(e, place, ir::memory_bytes(kind));
  if (way == Way::uniform) {
    llvm::Value* address = scalar_address(e, place, offset_bytes, false);
    return from_memory(e, e.b.CreateAlignedLoad(scalar, address, kMemoryAlign), kind);
  }
  llvm::Value* mask = active_valid_mask(e, place);
  const auto load = [&](llvm::Value* first, llvm::Value* lanes) {
    note_vector(e, lanes);
    return Values{load_vector(e, e.pack_type(scalar), moved(e, first, offset_bytes), lanes)};
  };
  Values loaded;
  if (way == Way::contiguous) {
    loaded = either(
        e, test_of_all(e, place), [&] { return load(whole_base(place), nullptr); },
        [&] { return load(place.base, mask); });
  } else if (way == Way::rows) {
    loaded = {load_rows(e, place, offset_bytes, scalar, mask)};
  } else {
    loaded = either(
        e, lanes_are_neighbours(e, place, ir::memory_bytes(kind)), [&] { return load(row_address(e, place, 0), mask); },
        [&] { return Values{gather(e, place, offset_bytes, scalar, mask_or_all(e, mask))}; });
  }
  return from_memory(e, loaded[0], kind);
}

void store_scalar(Emitter& e, const Place& place, std::uint64_t offset_bytes, TypeKind kind, const Leaf& value) {
  const Way way = way_of(e, place, ir::memory_bytes(kind));
  if (way == Way::uniform) {
    llvm::Value* scalar = e.lane_of(value, last_lane(e, e.mask()));
    e.b.CreateAlignedStore(to_memory(e, scalar, kind), scalar_address(e, place, offset_bytes, true), kMemoryAlign);
    return;
  }
  llvm::Value* vector = to_memory(e, e.vector(value), kind);
  llvm::Value* mask = active_valid_mask(e, place);
  const auto store = [&](llvm::Value* first, llvm::Value* lanes) {
    note_vector(e, lanes);
    store_vector(e, vector, moved(e, first, offset_bytes), lanes);
    return Values();
  };
  if (way == Way::contiguous) {
    either(
        e, test_of_all(e, place), [&] { return store(whole_base(place), nullptr); },
        [&] { return store(place.base, mask); });
  } else if (way == Way::rows) {
    store_rows(e, place, offset_bytes, vector, mask);
  } else {
    const auto scattered = [&] {
      scatter(e, place, offset_bytes, vector, mask_or_all(e, mask));
      return Values();
    };
    either(
        e, lanes_are_neighbours(e, place, ir::memory_bytes(kind)),
        [&] { return store(row_address(e, place, 0), mask); }, scattered);
  }
}

}  // namespace weft::lower
