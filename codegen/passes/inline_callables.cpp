#include "codegen/passes/inline_callables.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "codegen/passes/inline_body.h"
#include "codegen/passes/rewrite.h"

namespace weft::passes {

using namespace ir;

namespace {

SourceLocation source_location(const Module& module, const Location& location) {
  return {std::string(module.string(location.file)), location.line, location.column, 0};
}

// What became of a function of the source module.
struct Inlined {
  std::optional<Function> body;  // with its own calls inlined, if it is wanted inlined itself
  FunctionId kept;               // else its place in the new module
};

class Inliner : public Rewriter {
 public:
  Inliner(const Function& from, Builder& builder, const std::vector<Inlined>& functions, std::size_t budget_ops,
          DiagnosticList& diagnostics)
      : Rewriter(from, builder), functions_(functions), budget_ops_(budget_ops), diagnostics_(diagnostics) {}

 protected:
  void rewrite(const Op& op) override {
    if (op.code != OpCode::call) {
      copy(op);
    } else if (const Inlined& callee = functions_[op.imm]; callee.body) {
      inline_call(op, *callee.body);
    } else {
      copy(op, callee.kept.index);
    }
  }

 private:
  void inline_call(const Op& op, const Function& callee) {
    ValueId result;
    if (builder().function().op_count() + callee.op_count() > budget_ops_) {
      diagnostics_.error(source_location(builder().module(), op.location),
                         fmt::format("unsupported: with the callable @{} inlined, @{} has more than {} ops",
                                     callee.name, from().name, budget_ops_));
      result = op.result.valid() ? builder().zero(op.type) : ValueId();
    } else {
      result = inline_body(callee, mapped_operands(op), builder());
    }
    if (op.result.valid()) {
      map(op.result, result);
    }
  }

  const std::vector<Inlined>& functions_;
  std::size_t budget_ops_;
  DiagnosticList& diagnostics_;
};

}  // namespace

bool must_inline(const Module& module, const Function& callable, const Contents& contents) {
  bool references = false;
  for (const Parameter& parameter : callable.parameters) {
    references |= module.types[callable.type(parameter.value)].kind == TypeKind::reference;
  }
  return references || contents.barriers;
}

Result<std::unique_ptr<Module>> inline_callables(const Module& module, const InlinePolicy& policy) {
  const std::vector<Contents> contents = contents_of_functions(module);
  std::unique_ptr<Module> result = module.without_functions();
  std::vector<Inlined> functions(module.functions.size());
  DiagnosticList diagnostics;
  for (const FunctionId id : all_callees_first(module)) {
    const Function& from = module.function(id);
    Function to = like(from);
    Builder builder(*result, to);
    Inliner(from, builder, functions, policy.budget_ops, diagnostics).run();
    if (from.kind == FunctionKind::callable && policy.wanted(module, from, contents[id.index])) {
      functions[id.index].body = std::move(to);
    } else {
      functions[id.index].kept = FunctionId(result->functions.size());
      result->functions.push_back(std::move(to));
    }
  }
  if (diagnostics.has_errors()) {
    return diagnostics;
  }
  return result;
}

}  // namespace weft::passes
