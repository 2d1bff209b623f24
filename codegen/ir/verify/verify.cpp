#include "codegen/ir/verify/verify.h"

#include "codegen/ir/text/parse.h"
#include "codegen/ir/verify/rules.h"
#include "runtime/support/stage_times.h"

namespace weft::ir {

DiagnosticList verify(Module& module) {
  const StageScope scope(Stage::verify);
  Findings findings(module);
  check_module(module, findings);
  if (findings.has_errors()) {
    return findings.take();
  }
  bool sound = true;
  for (const Function& f : module.functions) {
    check_signature(module, f, findings);
    sound &= check_ids(module, f, findings);
  }
  if (!sound) {
    return findings.take();
  }
  for (const Function& f : module.functions) {
    check_structure(module, f, findings);
    check_returns(module, f, findings);
  }
  const bool acyclic = check_recursion(module, findings);
  if (acyclic && !findings.has_errors()) {
    check_references(module, findings);
  }
  return findings.take();
}

Result<std::unique_ptr<Module>> parse_verified(std::string_view source, std::string file_name) {
  auto module = parse(source, std::move(file_name));
  if (!module) {
    return module;
  }
  DiagnosticList problems = verify(**module);
  if (problems.has_errors()) {
    return problems;
  }
  return module;
}

}  // namespace weft::ir
