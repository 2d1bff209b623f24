#include "codegen/lower/fold.h"

#include <numeric>

#include "codegen/lower/arith.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

using ir::OpCode;
using ir::TypeKind;
using llvm::Value;

// Lanes first to first + count - 1.
Value* lanes(Emitter& e, Value* pack, std::uint32_t first, std::uint32_t count) {
  llvm::SmallVector<int, 32> indices(count);
  std::iota(indices.begin(), indices.end(), static_cast<int>(first));
  return e.b.CreateShuffleVector(pack, indices);
}

// Lane i gets lane i - distance, the lowest ones get `fill`.
Value* moved_up(Emitter& e, Value* pack, std::uint32_t distance, llvm::Constant* fill) {
  llvm::SmallVector<int, 32> indices;
  for (std::uint32_t lane = 0; lane < e.width; ++lane) {
    indices.push_back(static_cast<int>(lane < distance ? e.width + lane : lane - distance));
  }
  return e.b.CreateShuffleVector(pack, e.splat(fill), indices);
}

// Floats begin at 0, not at -0.
llvm::Constant* start(Emitter& e, OpCode code, TypeKind kind) {
  return code == OpCode::add ? e.zero(e.scalar_type(kind)) : neutral(e, code, kind);
}

Value* floats_before(Emitter& e, OpCode code, TypeKind kind, Value* pack) {
  Value* sum = start(e, code, kind);
  Value* result = e.zero(pack->getType());
  for (std::uint64_t lane = 0; lane < e.width; ++lane) {
    result = e.b.CreateInsertElement(result, sum, lane);
    sum = combine(e, code, kind, sum, e.b.CreateExtractElement(pack, lane));
  }
  return result;
}

// Of bools, as bits: all, any, or an odd number of them.
Value* fold_bools(Emitter& e, OpCode code, Value* pack) {
  Value* bits = e.bits_of(pack);
  switch (code) {
    case OpCode::and_: return e.b.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
    case OpCode::or_: return e.b.CreateICmpNE(bits, e.zero(bits->getType()));
    default: return e.b.CreateTrunc(e.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), e.b.getInt1Ty());
  }
}

}  // namespace

llvm::Constant* neutral(Emitter& e, OpCode code, TypeKind kind) {
  llvm::Type* type = e.scalar_type(kind);
  const std::uint32_t bits = ir::scalar_bits(kind);
  switch (code) {
    case OpCode::add: return is_float(kind) ? llvm::ConstantFP::getNegativeZero(type) : e.zero(type);
    case OpCode::mul: return is_float(kind) ? llvm::ConstantFP::get(type, 1.0) : llvm::ConstantInt::get(type, 1);
    case OpCode::or_:
    case OpCode::xor_: return e.zero(type);
    case OpCode::and_: return llvm::Constant::getAllOnesValue(type);
    case OpCode::min:
      return is_float(kind)    ? llvm::ConstantFP::getNaN(type)
             : is_signed(kind) ? llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits))
                               : llvm::Constant::getAllOnesValue(type);
    case OpCode::max:
      return is_float(kind)    ? llvm::ConstantFP::getNaN(type)
             : is_signed(kind) ? llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits))
                               : e.zero(type);
    default: WEFT_UNREACHABLE("{} folds no lanes", ir::info(code).text);
  }
}

Value* fold(Emitter& e, OpCode code, TypeKind kind, Value* pack) {
  if (kind == TypeKind::boolean) {
    return fold_bools(e, code, pack);
  }
  for (std::uint32_t half = e.width / 2; half != 0; half /= 2) {
    pack = combine(e, code, kind, lanes(e, pack, 0, half), lanes(e, pack, half, half));
  }
  return e.width == 1 ? pack : e.b.CreateExtractElement(pack, std::uint64_t{0});
}

Value* fold_before(Emitter& e, OpCode code, TypeKind kind, Value* pack) {
  if (is_float(kind)) {
    return floats_before(e, code, kind, pack);
  }
  llvm::Constant* fill = neutral(e, code, kind);
  Value* result = moved_up(e, pack, 1, fill);
  for (std::uint32_t distance = 1; distance < e.width; distance *= 2) {
    result = combine(e, code, kind, result, moved_up(e, result, distance, fill));
  }
  return result;
}

}  // namespace weft::lower
