#include "runtime/block_runner.h"

#include "runtime/support/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::runtime {
namespace {

void set_block(abi::BlockContext& context, const Size3& block) { std::ranges::copy(block, context.block_id); }

// The next block in order, x fastest.
void next_block(abi::BlockContext& context) {
  if (++context.block_id[0] < context.grid_size[0]) [[likely]]
    return;
  context.block_id[0] = 0;
  if (++context.block_id[1] < context.grid_size[1]) return;
  context.block_id[1] = 0;
  ++context.block_id[2];
}

// Blocks that outlive a thread's turn have theirs elsewhere.
std::uint64_t shared_bytes_of_thread(const abi::KernelInfo& info) {
  return (info.flags & abi::kKernelCooperative) != 0 ? 0 : info.shared_bytes;
}

}  // namespace

BlockRunner::BlockRunner(const Kernel& kernel, DispatchState& state, const std::byte* arguments)
    : kernel_(kernel),
      state_(state),
      scope_(shared_bytes_of_thread(*kernel.info)),
      context_(state.make_context(arguments)) {
  context_.shared = scope_.shared();
  context_.arena = scope_.arena().cursor();
}

std::uint64_t BlockRunner::run(std::uint64_t begin, std::uint64_t end) {
  WEFT_CONTEXT("kernel", kernel_.info->name);
  if (context_.shared == nullptr) {
    report_no_shared_memory(begin);
    return 0;
  }
  return kernel_.uses_arena() ? run_blocks<true>(begin, end) : run_blocks<false>(begin, end);
}

template <bool kUsesArena>
std::uint64_t BlockRunner::run_blocks(std::uint64_t begin, std::uint64_t end) {
  const bool may_be_unfinished = (kernel_.info->flags & abi::kKernelInterruptible) != 0;
  set_block(context_, state_.grid().block_at(begin));
  for (std::uint64_t block = begin; block < end; ++block) {
    if (state_.stop_requested()) [[unlikely]]
      return block - begin;
    if constexpr (kUsesArena) scope_.arena().begin_block();
    const abi::BlockStatus status = kernel_.function(&context_);
    if constexpr (kUsesArena) scope_.arena().end_block();
    if (status != abi::BlockStatus::done) [[unlikely]] {
      WEFT_CHECK_EQ(status, abi::BlockStatus::fault);
      WEFT_CHECK(state_.has_fault(), "a block ended in a fault that it did not report");
      return block - begin;
    }
    if (may_be_unfinished && state_.stop_requested()) [[unlikely]]
      return block - begin;
    next_block(context_);
  }
  return end - begin;
}

abi::BlockStatus BlockRunner::run_one(std::uint64_t block) {
  WEFT_CONTEXT("kernel", kernel_.info->name);
  set_block(context_, state_.grid().block_at(block));
  if (kernel_.info->scratch_bytes > 0) scope_.arena().begin_block();
  const abi::BlockStatus status = kernel_.function(&context_);
  if (kernel_.info->scratch_bytes > 0) scope_.arena().end_block();
  WEFT_CHECK(status != abi::BlockStatus::fault || state_.has_fault(),
             "a block ended in a fault that it did not report");
  return status;
}

void BlockRunner::report_no_shared_memory(std::uint64_t block) {
  std::string message = fmt::format("{} bytes of shared memory could not be had", kernel_.info->shared_bytes);
  state_.report(out_of_memory_fault(*kernel_.info, std::move(message), state_.grid().block_at(block), 0));
}

}  // namespace weft::runtime
