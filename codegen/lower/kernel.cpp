#include "codegen/lower/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/lower/context.h"
#include "codegen/lower/control.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/emitter.h"
#include "codegen/lower/segments.h"
#include "runtime/support/stage_times.h"

namespace weft::lower {

using ir::Function;
using ir::OpCode;
using ir::OpId;

namespace {

// Beyond this many ops the version for partial blocks serves full ones too: compile time counts more than masks.
constexpr std::size_t kMaxOpsForTwoVersions = 20000;

bool has_any(const Function& f, std::initializer_list<OpCode> codes) {
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    if (std::ranges::find(codes, f.op(OpId(i)).code) != codes.end()) {
      return true;
    }
  }
  return false;
}

// More than this is not kept beside a block's own code, on its worker's stack, but in frames of the arena.
constexpr std::uint64_t kMaxKeptBytes = 16384;

// The first op that keeps packs from being at every barrier together; invalid where all lanes of the block take every
// barrier, and every return while others stay, together.
OpId parts_packs(const Function& f, const passes::Shapes& block) {
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const OpCode code = f.op(OpId(i)).code;
    if (code == OpCode::barrier && !block.in_root_class(OpId(i))) {
      return OpId(i);
    }
    // A pack that returned or faulted is not at the barrier with the others.
    const bool ends =
        code == OpCode::return_ ? block.divergent(OpId(i)) : code == OpCode::assert_ || code == OpCode::unreachable;
    if (ends) {
      return OpId(i);
    }
  }
  return {};
}

FormReason why_not_uniform(const Function& f, OpId parts) {
  const ir::Op& op = f.op(parts);
  const char* text = op.code == OpCode::barrier ? "not all lanes of the block are known to reach this barrier together"
                     : op.code == OpCode::return_ ? "some lanes of the block return here while others go on"
                                                  : "a pack may end here while others go on";
  return {text, op.location};
}

// What a dispatch that runs out of memory names as its place: the largest local variable, or the kernel itself.
Site memory_site(const ir::Module& module, const Function& f) {
  Site site{abi::SiteKind::out_of_memory, "", "", f.location};
  std::uint64_t largest = sizeof(std::uint64_t) * 4;  // smaller ones are not worth blaming
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const ir::Op& op = f.op(OpId(i));
    const std::uint64_t bytes = op.code == OpCode::local ? module.types[module.types[op.type].element].size_bytes : 0;
    if (bytes > largest) {
      largest = bytes;
      site.location = op.location;
    }
  }
  return site;
}

class KernelLowering {
 public:
  KernelLowering(llvm::Module& out, ir::Module& module, const Function& kernel, const passes::Shapes& shapes,
                 KernelPlan& plan)
      : e_(out, module, kernel, shapes, plan) {}

  llvm::Function* run(const char* name, bool masked) {
    if (e_.plan.remarks != nullptr) {
      e_.plan.remarks->begin_version(e_.shapes);
    }
    e_.begin_function(llvm::Function::Create(pack_function_type(e_.out.getContext(), e_.width),
                                             llvm::GlobalValue::ExternalLinkage, name, e_.out),
                      "pack");
    e_.exit = e_.block("exit");
    if (e_.plan.suspends) {
      coroutine_.live = passes::live_across_suspend(e_.f);
      e_.coroutine = &coroutine_;
      begin_coroutine(e_);
    }
    if (masked && e_.width > 1) {
      e_.set_mask(context_value(e_.b, ContextValue::entry_mask, e_.mask_type()));
    }
    for (const ir::Parameter& parameter : e_.f.parameters) {
      define_parameter(e_, parameter.value);
    }
    prepare_returns(e_);
    e_.lower_region(e_.f.body());
    e_.branch_to(e_.exit);
    if (e_.plan.suspends) {
      end_coroutine(e_);
    } else {
      e_.b.CreateRet(llvm::ConstantPointerNull::get(e_.b.getPtrTy()));
      bind_pack_function(*e_.function);
    }
    return e_.function;
  }

 private:
  Emitter e_;
  Coroutine coroutine_;
};

}  // namespace

llvm::FunctionType* pack_function_type(llvm::LLVMContext& context, std::uint32_t width) {
  llvm::Type* ptr = llvm::PointerType::get(context, 0);
  return llvm::FunctionType::get(
      ptr, {ptr, ptr, llvm::Type::getInt32Ty(context), llvm::Type::getIntNTy(context, width), ptr}, false);
}

void bind_pack_function(llvm::Function& f) {
  bind_context(f, {f.getArg(kBlockContext), f.getArg(kFirstLane), f.getArg(kExistingLanes), f.getArg(kScratch)});
}

KernelPlan make_plan(ir::Module& module, const Function& kernel, std::uint32_t width, Form form) {
  KernelPlan plan;
  plan.width = width;
  plan.unchecked = kernel.attributes.unchecked;
  plan.math = kernel.attributes.math;
  plan.arguments = ir::layout_arguments(module.types, kernel);
  plan.sites.push_back(memory_site(module, kernel));
  const bool has_barrier = has_any(kernel, {OpCode::barrier});
  plan.cooperative = has_any(kernel, {OpCode::grid_sync, OpCode::wait_until});
  plan.suspends = plan.cooperative || (has_barrier && plan.pack_count(kernel) > 1);
  if (plan.cooperative || !plan.suspends) {
    plan.form_reason.text = plan.cooperative ? "it waits for other blocks"
                            : has_barrier    ? "the block is one pack"
                                             : "it has no barriers";
    return plan;
  }
  passes::Shapes block = passes::analyse_shapes(module, kernel, {.block = true});
  const OpId parts = parts_packs(kernel, block);
  plan.uniform_barriers = !parts.valid();
  const bool wanted = form == Form::fission || (form == Form::automatic && width > 1);
  if (!plan.uniform_barriers) {
    plan.form_reason = why_not_uniform(kernel, parts);
    return plan;
  }
  if (!wanted) {
    plan.form_reason.text =
        form == Form::coroutines ? "as asked" : "one lane a pack is a coroutine unless fission is asked for";
    return plan;
  }
  auto program = passes::split_at_barriers(module, kernel, block);
  if (!program) {
    plan.form_reason.text = "a local array is used on both sides of a barrier, or control flow around one differs";
  } else if (const std::uint64_t bytes = kept_bytes(module, kernel, *program); bytes > kMaxKeptBytes) {
    plan.form_reason.text =
        fmt::format("cut at its barriers it would keep {} bytes a block, more than {}", bytes, kMaxKeptBytes);
  } else {
    plan.form_reason.text = "all lanes of the block take every barrier together";
    plan.fission = Fission{std::move(block), std::move(*program)};
    plan.suspends = false;
  }
  return plan;
}

bool has_full_version(const Function& kernel, const KernelPlan& plan) {
  const bool may_be_full = kernel.attributes.lane_count() % plan.width == 0;
  return plan.width > 1 && may_be_full && kernel.op_count() <= kMaxOpsForTwoVersions;
}

PackFunctions lower_kernel(llvm::Module& out, ir::Module& module, const Function& kernel, KernelPlan& plan) {
  const passes::Shapes shapes = [&] {
    const StageScope scope(Stage::analyse);
    return passes::analyse_shapes(module, kernel, {.width = plan.width});
  }();
  PackFunctions functions;
  functions.partial = KernelLowering(out, module, kernel, shapes, plan).run("weft_pack_partial", true);
  if (has_full_version(kernel, plan)) {
    const std::uint64_t scratch_bytes = std::exchange(plan.scratch_bytes, 0);
    plan.suspend_points = 0;
    functions.full = KernelLowering(out, module, kernel, shapes, plan).run("weft_pack", false);
    plan.scratch_bytes = std::max(plan.scratch_bytes, scratch_bytes);
  }
  return functions;
}

}  // namespace weft::lower
