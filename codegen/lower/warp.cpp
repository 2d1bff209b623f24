// The family warp. A kernel with warp operations is compiled at W = warp size, so that a pack is a warp.
#include "codegen/lower/arith.h"
#include "codegen/lower/compare.h"
#include "codegen/lower/fold.h"
#include "codegen/lower/scratch.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::Value;

class Warp {
 public:
  Warp(Emitter& e, const ir::Op& op) : e_(e), op_(op) {}

  void lower();

 private:
  [[nodiscard]] std::vector<Leaf> operand(std::size_t i = 0) { return e_.leaves(e_.f.operand(op_, i)); }
  [[nodiscard]] TypeKind kind(std::size_t i = 0) const { return e_.scalar_kind(e_.f.type(e_.f.operand(op_, i))); }
  // Bit i is lane i, as u32.
  [[nodiscard]] Value* word(Value* mask) { return e_.b.CreateZExt(e_.bits_of(mask), e_.b.getInt32Ty()); }
  [[nodiscard]] Value* active() { return word(e_.mask_or_all()); }
  [[nodiscard]] Value* ballot() { return word(e_.both(e_.mask_or_all(), e_.vector(operand()[0]))); }
  [[nodiscard]] Value* all() { return e_.b.CreateNot(e_.any(e_.without(e_.mask(), e_.vector(operand()[0])))); }
  [[nodiscard]] Value* first_lane();
  [[nodiscard]] Value* all_equal();
  [[nodiscard]] Value* is_first();
  [[nodiscard]] Value* prefix_count();
  // The leaf, `other` in lanes that are off.
  [[nodiscard]] Value* where_active(const Leaf& leaf, llvm::Constant* other);
  void define_each(const std::function<Value*(const Leaf&)>& make);
  void reduce(OpCode code);
  void scan(OpCode code);
  void read();
  [[nodiscard]] Value* read_one(const Leaf& leaf, Value* lane, Value* readable);
  [[nodiscard]] Value* shuffled(Value* pack, Value* lanes);
  [[nodiscard]] Value* read_each(const Leaf& leaf, Value* lanes, Value* readable);

  Emitter& e_;
  const ir::Op& op_;
};

// The mask is not relied on not to be empty: the lane is one of the pack in any case.
Value* Warp::first_lane() {
  Value* lane = e_.b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, active(), e_.b.getFalse());
  return e_.b.CreateAnd(lane, e_.b.getInt32(e_.width - 1));
}

Value* Warp::all_equal() {
  Value* first = first_lane();
  Value* differs = e_.b.getFalse();
  for (const Leaf& leaf : operand()) {
    Value* equal = compare(e_, OpCode::eq, kind(), e_.vector(leaf), e_.splat(e_.lane_of(leaf, first)));
    differs = e_.b.CreateOr(differs, e_.any(e_.without(e_.mask(), equal)));
  }
  return e_.b.CreateNot(differs);
}

// The lowest bit of the mask.
Value* Warp::is_first() {
  Value* bits = e_.bits_of(e_.mask_or_all());
  return e_.b.CreateBitCast(e_.b.CreateAnd(bits, e_.b.CreateNeg(bits)), e_.mask_type());
}

Value* Warp::prefix_count() {
  llvm::SmallVector<llvm::Constant*, 32> before;
  for (std::uint32_t lane = 0; lane < e_.width; ++lane) {
    before.push_back(e_.b.getInt32((1U << lane) - 1));
  }
  Value* counted = e_.b.CreateAnd(e_.splat(ballot()), llvm::ConstantVector::get(before));
  return e_.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, counted);
}

Value* Warp::where_active(const Leaf& leaf, llvm::Constant* other) {
  Value* vector = e_.vector(leaf);
  return e_.mask() == nullptr ? vector : e_.b.CreateSelect(e_.mask(), vector, e_.splat(other));
}

void Warp::define_each(const std::function<Value*(const Leaf&)>& make) {
  std::vector<Value*> result;
  for (const Leaf& leaf : operand()) {
    result.push_back(make(leaf));
  }
  e_.define(op_, std::move(result));
}

void Warp::reduce(OpCode code) {
  define_each([&](const Leaf& leaf) { return fold(e_, code, kind(), where_active(leaf, neutral(e_, code, kind()))); });
}

void Warp::scan(OpCode code) {
  define_each(
      [&](const Leaf& leaf) { return fold_before(e_, code, kind(), where_active(leaf, neutral(e_, code, kind()))); });
}

Value* Warp::read_one(const Leaf& leaf, Value* lane, Value* readable) {
  Value* value = e_.lane_of(leaf, lane);
  return e_.b.CreateSelect(readable, value, e_.zero(value->getType()));
}

// LLVM has no shuffle by variable indices: the pack goes through memory, lane by lane, which is no slower than a
// gather, bools as bytes, since packs of them have no lanes there. Known indices, such as lane ^ 1, are a shuffle.
Value* Warp::shuffled(Value* pack, Value* lanes) {
  if (auto* known = llvm::dyn_cast<llvm::Constant>(lanes)) {
    return e_.b.CreateShuffleVector(pack, pack, known);
  }
  llvm::Type* type = pack->getType();
  if (type->getScalarType()->isIntegerTy(1)) {
    llvm::Type* bytes = type->getWithNewType(e_.b.getInt8Ty());
    return e_.b.CreateTrunc(shuffled(e_.b.CreateZExt(pack, bytes), lanes), type);
  }
  e_.note(RemarkKind::lane_shuffle);
  Scratch memory(e_, type, "warp");
  memory.store(pack);
  Value* result = e_.zero(type);
  for (std::uint64_t lane = 0; lane < e_.width; ++lane) {
    Value* from = memory.lane(e_.b.CreateExtractElement(lanes, lane));
    result = e_.b.CreateInsertElement(result, e_.b.CreateLoad(type->getScalarType(), from), lane);
  }
  return result;
}

Value* Warp::read_each(const Leaf& leaf, Value* lanes, Value* readable) {
  Value* pack = e_.vector(leaf);
  return e_.b.CreateSelect(readable, shuffled(pack, lanes), e_.zero(pack->getType()));
}

// index -> the lane, taken modulo W so that it is one in any case, and whether it may be read: in range and active.
void Warp::read() {
  const Leaf index = operand(1)[0];
  const bool one = index.shape.is_uniform();
  Value* value = one ? index.value : e_.vector(index);
  llvm::Type* type = value->getType();
  llvm::Type* words = type->getWithNewType(e_.b.getInt32Ty());
  Value* in_range = e_.b.CreateICmpULT(value, llvm::ConstantInt::get(type, e_.width));
  Value* narrow = e_.b.CreateZExtOrTrunc(value, words);
  Value* lane = e_.b.CreateAnd(narrow, llvm::ConstantInt::get(words, e_.width - 1));
  Value* bits = e_.b.CreateLShr(one ? active() : e_.splat(active()), lane);
  Value* is_active = e_.b.CreateTrunc(bits, type->getWithNewType(e_.b.getInt1Ty()));
  Value* readable = e_.b.CreateAnd(in_range, is_active);
  define_each([&](const Leaf& leaf) { return one ? read_one(leaf, lane, readable) : read_each(leaf, lane, readable); });
}

void Warp::lower() {
  switch (op_.code) {
    case OpCode::warp_size: return e_.define(op_, {e_.b.getInt32(e_.width)});
    case OpCode::warp_lane: return e_.define(op_, {e_.b.getInt32(0)});  // lane 0 of an affine value
    case OpCode::warp_all: return e_.define(op_, {all()});
    case OpCode::warp_any: return e_.define(op_, {e_.any(e_.both(e_.mask(), e_.vector(operand()[0])))});
    case OpCode::warp_all_equal: return e_.define(op_, {all_equal()});
    case OpCode::warp_ballot: return e_.define(op_, {ballot()});
    case OpCode::warp_and: return reduce(OpCode::and_);
    case OpCode::warp_or: return reduce(OpCode::or_);
    case OpCode::warp_xor: return reduce(OpCode::xor_);
    case OpCode::warp_sum: return reduce(OpCode::add);
    case OpCode::warp_product: return reduce(OpCode::mul);
    case OpCode::warp_min: return reduce(OpCode::min);
    case OpCode::warp_max: return reduce(OpCode::max);
    case OpCode::warp_prefix_sum: return scan(OpCode::add);
    case OpCode::warp_prefix_product: return scan(OpCode::mul);
    case OpCode::warp_prefix_count: return e_.define(op_, {prefix_count()});
    case OpCode::warp_read: return read();
    case OpCode::warp_read_first:
      return define_each([lane = first_lane(), this](const Leaf& leaf) { return e_.lane_of(leaf, lane); });
    case OpCode::warp_is_first: return e_.define(op_, {is_first()});
    default: WEFT_UNREACHABLE("{} is no warp operation", ir::info(op_.code).text);
  }
}

}  // namespace

void lower_warp(Emitter& e, ir::OpId id) { Warp(e, e.f.op(id)).lower(); }

}  // namespace weft::lower
