#include "runtime/helpers.h"

#include "runtime/dispatch_state.h"
#include "runtime/fault.h"
#include "runtime/frame_arena.h"
#include "runtime/print.h"
#include "runtime/support/check.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

using namespace weft;
using namespace weft::runtime;

namespace {

Size3 block_of(const abi::BlockContext& context) { return std::to_array(context.block_id); }

void report_out_of_memory(const abi::BlockContext& context, std::string message, std::uint32_t lane) {
  DispatchState& dispatch = DispatchState::of(context);
  dispatch.report(out_of_memory_fault(dispatch.info(), std::move(message), block_of(context), lane));
}

}  // namespace

void* weft_arena_allocate(abi::BlockContext* context, std::uint64_t size_bytes, std::uint64_t align) {
  const auto [data, failure] = FrameArena::of(context->arena).allocate(size_bytes, align);
  if (data == nullptr) {
    report_out_of_memory(*context, fmt::format("{} bytes for local variables: {}", size_bytes, describe(failure)), 0);
  }
  return data;
}

const abi::FrameRun* weft_arena_frames(abi::BlockContext* context, std::uint64_t size_bytes, std::uint64_t align,
                                       std::uint64_t count) {
  const FrameArena::Frames frames = FrameArena::of(context->arena).frames(size_bytes, align, count);
  if (frames.runs == nullptr) {
    report_out_of_memory(
        *context,
        fmt::format("frame {} of {}, {} bytes each: {}", frames.failed_pack + 1, count, size_bytes,
                    describe(frames.failure)),
        static_cast<std::uint32_t>(frames.failed_pack) * DispatchState::of(*context).info().pack_width);
  }
  return frames.runs;
}

void weft_report_fault(abi::BlockContext* context, const abi::KernelInfo* info, std::uint32_t site,
                       std::uint32_t lane) {
  WEFT_CHECK_LT(site, info->site_count);
  DispatchState& dispatch = DispatchState::of(*context);
  if (dispatch.has_fault()) return;
  dispatch.report(fault_at(*info, info->sites[site], block_of(*context), lane));
}

void weft_print(abi::BlockContext*, const abi::KernelInfo* info, std::uint32_t site, std::uint32_t,
                const std::uint64_t* values) {
  WEFT_CHECK_LT(site, info->site_count);
  print_line(format_print(info->sites[site], values));
}

std::uint64_t weft_clock() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

std::span<const Helper> weft::runtime::helpers() {
  static const std::array table = {
#define WEFT_HELPER(symbol, result, parameters) Helper{#symbol, reinterpret_cast<void*>(&symbol)},
#include "runtime/abi/helpers.def"
#undef WEFT_HELPER
  };
  return table;
}
