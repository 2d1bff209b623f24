#include "codegen/lower/shuffle.h"

#include <numeric>

namespace weft::lower {

namespace {

using Lanes = llvm::SmallVector<int, 64>;

std::uint32_t lane_count(const llvm::Value* vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

// Where bit `step` of the lane is 0 lanes of `a`, else of `c`; of each those in which that bit is `upper`.
llvm::Value* halves(llvm::IRBuilder<>& b, llvm::Value* a, llvm::Value* c, std::uint32_t step, bool upper) {
  const std::uint32_t width = lane_count(a);
  Lanes lanes(width);
  for (std::uint32_t lane = 0; lane < width; ++lane) {
    const std::uint32_t source = (lane & ~step) | (upper ? step : 0);
    lanes[lane] = static_cast<int>((lane & step) != 0 ? width + source : source);
  }
  return b.CreateShuffleVector(a, c, lanes);
}

}  // namespace

llvm::Value* piece(llvm::IRBuilder<>& b, llvm::Value* vector, std::uint32_t r, std::uint32_t size) {
  Lanes lanes(size);
  std::iota(lanes.begin(), lanes.end(), static_cast<int>(r * size));
  return b.CreateShuffleVector(vector, lanes);
}

llvm::Value* joined(llvm::IRBuilder<>& b, Values pieces) {
  while (pieces.size() > 1) {
    Lanes lanes(2 * std::size_t{lane_count(pieces[0])});
    std::iota(lanes.begin(), lanes.end(), 0);
    Values wider;
    for (std::size_t i = 0; i < pieces.size(); i += 2) {
      wider.push_back(b.CreateShuffleVector(pieces[i], pieces[i + 1], lanes));
    }
    pieces = std::move(wider);
  }
  return pieces[0];
}

Values transposed(llvm::IRBuilder<>& b, Values vectors) {
  for (std::uint32_t step = 1; step < vectors.size(); step *= 2) {
    for (std::uint32_t i = 0; i < vectors.size(); ++i) {
      if ((i & step) == 0) {
        llvm::Value* a = vectors[i];
        llvm::Value* c = vectors[i + step];
        vectors[i] = halves(b, a, c, step, false);
        vectors[i + step] = halves(b, a, c, step, true);
      }
    }
  }
  return vectors;
}

}  // namespace weft::lower
