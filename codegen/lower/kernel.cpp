#include "codegen/lower/kernel.h"

#include <algorithm>

#include "codegen/lower/context.h"
#include "codegen/lower/control.h"
#include "codegen/lower/coroutine.h"
#include "codegen/lower/emitter.h"

namespace weft::lower {

using ir::Function;
using ir::OpCode;
using ir::OpId;

namespace {

// Beyond this many ops the version for partial blocks serves full ones too: compile time counts more than masks.
constexpr std::size_t kMaxOpsForTwoVersions = 20000;

bool has_barrier(const Function& f) {
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    if (f.op(OpId(i)).code == OpCode::barrier) {
      return true;
    }
  }
  return false;
}

// Every barrier, and every return while others stay, is taken by all lanes of the block together.
bool barriers_are_uniform(ir::Module& module, const Function& f) {
  const passes::Shapes block = passes::analyse_shapes(module, f, {.block = true});
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const OpCode code = f.op(OpId(i)).code;
    if (code == OpCode::barrier && !block.in_root_class(OpId(i))) {
      return false;
    }
    // A pack that returned or faulted is not at the barrier with the others.
    const bool ends =
        code == OpCode::return_ ? block.divergent(OpId(i)) : code == OpCode::assert_ || code == OpCode::unreachable;
    if (ends) {
      return false;
    }
  }
  return true;
}

class KernelLowering {
 public:
  KernelLowering(llvm::Module& out, ir::Module& module, const Function& kernel, const passes::Shapes& shapes,
                 KernelPlan& plan)
      : e_(out, module, kernel, shapes, plan) {}

  llvm::Function* run(const char* name, bool masked) {
    e_.function = llvm::Function::Create(pack_function_type(e_.out.getContext(), e_.width),
                                         llvm::GlobalValue::ExternalLinkage, name, e_.out);
    e_.function->setDoesNotThrow();
    e_.b.SetInsertPoint(e_.block("entry"));
    e_.exit = e_.block("exit");
    if (e_.plan.suspends) {
      coroutine_.live = passes::live_across_suspend(e_.f);
      e_.coroutine = &coroutine_;
      begin_coroutine(e_);
    }
    if (masked && e_.width > 1) {
      e_.set_mask(context_value(e_.b, ContextValue::entry_mask, e_.mask_type()));
    }
    define_parameters();
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
  // Arguments by value are read leaf by leaf, as memory is.
  void define_parameters() {
    for (std::size_t i = 0; i < e_.f.parameters.size(); ++i) {
      const ir::ValueId value = e_.f.parameters[i].value;
      const ir::TypeKind kind = e_.in.types[e_.f.type(value)].kind;
      if (kind != ir::TypeKind::buffer && kind != ir::TypeKind::byte_buffer) {
        define_argument(e_, value, e_.plan.arguments.slots[i].offset_bytes);
      }
    }
  }

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

KernelPlan make_plan(ir::Module& module, const Function& kernel, std::uint32_t width) {
  KernelPlan plan;
  plan.width = width;
  plan.unchecked = kernel.attributes.unchecked;
  plan.math = kernel.attributes.math;
  plan.arguments = ir::layout_arguments(module.types, kernel);
  plan.suspends = has_barrier(kernel) && plan.pack_count(kernel) > 1;
  plan.uniform_barriers = plan.suspends && barriers_are_uniform(module, kernel);
  return plan;
}

PackFunctions lower_kernel(llvm::Module& out, ir::Module& module, const Function& kernel, KernelPlan& plan) {
  const passes::Shapes shapes = passes::analyse_shapes(module, kernel, {.width = plan.width});
  PackFunctions functions;
  functions.partial = KernelLowering(out, module, kernel, shapes, plan).run("weft_pack_partial", true);
  const bool may_be_full = kernel.attributes.lane_count() % plan.width == 0;
  if (plan.width > 1 && may_be_full && kernel.op_count() <= kMaxOpsForTwoVersions) {
    const std::uint64_t scratch_bytes = std::exchange(plan.scratch_bytes, 0);
    plan.suspend_points = 0;
    functions.full = KernelLowering(out, module, kernel, shapes, plan).run("weft_pack", false);
    plan.scratch_bytes = std::max(plan.scratch_bytes, scratch_bytes);
  }
  return functions;
}

}  // namespace weft::lower
