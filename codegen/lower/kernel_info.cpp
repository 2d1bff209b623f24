// The KernelInfo of an object, as constant data.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "codegen/lower/block.h"
#include "codegen/passes/root.h"

namespace weft::lower {

namespace {

class InfoBuilder {
 public:
  InfoBuilder(llvm::Module& module, const ir::Module& source)
      : module_(module), source_(source), c_(module.getContext()) {}

  void run(const ir::Function& kernel, const KernelPlan& plan);

 private:
  llvm::Constant* word(std::uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(c_), value); }
  llvm::Constant* wide(std::uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(c_), value); }
  llvm::Constant* text(llvm::StringRef string) {
    return data(llvm::ConstantDataArray::getString(c_, string), "weft.text");
  }
  llvm::Constant* record(llvm::ArrayRef<llvm::Constant*> fields) { return llvm::ConstantStruct::getAnon(c_, fields); }
  llvm::Constant* data(llvm::Constant* value, const char* name) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
  }
  // A table of records, or null.
  llvm::Constant* table(const std::vector<llvm::Constant*>& rows) {
    if (rows.empty()) {
      return llvm::ConstantPointerNull::get(llvm::PointerType::get(c_, 0));
    }
    return data(llvm::ConstantArray::get(llvm::ArrayType::get(rows[0]->getType(), rows.size()), rows), "weft.table");
  }

  llvm::Constant* argument(const ir::Function& kernel, const KernelPlan& plan, std::size_t i);
  llvm::Constant* site(const Site& site);

  llvm::Module& module_;
  const ir::Module& source_;
  llvm::LLVMContext& c_;
  std::vector<passes::BufferUse> uses_;
};

llvm::Constant* InfoBuilder::argument(const ir::Function& kernel, const KernelPlan& plan, std::size_t i) {
  const ir::ValueId value = kernel.parameters[i].value;
  const ir::TypeId type = kernel.type(value);
  const ir::TypeKind kind = source_.types[type].kind;
  const abi::ArgumentKind argument_kind = kind == ir::TypeKind::buffer        ? abi::ArgumentKind::buffer
                                          : kind == ir::TypeKind::byte_buffer ? abi::ArgumentKind::byte_buffer
                                                                              : abi::ArgumentKind::value;
  std::uint32_t flags = kernel.parameters[i].is_restrict ? abi::kArgumentRestrict : 0;
  if (argument_kind != abi::ArgumentKind::value) {
    const passes::BufferUse use = uses_[i];
    flags |= (use.read ? abi::kArgumentRead : 0) | (use.written ? abi::kArgumentWritten : 0);
  }
  const ir::ArgumentSlot slot = plan.arguments.slots[i];
  return record({text(source_.string(kernel.value(value).name)), text(source_.types.text(type)),
                 word(static_cast<std::uint32_t>(argument_kind)), word(flags), word(slot.offset_bytes),
                 word(slot.size_bytes),
                 wide(source_.types[type].stride_bytes * (argument_kind != abi::ArgumentKind::value))});
}

llvm::Constant* InfoBuilder::site(const Site& s) {
  return record({text(s.text), text(s.value_types), text(source_.string(s.location.file)), word(s.location.line),
                 word(s.location.column), word(static_cast<std::uint32_t>(s.kind)), word(s.value_types.size())});
}

void InfoBuilder::run(const ir::Function& kernel, const KernelPlan& plan) {
  uses_ = passes::buffer_uses(source_, kernel);
  std::vector<llvm::Constant*> arguments;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    arguments.push_back(argument(kernel, plan, i));
  }
  std::vector<llvm::Constant*> sites;
  for (const Site& s : plan.sites) {
    sites.push_back(site(s));
  }
  const std::uint32_t flags =
      (plan.suspends ? abi::kKernelSuspends : 0) | (plan.uniform_barriers ? abi::kKernelPhaseLoops : 0) |
      (plan.unchecked ? abi::kKernelUnchecked : 0) | (plan.interruptible ? abi::kKernelInterruptible : 0) |
      (plan.math == ir::MathMode::fast ? abi::kKernelFastMath : 0) | (plan.cooperative ? abi::kKernelCooperative : 0);
  const auto& size = kernel.attributes.block_size;
  llvm::Constant* info = record(
      {word(abi::kAbiVersion), word(flags), text(kernel.name), word(plan.width), word(kernel.attributes.warp_size),
       word(size[0]), word(size[1]), word(size[2]), word(plan.suspend_points), wide(plan.arguments.size_bytes),
       wide(plan.shared_bytes), wide(plan.frame_bytes), wide(plan.frame_align), wide(plan.scratch_bytes),
       wide(plan.resident_bytes), word(arguments.size()), word(sites.size()), table(arguments), table(sites)});
  // References made while lowering are to a symbol of unknown size.
  auto* symbol = new llvm::GlobalVariable(module_, info->getType(), true, llvm::GlobalValue::ExternalLinkage, info, "");
  symbol->setAlignment(llvm::Align(8));
  if (llvm::GlobalVariable* reference = module_.getGlobalVariable(abi::kInfoSymbol)) {
    reference->replaceAllUsesWith(symbol);
    reference->eraseFromParent();
  }
  symbol->setName(abi::kInfoSymbol);
}

}  // namespace

void build_kernel_info(llvm::Module& module, const ir::Module& source, const ir::Function& kernel,
                       const KernelPlan& plan) {
  InfoBuilder(module, source).run(kernel, plan);
}

}  // namespace weft::lower
