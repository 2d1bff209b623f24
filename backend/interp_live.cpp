#include "backend/interp_live.h"

#include "backend/interp_fault.h"
#include "codegen/interp/live_block.h"
#include "codegen/ir/arguments.h"
#include "runtime/dispatch_state.h"
#include "runtime/print.h"

#include <algorithm>
#include <new>
#include <utility>

namespace weft::backend {
namespace {

constexpr std::uint64_t kStackOffset = 64;  // behind the address of the rest

interp::Options live_options() {
  interp::Options options;
  options.print = runtime::print_line;
  return options;
}

abi::ArgumentKind kind_of(ir::TypeKind kind) {
  return kind == ir::TypeKind::buffer        ? abi::ArgumentKind::buffer
         : kind == ir::TypeKind::byte_buffer ? abi::ArgumentKind::byte_buffer
                                             : abi::ArgumentKind::value;
}

abi::CounterType counter_type(ir::TypeKind kind) {
  switch (kind) {
    case ir::TypeKind::u32: return abi::CounterType::u32;
    case ir::TypeKind::i32: return abi::CounterType::i32;
    case ir::TypeKind::i64: return abi::CounterType::i64;
    default: return abi::CounterType::u64;
  }
}

}  // namespace

// A block from its start to its end.
struct InterpretedLiveKernel::Resident {
  Resident(const interp::Machine& machine, const abi::BlockContext& context, std::size_t argument_bytes,
           std::span<std::byte> stack)
      : dispatch{.arguments = {context.arguments, argument_bytes},
                 .size = std::to_array(context.dispatch_size),
                 .kernel_id = context.kernel_id,
                 .cancel = context.cancel},
        block(machine, dispatch, std::to_array(context.block_id), stack) {}

  static Resident*& at(std::byte* memory) { return *reinterpret_cast<Resident**>(memory); }

  const interp::Dispatch dispatch;
  interp::LiveBlock block;
};

InterpretedLiveKernel::InterpretedLiveKernel(const ir::Module& module, const ir::Function& kernel,
                                             std::shared_ptr<std::mutex> one_at_a_time)
    : module_(module), machine_(module, kernel, live_options()), one_at_a_time_(std::move(one_at_a_time)) {
  describe(kernel);
  kernel_.info = &info_;
  kernel_.function = &run_block;
  kernel_.abandon = &abandon;
}

void InterpretedLiveKernel::describe(const ir::Function& kernel) {
  info_.owner = this;
  info_.abi_version = abi::kAbiVersion;
  info_.flags = abi::kKernelCooperative;
  info_.name = keep(kernel.name);
  info_.pack_width = 1;
  info_.warp_size = kernel.attributes.warp_size;
  std::ranges::copy(kernel.attributes.block_size, info_.block_size);
  info_.frame_align = kStackOffset;
  info_.resident_bytes = kStackOffset + machine_.stack_bytes() + machine_.block_bytes();
  describe_arguments(kernel);
  describe_sites();
}

void InterpretedLiveKernel::describe_arguments(const ir::Function& kernel) {
  const ir::ArgumentLayout layout = ir::layout_arguments(module_.types, kernel);
  info_.argument_bytes = layout.size_bytes;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ir::ValueId value = kernel.parameters[i].value;
    const ir::Type& type = module_.types[kernel.type(value)];
    abi::ArgumentInfo& argument = arguments_.emplace_back();
    argument.name = keep(std::string(module_.string(kernel.value(value).name)));
    argument.type = keep(module_.types.text(kernel.type(value)));
    argument.kind = kind_of(type.kind);
    argument.offset_bytes = static_cast<std::uint32_t>(layout.slots[i].offset_bytes);
    argument.size_bytes = static_cast<std::uint32_t>(layout.slots[i].size_bytes);
    argument.element_bytes = argument.kind == abi::ArgumentKind::buffer ? type.stride_bytes : 1;
  }
  info_.argument_count = static_cast<std::uint32_t>(arguments_.size());
  info_.arguments = arguments_.data();
}

void InterpretedLiveKernel::describe_sites() {
  for (const ir::Function& function : module_.functions) {
    for (std::size_t i = 0; i < function.op_count(); ++i) {
      const ir::Op& op = function.op(ir::OpId(i));
      if (op.code != ir::OpCode::grid_sync && op.code != ir::OpCode::wait_until) continue;
      const ir::Location& place = op.location;
      site_of_.try_emplace({place.file.index, place.line, place.column}, static_cast<std::uint32_t>(sites_.size()));
      sites_.push_back({keep(std::string(ir::info(op.code).text)), "", keep(std::string(module_.string(place.file))),
                        place.line, place.column, abi::SiteKind::wait, 0});
    }
  }
  info_.site_count = static_cast<std::uint32_t>(sites_.size());
  info_.sites = sites_.data();
}

abi::BlockStatus InterpretedLiveKernel::run_block(abi::BlockContext* context) {
  const auto& info = static_cast<const Info&>(runtime::DispatchState::of(*context).info());
  const std::lock_guard lock(*info.owner->one_at_a_time_);
  if (context->resume_point == 0) Resident::at(context->resident) = nullptr;
  try {
    return info.owner->advance(*context);
  } catch (const std::bad_alloc&) {
    delete std::exchange(Resident::at(context->resident), nullptr);
    runtime::DispatchState::of(*context).report(runtime::out_of_memory_fault(
        info, "the host has no memory to interpret a block", std::to_array(context->block_id), 0));
    return abi::BlockStatus::fault;
  }
}

abi::BlockStatus InterpretedLiveKernel::advance(abi::BlockContext& context) {
  runtime::DispatchState& dispatch = runtime::DispatchState::of(context);
  Resident*& resident = Resident::at(context.resident);
  if (context.resume_point == 0) {
    const std::span stack(context.resident + kStackOffset, machine_.stack_bytes());
    resident = new Resident(machine_, context, info_.argument_bytes, stack);
  }
  resident->block.resume();
  if (!resident->block.has_ended()) {
    tell(resident->block.wait(), context);
    return abi::BlockStatus::waiting;
  }
  const std::unique_ptr<Resident> ended(std::exchange(resident, nullptr));
  const auto& fault = ended->block.outcome().fault;
  if (!fault) return abi::BlockStatus::done;
  dispatch.report(to_kernel_fault(module_, info_.name, *fault));
  return abi::BlockStatus::fault;
}

void InterpretedLiveKernel::tell(const interp::BlockWait& wait, abi::BlockContext& context) const {
  const ir::Location& place = wait.location;
  const std::uint32_t site = site_of_.at({place.file.index, place.line, place.column});
  context.resume_point =
      static_cast<std::uint64_t>(wait.at_grid_barrier ? abi::PackState::at_grid_barrier : abi::PackState::waits);
  context.wait = {wait.counter, wait.value, counter_type(wait.kind), wait.lane, site, site};
}

void InterpretedLiveKernel::abandon(std::byte* resident) { delete std::exchange(Resident::at(resident), nullptr); }

}  // namespace weft::backend
