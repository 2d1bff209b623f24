// A kernel as LLVM functions that run one pack.
//
// Two versions: one for blocks all of whose lanes exist, without masks at the start, and one for the others. Both are
// `ptr (ptr frame, ptr context, i32 first lane, iW existing lanes, ptr scratch)`, external
// until the block function calls them; frame and result mean something only where the kernel
// suspends: then they are coroutines that have yet to be split. How a block runs them is in block.h. A kernel that is
// cut at its barriers has functions of this kind for each segment (segments.h).
#pragma once

#include <llvm/IR/Module.h>

#include "codegen/ir/module.h"
#include "codegen/lower/form.h"
#include "codegen/lower/kernel_plan.h"

namespace weft::lower {

// Parameters of a pack function.
enum PackParameter : unsigned { kFrame, kBlockContext, kFirstLane, kExistingLanes, kScratch, kBlockIn, kBlockOut };

struct PackFunctions {
  llvm::Function* full = nullptr;  // null where blocks are never full, or where one version serves for both
  llvm::Function* partial = nullptr;
};

// What is decided before lowering. `kernel` is prepared and has no calls left.
[[nodiscard]] KernelPlan make_plan(ir::Module& module, const ir::Function& kernel, std::uint32_t width, Form form);

// Whether blocks that are full are run by a version of their own.
[[nodiscard]] bool has_full_version(const ir::Function& kernel, const KernelPlan& plan);

// Lowers a kernel that is not cut into `out`; the plan is completed.
[[nodiscard]] PackFunctions lower_kernel(llvm::Module& out, ir::Module& module, const ir::Function& kernel,
                                         KernelPlan& plan);

// The type of pack functions at a width.
[[nodiscard]] llvm::FunctionType* pack_function_type(llvm::LLVMContext& context, std::uint32_t width);

// Gives the context values of a pack function, or of a function with the same parameters, what its parameters hold.
void bind_pack_function(llvm::Function& function);

}  // namespace weft::lower
