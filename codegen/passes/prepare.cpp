#include "codegen/passes/prepare.h"

#include <fmt/format.h>

#include "codegen/passes/call_graph.h"
#include "codegen/passes/contract.h"
#include "codegen/passes/expand.h"
#include "codegen/passes/specialise.h"

namespace weft::passes {

using namespace ir;

namespace {

std::string found_kernels(const Module& module) {
  std::string names;
  for (const Function& f : module.functions) {
    if (f.kind == FunctionKind::kernel) {
      names += fmt::format("{}@{}", names.empty() ? "" : ", ", f.name);
    }
  }
  return names.empty() ? "none" : names;
}

const SpecConstant* find_spec(const Module& module, std::uint32_t id) {
  for (const SpecConstant& spec : module.specs) {
    if (spec.id == id) {
      return &spec;
    }
  }
  return nullptr;
}

DiagnosticList check(const Module& module, const Function* kernel, std::string_view name,
                     const PrepareOptions& options) {
  DiagnosticList diagnostics;
  if (kernel == nullptr) {
    diagnostics.error({}, name.empty() ? fmt::format("expected one kernel, found {}", found_kernels(module))
                                       : fmt::format("no kernel @{}, found {}", name, found_kernels(module)));
  }
  for (const auto& [id, value] : options.spec_values) {
    const SpecConstant* spec = find_spec(module, id);
    if (spec == nullptr) {
      diagnostics.error({}, fmt::format("no specialisation constant has the id {}", id));
    } else if (const TypeId type = module.constant(spec->initial).type; type != value.type) {
      diagnostics.error({}, fmt::format("the value for specialisation constant {} (id {}) has type {}, expected {}",
                                        spec->name, id, module.types.text(value.type), module.types.text(type)));
    }
  }
  return diagnostics;
}

FunctionId id_of(const Module& module, const Function* function) {
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    if (&module.functions[i] == function) {
      return FunctionId(i);
    }
  }
  return {};
}

KernelAttributes attributes(const Function& kernel, const PrepareOptions& options) {
  KernelAttributes a = kernel.attributes;
  a.math = options.math.value_or(a.math);
  a.unchecked = options.unchecked.value_or(a.unchecked);
  return a;
}

}  // namespace

Result<std::unique_ptr<Module>> prepare(const Module& module, std::string_view name, const PrepareOptions& options) {
  const Function* kernel = module.find_kernel(name);
  if (DiagnosticList diagnostics = check(module, kernel, name, options); diagnostics.has_errors()) {
    return diagnostics;
  }
  const KernelAttributes kernel_attributes = attributes(*kernel, options);
  std::unique_ptr<Module> prepared = module.without_functions();
  std::unordered_map<FunctionId, FunctionId> functions;
  for (const FunctionId id : callees_first(module, id_of(module, kernel))) {
    Function f = specialise(*prepared, module.function(id), options.spec_values, functions);
    f = expand(*prepared, f);
    if (kernel_attributes.math == MathMode::strict) {
      f = contract(*prepared, f);
    }
    functions.emplace(id, FunctionId(prepared->functions.size()));
    prepared->functions.push_back(std::move(f));
  }
  prepared->functions.back().attributes = kernel_attributes;
  return prepared;
}

}  // namespace weft::passes
