// Debug information: which line of the source each instruction came from, and what functions are called.
//
// Made only where it is asked for. A debugger or profiler shows the block function under the kernel's name, and what
// runs packs as "kernel.pack" and "kernel.segment". Values have none.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Function.h>

#include <string_view>
#include <unordered_map>

#include "codegen/ir/module.h"

namespace weft::lower {

class DebugInfo {
 public:
  DebugInfo(llvm::Module& out, const ir::Module& in, const ir::Function& kernel);

  // To be called once for each function that is begun, before its first instruction. `part` is empty for the block
  // function.
  void begin_function(llvm::Function& function, std::string_view part);
  // Of a place in a function that was begun; a place that is not known is the kernel's.
  [[nodiscard]] llvm::DebugLoc location(const llvm::Function& function, const ir::Location& place);
  // To be called once, when all functions are there, coroutines split.
  void finish();

 private:
  [[nodiscard]] llvm::DIFile* file_of(ir::StringId name);

  llvm::Module& out_;
  const ir::Module& in_;
  const ir::Function& kernel_;
  llvm::DIBuilder builder_;
  std::unordered_map<ir::StringId, llvm::DIFile*> files_;
};

}  // namespace weft::lower
