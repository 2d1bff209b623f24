#include "codegen/lower/device_call.h"

#include <fmt/format.h>

#include <numeric>

#include "runtime/device_lib/math.h"

namespace weft::lower {

namespace {

using llvm::Value;

std::uint32_t lanes_of(const Value* v) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  return vector != nullptr ? vector->getNumElements() : 1;
}

llvm::FunctionCallee declare(Emitter& e, const std::string& symbol, llvm::ArrayRef<Value*> operands,
                             llvm::Type* result) {
  if (llvm::Function* known = e.out.getFunction(symbol)) {
    return known;
  }
  llvm::SmallVector<llvm::Type*, 2> types;
  for (const Value* v : operands) {
    types.push_back(v->getType());
  }
  auto* function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                          llvm::GlobalValue::ExternalLinkage, symbol, e.out);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return function;
}

// Lanes first to first + count - 1.
Value* lanes(Emitter& e, Value* pack, std::uint32_t first, std::uint32_t count) {
  llvm::SmallVector<int, 32> indices(count);
  std::iota(indices.begin(), indices.end(), static_cast<int>(first));
  return e.b.CreateShuffleVector(pack, indices);
}

// Packs of equal width, a power of two of them, side by side.
Value* joined(Emitter& e, llvm::ArrayRef<Value*> pieces) {
  if (pieces.size() == 1) {
    return pieces.front();
  }
  Value* low = joined(e, pieces.take_front(pieces.size() / 2));
  Value* high = joined(e, pieces.take_back(pieces.size() / 2));
  llvm::SmallVector<int, 32> indices(std::size_t{2} * lanes_of(low));
  std::iota(indices.begin(), indices.end(), 0);
  return e.b.CreateShuffleVector(low, high, indices);
}

}  // namespace

Value* call_device(Emitter& e, std::string_view name, ir::TypeKind kind, llvm::ArrayRef<Value*> operands,
                   llvm::Type* result) {
  const std::uint32_t all = lanes_of(operands.front());
  const std::uint32_t count = std::min(all, device_lib::kMaxDeviceVectorBits / ir::scalar_bits(kind));
  const std::string symbol = fmt::format("weft_{}_{}x{}", name, ir::scalar_text(kind), count);
  e.note(all == 1       ? RemarkKind::scalar_call
         : count == all ? RemarkKind::vector_call
                        : RemarkKind::split_call,
         all / count);
  llvm::SmallVector<Value*, 4> pieces;
  for (std::uint32_t first = 0; first < all; first += count) {
    llvm::SmallVector<Value*, 2> piece(operands);
    if (count < all) {
      for (Value*& v : piece) {
        v = lanes(e, v, first, count);
      }
    }
    llvm::Type* type = count == 1 ? result : llvm::FixedVectorType::get(result, count);
    pieces.push_back(e.b.CreateCall(declare(e, symbol, piece, type), piece));
  }
  return joined(e, pieces);
}

}  // namespace weft::lower
