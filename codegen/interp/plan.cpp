#include "codegen/interp/plan.h"

#include "codegen/ir/typing.h"

namespace weft::interp {

using namespace ir;

namespace {

// Enough for every scalar; locals of different lanes share no word.
constexpr std::uint64_t kVariableAlign = 16;

Variable place(std::uint64_t& total_bytes, std::uint64_t size_bytes, bool tracked) {
  const Variable variable{total_bytes, size_bytes, tracked};
  total_bytes += (size_bytes + kVariableAlign - 1) / kVariableAlign * kVariableAlign;
  return variable;
}

}  // namespace

Plan::Plan(const Module& m, const Function& k, Options o)
    : module(m), kernel(k), options(std::move(o)), arguments(layout_arguments(m.types, k)) {
  for (std::size_t i = 0; i < module.types.size(); ++i) {
    leaves.push_back(is_value_type(module.types, TypeId(i)) ? interp::leaves(module.types, TypeId(i))
                                                            : std::vector<Leaf>());
  }
  for (const Global& global : module.globals) {
    globals.push_back(bytes_of(module.constant(global.data)));
  }
  for (const Function& function : module.functions) {
    functions.push_back(plan_function(function));
  }
}

FunctionPlan Plan::plan_function(const Function& function) {
  FunctionPlan plan;
  for (std::size_t i = 0; i < function.value_count(); ++i) {
    const Value& value = function.value(ValueId(i));
    if (value.kind == ValueKind::constant) {
      const Constant& constant = module.constant(ConstantId(value.index));
      plan.first_word.push_back(plan.constants.size());
      plan.constants.insert(plan.constants.end(), constant.leaves.begin(), constant.leaves.end());
    } else {
      plan.first_word.push_back(plan.words);
      plan.words += word_count(module.types, value.type);
    }
  }
  for (std::size_t i = 0; i < function.op_count(); ++i) {
    plan_variable(function, function.op(OpId(i)), plan);
  }
  return plan;
}

void Plan::plan_variable(const Function& function, const Op& op, FunctionPlan& plan) {
  if (op.code != OpCode::local && op.code != OpCode::shared) {
    return;
  }
  const Type& type = module.types[module.types[op.type].element];
  if (op.code == OpCode::local) {
    plan.locals[op.result] = place(plan.local_bytes, type.size_bytes, type.kind == TypeKind::array);
  } else if (&function == &kernel) {
    shared[op.result] = place(shared_bytes, type.size_bytes, true);
  }
}

std::vector<std::byte> Plan::bytes_of(const Constant& constant) const {
  std::vector<std::byte> bytes(module.types[constant.type].size_bytes);
  const std::vector<Leaf>& places = leaves[constant.type.index];
  for (std::size_t i = 0; i < places.size(); ++i) {
    write_scalar(bytes.data() + places[i].offset_bytes, places[i], constant.leaves[i]);
  }
  return bytes;
}

}  // namespace weft::interp
