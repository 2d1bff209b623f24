#include "codegen/lower/context.h"

#include <llvm/IR/InstIterator.h>

#include <array>
#include <map>
#include <string>

#include "runtime/abi/abi.h"
#include "runtime/support/check.h"

namespace weft::lower {

namespace {

constexpr llvm::StringRef kPrefix = "weft.ctx.";
constexpr llvm::StringRef kArgumentPrefix = "weft.ctx.arg.";

constexpr std::array<llvm::StringRef, 15> kNames{
    "block",           "shared",          "scratch",     "lane",        "mask",        "block_id.0",
    "block_id.1",      "block_id.2",      "grid_size.0", "grid_size.1", "grid_size.2", "dispatch_size.0",
    "dispatch_size.1", "dispatch_size.2", "kernel_id"};

std::string type_suffix(llvm::Type* type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return text;
}

llvm::CallInst* context_call(llvm::IRBuilder<>& b, const std::string& name, llvm::Type* type) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setDoesNotFreeMemory();
  function->addFnAttr(llvm::Attribute::Speculatable);
  function->addFnAttr(llvm::Attribute::NoSync);
  function->addRetAttr(llvm::Attribute::NoUndef);
  return b.CreateCall(callee);
}

// What stands for one call, made at the entry of its function.
class Binder {
 public:
  Binder(llvm::Function& function, const ContextBinding& binding)
      : binding_(binding), b_(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  llvm::Value* value_of(llvm::StringRef name, llvm::Type* type) {
    llvm::Value*& value = values_[name.str()];
    if (value == nullptr) {
      value = make(name, type);
    }
    return value;
  }

 private:
  llvm::Value* make(llvm::StringRef name, llvm::Type* type) {
    if (name.starts_with(kArgumentPrefix)) {
      std::uint64_t offset = 0;
      WEFT_CHECK(!name.drop_front(kArgumentPrefix.size()).split('.').first.getAsInteger(10, offset));
      llvm::Value* block = value_of("weft.ctx.arguments", b_.getPtrTy());
      return load_context(b_, block, offset, type);
    }
    const llvm::StringRef field = name.drop_front(kPrefix.size());
    if (field == "block") {
      return binding_.block_context;
    }
    if (field == "lane") {
      return binding_.first_lane;
    }
    if (field == "mask") {
      return b_.CreateBitCast(binding_.entry_mask, type);
    }
    if (field == "scratch") {
      return binding_.scratch;
    }
    return load_field(field, type);
  }

  llvm::Value* load_field(llvm::StringRef field, llvm::Type* type) {
    const auto [base, digits] = field.split('.');
    std::uint64_t dimension = 0;
    if (!digits.empty()) {
      WEFT_CHECK(!digits.getAsInteger(10, dimension));
    }
    const std::size_t offset = base == "arguments"       ? offsetof(abi::BlockContext, arguments)
                               : base == "shared"        ? offsetof(abi::BlockContext, shared)
                               : base == "block_id"      ? offsetof(abi::BlockContext, block_id)
                               : base == "grid_size"     ? offsetof(abi::BlockContext, grid_size)
                               : base == "dispatch_size" ? offsetof(abi::BlockContext, dispatch_size)
                                                         : offsetof(abi::BlockContext, kernel_id);
    return load_context(b_, binding_.block_context, offset, type, dimension);
  }

  ContextBinding binding_;
  llvm::IRBuilder<> b_;
  std::map<std::string, llvm::Value*> values_;
};

}  // namespace

ContextValue operator+(ContextValue first, std::uint64_t dimension) {
  return static_cast<ContextValue>(static_cast<std::uint64_t>(first) + dimension);
}

llvm::Value* context_value(llvm::IRBuilder<>& b, ContextValue value, llvm::Type* type) {
  return context_call(b, (kPrefix + kNames[static_cast<std::size_t>(value)]).str(), type);
}

llvm::Value* argument_value(llvm::IRBuilder<>& b, std::uint64_t offset_bytes, llvm::Type* type) {
  return context_call(b, (kArgumentPrefix + std::to_string(offset_bytes) + "." + type_suffix(type)).str(), type);
}

bool is_context_call(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName().starts_with(kPrefix);
}

void bind_context(llvm::Function& function, const ContextBinding& binding) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    if (is_context_call(i)) {
      calls.push_back(llvm::cast<llvm::CallInst>(&i));
    }
  }
  if (calls.empty()) {
    return;
  }
  Binder binder(function, binding);
  for (llvm::CallInst* call : calls) {
    call->replaceAllUsesWith(binder.value_of(call->getCalledFunction()->getName(), call->getType()));
  }
  for (llvm::CallInst* call : calls) {  // only now: one of them may be where the binder inserts
    call->eraseFromParent();
  }
}

llvm::Value* load_context(llvm::IRBuilder<>& b, llvm::Value* block_context, std::size_t offset_bytes, llvm::Type* type,
                          std::uint64_t index) {
  const llvm::DataLayout& layout = b.GetInsertBlock()->getModule()->getDataLayout();
  const std::uint64_t offset = offset_bytes + index * layout.getTypeStoreSize(type);
  llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block_context, offset);
  llvm::LoadInst* load = b.CreateAlignedLoad(type, address, llvm::commonAlignment(llvm::Align(8), offset));
  llvm::MDNode* empty = llvm::MDNode::get(b.getContext(), {});
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, empty);
  load->setMetadata(llvm::LLVMContext::MD_noundef, empty);
  return load;
}

void store_context(llvm::IRBuilder<>& b, std::size_t offset_bytes, llvm::Value* value) {
  llvm::Value* context = context_value(b, ContextValue::block_context, b.getPtrTy());
  llvm::Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), context, offset_bytes);
  b.CreateAlignedStore(value, address, llvm::commonAlignment(llvm::Align(8), offset_bytes));
}

}  // namespace weft::lower
