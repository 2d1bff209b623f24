#include "codegen/passes/root.h"

#include <algorithm>

#include "codegen/passes/call_graph.h"
#include "runtime/support/check.h"

namespace weft::passes {

using namespace ir;

namespace {

using Uses = std::vector<BufferUse>;

BufferUse use_by(Effect effect) {
  return {.read = effect == Effect::reads || effect == Effect::updates || effect == Effect::barrier,  // a wait
          .written = effect == Effect::writes || effect == Effect::updates};
}

void add(BufferUse& to, const BufferUse& use) {
  to.read |= use.read;
  to.written |= use.written;
}

// Whether a value is a buffer or leads to a place.
bool has_root(const Module& module, const Function& f, ValueId value) {
  const TypeKind kind = module.types[f.type(value)].kind;
  return kind == TypeKind::reference || kind == TypeKind::buffer || kind == TypeKind::byte_buffer;
}

class UseCounter {
 public:
  explicit UseCounter(const Module& module) : module_(module), uses_(module.functions.size()) {}

  void count(FunctionId id) {
    const Function& f = module_.function(id);
    Uses& uses = uses_[id.index];
    uses.resize(f.parameters.size());
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      count_op(f, f.op(OpId(i)), uses);
    }
  }
  [[nodiscard]] const Uses& of(FunctionId id) const { return uses_[id.index]; }

 private:
  void count_op(const Function& f, const Op& op, Uses& uses) {
    const bool is_call = op.code == OpCode::call;
    for (std::uint32_t i = 0; i < op.operand_count; ++i) {
      const ValueId operand = f.operand(op, i);
      if (!has_root(module_, f, operand) || (i != 0 && !is_call)) {
        continue;
      }
      const Value& root = f.value(root_of(f, operand).value);
      if (root.kind == ValueKind::parameter) {
        add(uses[root.index], is_call ? uses_[op.imm][i] : use_by(info(op.code).effect));
      }
    }
  }

  const Module& module_;
  std::vector<Uses> uses_;  // by FunctionId
};

FunctionId id_of(const Module& module, const Function& function) {
  const auto it = std::ranges::find_if(module.functions, [&](const Function& f) { return &f == &function; });
  WEFT_CHECK(it != module.functions.end(), "function {} is not of this module", function.name);
  return FunctionId(static_cast<std::size_t>(it - module.functions.begin()));
}

}  // namespace

Root root_of(const Function& f, ValueId reference) {
  const Op* op = f.definition(reference);
  if (op == nullptr) {
    return {RootKind::parameter, reference};
  }
  if (info(op->code).result == ResultShape::part_reference) {
    return root_of(f, f.operand(*op, 0));
  }
  const bool is_variable = op->operand_count == 0;
  const RootKind variable = op->code == OpCode::local    ? RootKind::local
                            : op->code == OpCode::shared ? RootKind::shared
                                                         : RootKind::global;
  return is_variable ? Root{variable, reference} : Root{RootKind::buffer, f.operand(*op, 0)};
}

std::vector<BufferUse> buffer_uses(const Module& module, const Function& function) {
  const FunctionId root = id_of(module, function);
  UseCounter counter(module);
  for (const FunctionId id : callees_first(module, root)) {
    counter.count(id);
  }
  return counter.of(root);
}

}  // namespace weft::passes
