// Types, names, constants and specialisation constants of a module.
#include <unordered_map>
#include <unordered_set>

#include "codegen/ir/typing.h"
#include "codegen/ir/verify/rules.h"
#include "codegen/ir/verify/type_rules.h"

namespace weft::ir {

namespace {

// Types have no place in the source. Their parts come before them, so that what is wrong is said of the innermost.
void check_types(const Module& m, Findings& findings) {
  std::unordered_set<std::string_view> structs;
  for (std::size_t i = 0; i < m.types.size(); ++i) {
    const Type& type = m.types[TypeId(i)];
    if (const auto problem = type_problem(m.types, TypeId(i))) {
      findings.error({}, "{}", *problem);
    }
    if (type.kind == TypeKind::structure && !structs.insert(type.name).second) {
      findings.error({}, "struct {} is defined twice, with different members or layout", type.name);
    }
  }
}

void check_names(const Module& m, Findings& findings) {
  std::unordered_set<std::string_view> names;
  const auto check = [&](const Location& location, std::string_view name) {
    if (name.empty()) {
      findings.error(location, "function, const or spec has no name");
    } else if (!names.insert(name).second) {
      findings.error(location, "@{} is defined twice", name);
    }
  };
  for (const Global& global : m.globals) {
    check({}, global.name);
  }
  for (const SpecConstant& spec : m.specs) {
    check({}, spec.name);
  }
  for (const Function& f : m.functions) {
    check(f.location, f.name);
  }
}

void check_data(const Module& m, std::string_view name, ConstantId id, Findings& findings) {
  const Constant& constant = m.constant(id);
  if (const auto problem = constant_problem(m.types, constant)) {
    findings.error({}, "@{}: {}", name, *problem);
  }
}

void check_specs(const Module& m, Findings& findings) {
  std::unordered_map<std::uint32_t, std::string_view> ids;
  for (const SpecConstant& spec : m.specs) {
    check_data(m, spec.name, spec.initial, findings);
    const TypeId type = m.constant(spec.initial).type;
    if (!is_scalar(m.types[type].kind)) {
      findings.error({}, "spec @{} has type {}, expected a scalar", spec.name, m.types.text(type));
    }
    const auto [first, inserted] = ids.try_emplace(spec.id, spec.name);
    if (!inserted) {
      findings.error({}, "specs @{} and @{} have the same id {}", first->second, spec.name, spec.id);
    }
  }
}

}  // namespace

void check_module(Module& module, Findings& findings) {
  check_types(module, findings);
  check_names(module, findings);
  for (const Global& global : module.globals) {
    check_data(module, global.name, global.data, findings);
  }
  check_specs(module, findings);
}

}  // namespace weft::ir
