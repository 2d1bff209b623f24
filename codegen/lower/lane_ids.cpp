#include "codegen/lower/lane_ids.h"

namespace weft::lower {

namespace {

std::uint64_t lanes_before(const ir::Function& kernel, std::uint64_t dimension) {
  std::uint64_t lanes = 1;
  for (std::uint64_t d = 0; d < dimension; ++d) {
    lanes *= kernel.attributes.block_size[d];
  }
  return lanes;
}

llvm::Value* constant(llvm::Value* like, std::uint64_t value) { return llvm::ConstantInt::get(like->getType(), value); }

llvm::Value* divide(llvm::IRBuilder<>& b, llvm::Value* a, std::uint64_t divisor) {
  return divisor == 1 ? a : b.CreateUDiv(a, constant(a, divisor));
}

// The number of a lane in its block as a place along a dimension: (lane / lanes before) modulo the block's extent.
llvm::Value* along(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* lane, std::uint64_t dimension) {
  const std::uint32_t extent = kernel.attributes.block_size[dimension];
  if (extent == 1) {
    return constant(lane, 0);
  }
  llvm::Value* steps = divide(b, lane, lanes_before(kernel, dimension));
  const bool last = lanes_before(kernel, dimension) * extent == kernel.attributes.lane_count();
  return last ? steps : b.CreateURem(steps, constant(lane, extent));
}

llvm::Value* iota(llvm::IRBuilder<>& b, std::uint32_t width) {
  llvm::SmallVector<std::uint32_t, 32> lanes(width);
  for (std::uint32_t i = 0; i < width; ++i) {
    lanes[i] = i;
  }
  return llvm::ConstantDataVector::get(b.getContext(), lanes);
}

llvm::Value* lane_numbers(llvm::IRBuilder<>& b, llvm::Value* first_lane, std::uint32_t width) {
  return width == 1 ? first_lane : b.CreateAdd(b.CreateVectorSplat(width, first_lane), iota(b, width));
}

}  // namespace

llvm::Value* scalar_thread_id(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* first_lane,
                              std::uint64_t dimension) {
  return along(b, kernel, first_lane, dimension);
}

llvm::Value* vector_thread_id(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* first_lane,
                              std::uint32_t width, std::uint64_t dimension) {
  const std::uint64_t before = lanes_before(kernel, dimension);
  const std::uint32_t extent = kernel.attributes.block_size[dimension];
  // Lane 0 is the first of a row of `before` lanes: the steps within the pack are a constant.
  if (width > 1 && before <= width && width % before == 0) {
    llvm::Value* steps = divide(b, iota(b, width), before);
    if (before * extent <= width && width % (before * extent) == 0) {
      return b.CreateURem(steps, constant(steps, extent));
    }
    llvm::Value* base = b.CreateVectorSplat(width, divide(b, first_lane, before));
    llvm::Value* sum = b.CreateAdd(base, steps);
    const bool last = before * extent == kernel.attributes.lane_count();
    return last ? sum : b.CreateURem(sum, constant(sum, extent));
  }
  return along(b, kernel, lane_numbers(b, first_lane, width), dimension);
}

llvm::Value* existing_lanes(llvm::IRBuilder<>& b, const ir::Function& kernel, llvm::Value* first_lane,
                            std::uint32_t width, llvm::ArrayRef<llvm::Value*> limit) {
  llvm::Value* numbers = lane_numbers(b, first_lane, width);
  llvm::Value* exists = b.CreateICmpULT(numbers, constant(numbers, kernel.attributes.lane_count()));
  for (std::uint64_t d = 0; d < 3; ++d) {
    if (kernel.attributes.block_size[d] == 1) {
      continue;  // a block that is started has a lane there
    }
    llvm::Value* place = vector_thread_id(b, kernel, first_lane, width, d);
    llvm::Value* end = width == 1 ? limit[d] : b.CreateVectorSplat(width, limit[d]);
    exists = b.CreateAnd(exists, b.CreateICmpULT(place, end));
  }
  return exists;
}

}  // namespace weft::lower
