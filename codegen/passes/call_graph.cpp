#include "codegen/passes/call_graph.h"

namespace weft::passes {

using namespace ir;

namespace {

class Order {
 public:
  explicit Order(const Module& module) : module_(module), seen_(module.functions.size()) {}

  void visit(FunctionId id) {
    if (seen_[id.index]) {
      return;
    }
    seen_[id.index] = true;
    visit_calls(module_.function(id));
    order.push_back(id);
  }

  std::vector<FunctionId> order;

 private:
  void visit_calls(const Function& f) {
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      const Op& op = f.op(OpId(i));
      if (op.code == OpCode::call) {
        visit(FunctionId(op.imm));
      }
    }
  }

  const Module& module_;
  std::vector<bool> seen_;
};

void add(Contents& to, const Contents& callee) {
  to.barriers |= callee.barriers;
  to.warp_ops |= callee.warp_ops;
}

Contents contents_of(const Function& f, const std::vector<Contents>& known) {
  Contents contents;
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const Op& op = f.op(OpId(i));
    contents.barriers |= info(op.code).effect == Effect::barrier;
    contents.warp_ops |= info(op.code).family == OpFamily::warp;
    contents.shared_memory |= op.code == OpCode::shared;
    if (op.code == OpCode::call) {
      contents.calls = true;
      add(contents, known[op.imm]);
    }
  }
  return contents;
}

}  // namespace

std::vector<FunctionId> callees_first(const Module& module, FunctionId root) {
  Order order(module);
  order.visit(root);
  return std::move(order.order);
}

std::vector<Contents> contents_of_functions(const Module& module) {
  Order order(module);
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    order.visit(FunctionId(i));
  }
  std::vector<Contents> contents(module.functions.size());
  for (const FunctionId id : order.order) {
    contents[id.index] = contents_of(module.function(id), contents);
  }
  return contents;
}

}  // namespace weft::passes
