#include "codegen/lower/address.h"

#include <algorithm>

#include "codegen/lower/range.h"
#include "codegen/passes/shape_rules.h"

namespace weft::lower {

using ir::OpCode;
using ir::ScalarCategory;
using ir::TypeKind;
using ir::ValueId;

namespace {

constexpr std::int64_t kMaxAffineStride = 1 << 20;
constexpr std::uint64_t kWords = std::uint64_t{1} << 32;  // numbers of 32 bits

bool is_signed(TypeKind kind) { return ir::scalar_category(kind) == ScalarCategory::signed_integer; }

llvm::Value* widen(Emitter& e, llvm::Value* value, TypeKind kind, llvm::Type* type) {
  return is_signed(kind) ? e.b.CreateSExtOrTrunc(value, type) : e.b.CreateZExtOrTrunc(value, type);
}

// Whether numbers may wrap between neighbouring lanes, `lanes` of them, of an index that is affine or has rows.
bool may_wrap(Emitter& e, ValueId value, const Leaf& index, TypeKind kind, std::uint32_t lanes) {
  const std::uint32_t bits = ir::scalar_bits(kind);
  const std::uint32_t magnitude_bits = bits - (is_signed(kind) ? 1 : 0);
  if (index.shape.stride == 0 || passes::never_wraps(index.shape, magnitude_bits, lanes)) {
    return false;
  }
  const auto bound = e.ranges.upper_bound_of_all_lanes(value);
  const auto step = static_cast<std::uint64_t>(std::abs(index.shape.stride));
  const std::uint64_t largest = ~std::uint64_t{0} >> (64 - magnitude_bits);
  return !bound || step > largest / e.width || *bound > largest - step * (lanes - 1);
}

// An index of few bits that wraps may be in range on both sides.
bool wraps_in_range(Emitter& e, ValueId value, const Leaf& index, TypeKind kind, std::uint32_t lanes) {
  return ir::scalar_bits(kind) < 32 && may_wrap(e, value, index, kind, lanes);
}

// From which number on an unsigned 32 bit index leaves its range within `lanes` lanes; nothing if it surely does not.
std::optional<std::uint64_t> wrap_start(Emitter& e, ValueId value, const Leaf& index, TypeKind kind,
                                        std::uint32_t lanes) {
  if (kind != TypeKind::u32 || index.shape.stride < 0 || !may_wrap(e, value, index, kind, lanes)) {
    return std::nullopt;
  }
  return kWords - static_cast<std::uint64_t>(index.shape.stride) * (lanes - 1);
}

// `base`, lane 0 of an affine index in 64 bits, made such that lane 0 + stride * lane is every lane's index (see
// address.h).
llvm::Value* affine_base(Emitter& e, ValueId value, const Leaf& index, TypeKind kind, llvm::Value* base) {
  if (const auto start = wrap_start(e, value, index, kind, e.width)) {
    llvm::Value* wraps = e.b.CreateICmpUGE(base, e.b.getInt64(*start));
    return e.b.CreateSelect(wraps, e.b.CreateSub(base, e.b.getInt64(kWords)), base);
  }
  return base;
}

// The index as a vector for a term: 32 bits where they are enough.
llvm::Value* term_value(Emitter& e, const Leaf& index, TypeKind kind) {
  llvm::Value* value = e.vector(index);
  const std::uint32_t bits = ir::scalar_bits(kind);
  return bits < 32 ? widen(e, value, kind, e.pack_type(e.b.getInt32Ty())) : value;
}

// Moves a place by a number of bytes; where it is whole, by `whole_bytes` if that is not null.
void move(Emitter& e, Place& place, llvm::Value* bytes, llvm::Value* whole_bytes = nullptr) {
  const auto moved = [&](llvm::Value* base, llvm::Value* by) { return e.b.CreateGEP(e.b.getInt8Ty(), base, by); };
  if (place.whole_base != nullptr) {
    place.whole_base = moved(place.whole_base, whole_bytes != nullptr ? whole_bytes : bytes);
  }
  place.base = moved(place.base, bytes);
}

// Whether an integer is computed from ids of lanes and from what is uniform alone, as far as `depth` steps show.
bool is_from_ids(Emitter& e, ValueId value, int depth = 8) {
  if (e.shapes.of(value)[0].kind != ShapeKind::varying) {
    return true;
  }
  const ir::Op* op = e.f.definition(value);
  if (op == nullptr || depth == 0) {
    return false;
  }
  if (op->code == OpCode::thread_id || op->code == OpCode::dispatch_id) {
    return true;
  }
  const ir::OpFamily family = ir::info(op->code).family;
  const bool computes = family == ir::OpFamily::arith || family == ir::OpFamily::bits || op->code == OpCode::cast;
  return computes && std::ranges::all_of(e.f.operands(*op), [&](ValueId operand) {
           return ir::is_scalar(e.in.types[e.f.type(operand)].kind) && is_from_ids(e, operand, depth - 1);
         });
}

void add_vector_term(Emitter& e, Place& place, ValueId index, std::uint64_t stride_bytes) {
  const Leaf leaf = e.leaf(index);
  const TypeKind kind = e.scalar_kind(e.f.type(index));
  const std::uint32_t row = passes::row_width(e.f, e.width);
  VectorTerm term{.value = term_value(e, leaf, kind), .scale = stride_bytes, .shape = passes::kVarying};
  term.from_ids = is_from_ids(e, index);
  if (leaf.shape.kind == ShapeKind::rows && !wraps_in_range(e, index, leaf, kind, row)) {
    term.shape = passes::mul_shape(leaf.shape, stride_bytes);
  }
  const bool narrow = term.value->getType()->getScalarSizeInBits() == 32;
  if (narrow && place.is_small) {  // in 32 bits: lanes in range do not overflow, the others do not count
    term.value = e.b.CreateMul(term.value, e.splat(e.b.getInt32(static_cast<std::uint32_t>(stride_bytes))));
    term.scale = 1;
  } else if (narrow && kind == TypeKind::u32) {
    constexpr std::uint64_t kBias = kWords / 2;
    term.value = e.b.CreateXor(term.value, e.splat(e.b.getInt32(static_cast<std::uint32_t>(kBias))));
    move(e, place, e.b.getInt64(kBias * stride_bytes));
    if (const auto start = wrap_start(e, index, leaf, kind, row)) {
      term.wrap_start = static_cast<std::int64_t>(*start - kBias);
    }
  }
  place.terms.push_back(term);
}

// a < count, in the index's own width; a count beyond it means that every index is in range.
llvm::Value* below(Emitter& e, llvm::Value* index, TypeKind kind, llvm::Value* count) {
  llvm::IRBuilder<>& b = e.b;
  const std::uint32_t bits = ir::scalar_bits(kind);
  llvm::Type* type = index->getType()->getScalarType();
  const std::uint64_t largest = ~std::uint64_t{0} >> (64 - bits + (is_signed(kind) ? 1 : 0));
  // index <= min(count - 1, largest) and count != 0
  llvm::Value* last =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateSub(count, b.getInt64(1)), b.getInt64(largest));
  llvm::Value* narrow_last = b.CreateTrunc(last, type);
  llvm::Value* nonempty = b.CreateICmpNE(count, b.getInt64(0));
  const bool vector = index->getType()->isVectorTy();
  llvm::Value* fits = b.CreateICmpULE(index, vector ? e.splat(narrow_last) : narrow_last);
  if (llvm::isa<llvm::ConstantInt>(count)) {
    return fits;
  }
  return b.CreateAnd(fits, vector ? e.splat(nonempty) : nonempty);
}

}  // namespace

void add_bytes(Emitter& e, Place& place, std::uint64_t bytes) {
  if (bytes != 0) {
    move(e, place, e.b.getInt64(bytes));
  }
}

void add_index(Emitter& e, Place& place, ValueId index, std::uint64_t stride_bytes) {
  const Leaf leaf = e.leaf(index);
  const TypeKind kind = e.scalar_kind(e.f.type(index));
  const bool affine = leaf.shape.kind == ShapeKind::affine && std::abs(leaf.shape.stride) < kMaxAffineStride &&
                      !wraps_in_range(e, index, leaf, kind, e.width);
  if (!leaf.shape.is_uniform() && !affine) {
    add_vector_term(e, place, index, stride_bytes);
    return;
  }
  llvm::Value* first = widen(e, leaf.value, kind, e.b.getInt64Ty());
  llvm::Value* base = affine ? affine_base(e, index, leaf, kind, first) : first;
  const auto bytes = [&](llvm::Value* number) { return e.b.CreateMul(number, e.b.getInt64(stride_bytes)); };
  if (place.all_valid != nullptr && place.whole_base == nullptr && base != first) {
    place.whole_base = place.base;
  }
  move(e, place, bytes(base), base != first ? bytes(first) : nullptr);
  place.stride += leaf.shape.stride * static_cast<std::int64_t>(stride_bytes);
}

llvm::Value* in_range(Emitter& e, ValueId index, std::uint64_t count) {
  const auto bound = e.ranges.upper_bound(index);
  return bound && *bound < count ? nullptr : in_range(e, index, e.b.getInt64(count));
}

llvm::Value* in_range(Emitter& e, ValueId index, llvm::Value* count) {
  if (e.plan.unchecked) {
    return nullptr;
  }
  const Leaf leaf = e.leaf(index);
  llvm::Value* value = leaf.shape.is_uniform() ? leaf.value : e.vector(leaf);
  return below(e, value, e.scalar_kind(e.f.type(index)), count);
}

llvm::Value* all_in_range(Emitter& e, ValueId index, llvm::Value* count) {
  const Leaf leaf = e.leaf(index);
  const bool rises =
      leaf.shape.kind == ShapeKind::affine && leaf.shape.stride > 0 && leaf.shape.stride < kMaxAffineStride;
  if (e.width == 1 || !rises) {
    return nullptr;
  }
  const TypeKind kind = e.scalar_kind(e.f.type(index));
  const std::uint32_t bits = ir::scalar_bits(kind) - (is_signed(kind) ? 1 : 0);
  llvm::Value* limit = count;
  if (bits < 64) {  // beyond the numbers of its type an index wraps
    limit = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, e.b.getInt64(std::uint64_t{1} << bits));
  }
  llvm::Value* first = widen(e, leaf.value, kind, e.b.getInt64Ty());
  const std::uint64_t span = static_cast<std::uint64_t>(leaf.shape.stride) * (e.width - 1);
  llvm::Value* last = e.b.CreateAdd(first, e.b.getInt64(span));
  llvm::Value* last_fits = e.b.CreateICmpULT(last, limit);
  const bool ascends = bits < 64 && !is_signed(kind);  // as 64 bit numbers
  return ascends ? last_fits : e.b.CreateAnd(e.b.CreateICmpULT(first, limit), last_fits);
}

llvm::Value* bytes_in_range(Emitter& e, ValueId index, std::uint64_t bytes, llvm::Value* count) {
  llvm::Value* too_small = e.b.CreateICmpULT(count, e.b.getInt64(bytes));
  llvm::Value* places = e.b.CreateSub(count, e.b.getInt64(bytes - 1));
  return in_range(e, index, e.b.CreateSelect(too_small, e.b.getInt64(0), places));
}

llvm::Value* active_valid_mask(Emitter& e, const Place& place) {
  llvm::Value* mask = e.both(e.mask(), place.valid);
  return mask != nullptr && e.width > 1 && !mask->getType()->isVectorTy() ? e.splat(mask) : mask;
}

llvm::Value* lanes_are_neighbours(Emitter& e, const Place& place, std::uint64_t element_bytes) {
  if (place.terms.size() != 1 || !place.terms[0].from_ids) {
    return nullptr;
  }
  const VectorTerm& term = place.terms[0];
  const std::int64_t step = static_cast<std::int64_t>(element_bytes) - place.stride;
  const auto scale = static_cast<std::int64_t>(term.scale);
  if (step <= 0 || step % scale != 0) {
    return nullptr;
  }
  e.note(RemarkKind::neighbours_tested);
  llvm::IRBuilder<>& b = e.b;
  llvm::Type* type = term.value->getType()->getScalarType();
  llvm::Value* first = b.CreateExtractElement(term.value, std::uint64_t{0});
  llvm::Value* last = b.CreateExtractElement(term.value, std::uint64_t{e.width - 1});
  llvm::Value* steps = b.CreateMul(e.iota(type), e.splat(llvm::ConstantInt::getSigned(type, step / scale)));
  llvm::Value* differ = b.CreateICmpNE(term.value, b.CreateAdd(e.splat(first), steps));
  return b.CreateAnd(b.CreateNot(e.any(differ)), b.CreateICmpSLT(first, last));
}

llvm::Value* row_address(Emitter& e, const Place& place, std::uint32_t lane) {
  llvm::IRBuilder<>& b = e.b;
  llvm::Value* address = place.base;
  const auto add = [&](llvm::Value* offset) { address = b.CreateGEP(b.getInt8Ty(), address, offset); };
  if (place.stride != 0) {
    add(b.getInt64(static_cast<std::uint64_t>(place.stride) * lane));
  }
  for (const VectorTerm& term : place.terms) {
    llvm::Value* value = b.CreateSExt(b.CreateExtractElement(term.value, lane), b.getInt64Ty());
    if (term.wrap_start) {
      llvm::Value* wraps = b.CreateICmpSGE(value, llvm::ConstantInt::getSigned(b.getInt64Ty(), *term.wrap_start));
      value = b.CreateSelect(wraps, b.CreateSub(value, b.getInt64(kWords)), value);
    }
    add(b.CreateMul(value, b.getInt64(term.scale)));
  }
  return address;
}

llvm::Value* addresses(Emitter& e, const Place& place) {
  llvm::IRBuilder<>& b = e.b;
  llvm::Type* wide = e.pack_type(b.getInt64Ty());
  // One 32 bit term alone: the target scales and extends it while it gathers.
  if (place.stride == 0 && place.terms.size() == 1) {
    const VectorTerm& term = place.terms[0];
    const bool scalable = term.scale == 1 || term.scale == 2 || term.scale == 4 || term.scale == 8;
    llvm::Value* index = b.CreateSExt(term.value, wide);
    return scalable ? b.CreateGEP(b.getIntNTy(static_cast<unsigned>(8 * term.scale)), place.base, index)
                    : b.CreateGEP(b.getInt8Ty(), place.base, b.CreateMul(index, e.splat(b.getInt64(term.scale))));
  }
  llvm::Value* offset =
      b.CreateMul(e.iota(b.getInt64Ty()), e.splat(b.getInt64(static_cast<std::uint64_t>(place.stride))));
  for (const VectorTerm& term : place.terms) {
    offset = b.CreateAdd(offset, b.CreateMul(b.CreateSExt(term.value, wide), e.splat(b.getInt64(term.scale))));
  }
  return b.CreateGEP(b.getInt8Ty(), place.base, offset);
}

}  // namespace weft::lower
