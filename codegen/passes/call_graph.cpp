#include "codegen/passes/call_graph.h"

namespace weft::passes {

using namespace ir;

namespace {

// Depth first over the calls, without recursion of its own: a chain of calls may be long.
class Order {
 public:
  explicit Order(const Module& module) : module_(module), seen_(module.functions.size()) {}

  void visit(FunctionId root) {
    enter(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const Function& f = module_.function(step.function);
      if (step.next_op == f.op_count()) {
        order.push_back(step.function);
        path_.pop_back();
        continue;
      }
      const Op& op = f.op(OpId(step.next_op++));
      if (op.code == OpCode::call) {
        enter(FunctionId(op.imm));
      }
    }
  }

  void visit_all() {
    for (std::size_t i = 0; i < module_.functions.size(); ++i) {
      visit(FunctionId(i));
    }
  }

  std::vector<FunctionId> order;

 private:
  struct Step {
    FunctionId function;
    std::size_t next_op = 0;
  };

  void enter(FunctionId id) {
    if (!seen_[id.index]) {
      seen_[id.index] = true;
      path_.push_back({id});
    }
  }

  const Module& module_;
  std::vector<bool> seen_;
  std::vector<Step> path_;
};

void add(Contents& to, const Contents& callee) {
  to.barriers |= callee.barriers;
  to.block_waits |= callee.block_waits;
  to.warp_ops |= callee.warp_ops;
}

Contents contents_of(const Function& f, const std::vector<Contents>& known) {
  Contents contents;
  for (std::size_t i = 0; i < f.op_count(); ++i) {
    const Op& op = f.op(OpId(i));
    contents.barriers |= info(op.code).effect == Effect::barrier;
    contents.block_waits |= op.code == OpCode::grid_sync || op.code == OpCode::wait_until;
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

std::vector<FunctionId> all_callees_first(const Module& module) {
  Order order(module);
  order.visit_all();
  return std::move(order.order);
}

std::vector<Contents> contents_of_functions(const Module& module) {
  std::vector<Contents> contents(module.functions.size());
  for (const FunctionId id : all_callees_first(module)) {
    contents[id.index] = contents_of(module.function(id), contents);
  }
  return contents;
}

bool waits_between_blocks(const Module& module, const Function& function) {
  const std::vector<Contents> contents = contents_of_functions(module);
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    if (&module.functions[i] == &function) {
      return contents[i].block_waits;
    }
  }
  return false;
}

}  // namespace weft::passes
