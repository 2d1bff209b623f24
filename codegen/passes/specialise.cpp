#include "codegen/passes/specialise.h"

#include "codegen/passes/rewrite.h"

namespace weft::passes {

using namespace ir;

namespace {

class Specialiser : public Rewriter {
 public:
  Specialiser(const Function& from, Builder& builder, const std::map<std::uint32_t, Constant>& values,
              const std::unordered_map<FunctionId, FunctionId>& functions)
      : Rewriter(from, builder), values_(values), functions_(functions) {}

 protected:
  void rewrite(const Op& op) override {
    if (op.code == OpCode::spec) {
      const Constant& value = value_of(builder().module().specs[op.imm]);
      map(op.result, builder().constant(value.type, value.leaves));
    } else if (op.code == OpCode::call) {
      copy(op, functions_.at(FunctionId(op.imm)).index);
    } else {
      copy(op);
    }
  }

 private:
  const Constant& value_of(const SpecConstant& spec) {
    const auto it = values_.find(spec.id);
    return it != values_.end() ? it->second : builder().module().constant(spec.initial);
  }

  const std::map<std::uint32_t, Constant>& values_;
  const std::unordered_map<FunctionId, FunctionId>& functions_;
};

}  // namespace

Function specialise(Module& module, const Function& from, const std::map<std::uint32_t, Constant>& values,
                    const std::unordered_map<FunctionId, FunctionId>& functions) {
  Function to = like(from);
  Builder builder(module, to);
  Specialiser(from, builder, values, functions).run();
  return to;
}

}  // namespace weft::passes
