// What the interpreter works out about a module once: the words of every value, the places of locals, shared memory and
// constant data, and the leaves of every type.
#pragma once

#include <unordered_map>
#include <vector>

#include "codegen/interp/layout.h"
#include "codegen/interp/machine.h"
#include "codegen/ir/arguments.h"

namespace weft::interp {

// Where a variable's bytes are in the storage that holds it.
struct Variable {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  bool tracked = false;  // starts unwritten, not zero: arrays and shared memory
};

struct FunctionPlan {
  std::vector<std::uint64_t> first_word;  // by ValueId: before it, among the words of one lane or of all constants
  std::uint64_t words = 0;                // of one lane
  std::vector<std::uint64_t> constants;   // the words of all constants
  std::unordered_map<ir::ValueId, Variable> locals;  // by the reference that a local op gives
  std::uint64_t local_bytes = 0;                     // of one lane
};

struct Plan {
  Plan(const ir::Module& module, const ir::Function& kernel, Options options);

  const ir::Module& module;
  const ir::Function& kernel;
  Options options;
  std::vector<FunctionPlan> functions;               // by FunctionId
  std::unordered_map<ir::ValueId, Variable> shared;  // of the kernel, by the reference that a shared op gives
  std::uint64_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> globals;  // by GlobalId, laid out as in memory
  ir::ArgumentLayout arguments;
  std::vector<std::vector<Leaf>> leaves;  // by TypeId, of value types

 private:
  FunctionPlan plan_function(const ir::Function& function);
  void plan_variable(const ir::Function& function, const ir::Op& op, FunctionPlan& plan);
  [[nodiscard]] std::vector<std::byte> bytes_of(const ir::Constant& constant) const;
};

}  // namespace weft::interp
