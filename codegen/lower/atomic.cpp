// The family atomic: lane after lane in lane order, but for what all lanes do to one number.
#include <algorithm>
#include <memory>

#include "codegen/lower/address.h"
#include "codegen/lower/arith.h"
#include "codegen/lower/atomic_access.h"
#include "codegen/lower/fold.h"
#include "codegen/lower/scratch.h"
#include "codegen/passes/shape_rules.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using llvm::Value;

// A pack of which single lanes are wanted. Where their numbers are known only at run time it is kept in memory, as LLVM
// would put it there for each such access anew.
class Lanes {
 public:
  Lanes(Emitter& e, const Leaf& leaf) : e_(e), pack_(leaf.shape.is_uniform() ? leaf.value : e.vector(leaf)) {}

  Value* at(Value* lane) {
    if (!pack_->getType()->isVectorTy()) {
      return pack_;
    }
    return memory_ != nullptr ? e_.b.CreateLoad(pack_->getType()->getScalarType(), memory_->lane(lane))
                              : e_.b.CreateExtractElement(pack_, lane);
  }

  void keep_in_memory() {
    if (pack_->getType()->isVectorTy()) {
      memory_ = std::make_unique<Scratch>(e_, pack_->getType(), "lanes");
      memory_->store(pack_);
    }
  }
  void release() { memory_ = nullptr; }

 private:
  Emitter& e_;
  Value* pack_;
  std::unique_ptr<Scratch> memory_;
};

class Atomic {
 public:
  Atomic(Emitter& e, const ir::Op& op)
      : e_(e),
        op_(op),
        place_(e.place(e.f.operand(op, 0))),
        how_{op.code, e.scalar_kind(place_.type), place_.space == Space::shared},
        mask_(active_valid_mask(e, place_)) {}

  void lower();

 private:
  [[nodiscard]] bool is_used() const { return op_.result.valid() && e_.result_used(op_.result); }
  [[nodiscard]] bool reducible() const;
  void load_once();
  void reduce();
  [[nodiscard]] Value* reduced(OpCode combining);
  [[nodiscard]] Value* repeated(OpCode combining, Value* value);
  void each_lane();
  void all_lanes();
  void one_lane(Value* lane);
  [[nodiscard]] Value* address(Value* lane);
  // Runs `then` unless no lane is active and in range.
  void guarded(const std::function<void()>& then);

  Emitter& e_;
  const ir::Op& op_;
  const Place& place_;
  AtomicAccess how_;
  Value* mask_;                  // null for all lanes
  std::vector<Lanes> operands_;  // all but the place
  std::optional<Lanes> term_;    // what is added to the place's base: its one vector term
  std::optional<Lanes> places_;  // the addresses, where there are several terms
  std::optional<Scratch> result_;
};

// The lanes may be combined first: where that gives the same number, or in fast math.
bool Atomic::reducible() const {
  const auto combining = combining_op(op_.code);
  if (!combining || e_.width == 1 || is_used() || !is_uniform(place_)) {
    return false;
  }
  return !is_float(how_.kind) || *combining != OpCode::add || e_.plan.math == ir::MathMode::fast;
}

void Atomic::guarded(const std::function<void()>& then) {
  if (mask_ == nullptr || place_.valid == nullptr) {
    then();
  } else {
    e_.emit_if(e_.any(mask_), then);
  }
}

// One load serves all lanes.
void Atomic::load_once() {
  e_.note(RemarkKind::atomic_once);
  llvm::Type* type = e_.scalar_type(how_.kind);
  Scratch result(e_, type, "atomic");
  result.store(e_.zero(type));
  guarded([&] { result.store(access(e_, how_, place_.base, {})); });
  Value* loaded = e_.splat(result.load());
  e_.define(op_, {mask_ == nullptr ? loaded : e_.b.CreateSelect(mask_, loaded, e_.zero(loaded->getType()))});
}

// The active lanes combine the same value.
Value* Atomic::repeated(OpCode combining, Value* value) {
  if (combining != OpCode::add && combining != OpCode::xor_) {
    return value;
  }
  Value* bits = e_.bits_of(mask_ != nullptr ? mask_ : e_.mask_or_all());
  Value* count = e_.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, e_.b.CreateZExt(bits, e_.b.getInt32Ty()));
  if (is_float(how_.kind)) {
    return e_.b.CreateFMul(value, e_.b.CreateUIToFP(count, value->getType()));
  }
  Value* times = e_.b.CreateZExtOrTrunc(count, value->getType());
  if (combining == OpCode::xor_) {
    times = e_.b.CreateAnd(times, llvm::ConstantInt::get(value->getType(), 1));
  }
  return e_.b.CreateMul(value, times);
}

Value* Atomic::reduced(OpCode combining) {
  const Leaf operand = e_.leaf(e_.f.operand(op_, 1));
  if (operand.shape.is_uniform()) {
    return repeated(combining, operand.value);
  }
  Value* pack = e_.vector(operand);
  if (mask_ != nullptr) {
    pack = e_.b.CreateSelect(mask_, pack, e_.splat(neutral(e_, combining, how_.kind)));
  }
  return fold(e_, combining, how_.kind, pack);
}

// What is subtracted lane after lane is subtracted as a sum.
void Atomic::reduce() {
  e_.note(RemarkKind::atomic_reduced);
  const OpCode combining = *combining_op(op_.code);
  guarded([&] {
    Value* value = reduced(combining == OpCode::sub ? OpCode::add : combining);
    access(e_, how_, place_.base, {value});
  });
  e_.define(op_, {e_.zero(e_.pack_type(e_.scalar_type(how_.kind)))});  // not used
}

// A lane's number is added to a scalar base: a vector of addresses would take twice the registers of one of 32 bit
// indices, and each address two instructions to get out of it.
Value* Atomic::address(Value* lane) {
  if (places_) {
    return places_->at(lane);
  }
  const auto moved = [&](Value* base, Value* number, std::uint64_t scale) {
    Value* wide = e_.b.CreateSExt(number, e_.b.getInt64Ty());
    return e_.b.CreateGEP(e_.b.getInt8Ty(), base, e_.b.CreateMul(wide, e_.b.getInt64(scale)));
  };
  Value* base = place_.stride == 0 ? place_.base : moved(place_.base, lane, static_cast<std::uint64_t>(place_.stride));
  return term_ ? moved(base, term_->at(lane), place_.terms[0].scale) : base;
}

void Atomic::one_lane(Value* lane) {
  llvm::SmallVector<Value*, 2> values;
  for (Lanes& pack : operands_) {
    values.push_back(pack.at(lane));
  }
  Value* before = access(e_, how_, address(lane), values);
  if (result_) {
    e_.b.CreateStore(before, result_->lane(lane));
  }
}

void Atomic::all_lanes() {
  for (std::uint32_t lane = 0; lane < e_.width; ++lane) {
    one_lane(e_.b.getInt32(lane));
  }
}

// Without a loop where all lanes take part, which with the plain operations of shared memory is worth a test:
//   if (all(mask)) { lane 0; lane 1; ... } else { for each lane of the mask: lane }
void Atomic::each_lane() {
  e_.note(how_.is_shared ? RemarkKind::atomic_plain : RemarkKind::atomic_each_lane);
  if (mask_ == nullptr) {
    return all_lanes();
  }
  llvm::BasicBlock* done = nullptr;
  if (how_.is_shared && e_.width > 1) {
    llvm::BasicBlock* straight = e_.block("atomic.all");
    llvm::BasicBlock* some = e_.block("atomic.some");
    done = e_.block("atomic.done");
    Value* bits = e_.bits_of(mask_);
    Value* all = e_.b.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
    e_.b.CreateCondBr(all, straight, some);
    e_.b.SetInsertPoint(straight);
    all_lanes();
    e_.b.CreateBr(done);
    e_.b.SetInsertPoint(some);
  }
  std::vector<Lanes*> packs;
  for (Lanes& pack : operands_) packs.push_back(&pack);
  for (std::optional<Lanes>* pack : {&term_, &places_}) {
    if (*pack) packs.push_back(&**pack);
  }
  std::ranges::for_each(packs, &Lanes::keep_in_memory);
  e_.for_each_lane(mask_, [&](Value* lane) { one_lane(lane); });
  std::ranges::for_each(packs, &Lanes::release);
  if (done != nullptr) {
    e_.branch_to(done);
  }
}

void Atomic::lower() {
  if (op_.code == OpCode::atomic_load && is_uniform(place_)) {
    return load_once();
  }
  if (reducible()) {
    return reduce();
  }
  for (std::size_t i = 1; i < op_.operand_count; ++i) {
    operands_.emplace_back(e_, e_.leaf(e_.f.operand(op_, i)));
  }
  if (place_.terms.size() == 1) {
    term_.emplace(e_, Leaf{place_.terms[0].value, passes::kVarying});
  } else if (place_.terms.size() > 1) {
    places_.emplace(e_, Leaf{addresses(e_, place_), passes::kVarying});
  }
  llvm::Type* pack = e_.pack_type(e_.scalar_type(how_.kind));
  if (is_used()) {
    result_.emplace(e_, pack, "atomic");
    result_->store(e_.zero(pack));
  }
  each_lane();
  if (op_.result.valid()) {
    e_.define(op_, {result_ ? result_->load() : e_.zero(pack)});
  }
}

}  // namespace

void lower_atomic(Emitter& e, ir::OpId id) {
  const ir::Op& op = e.f.op(id);
  if (op.code == OpCode::fence) {
    e.b.CreateFence(llvm::AtomicOrdering::AcquireRelease);
    return;
  }
  Atomic(e, op).lower();
}

}  // namespace weft::lower
