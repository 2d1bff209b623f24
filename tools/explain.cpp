// weftc explain: what becomes of a kernel, line by line, and what may make it slow.
#include "tools/commands.h"
#include "tools/explain_report.h"
#include "tools/kernel_flags.h"
#include "tools/source.h"

#include "codegen/jit/explain.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <memory>

namespace weft::tools {
namespace {

struct ExplainOptions {
  KernelFlags flags;
  bool json = false;
};

// The kernel that was asked for, or all of the file.
std::vector<const ir::Function*> chosen_kernels(const ir::Module& module, const Source& source,
                                                const std::string& name) {
  if (!name.empty()) return {&choose_kernel(module, source, name)};
  std::vector<const ir::Function*> kernels;
  for (const ir::Function& function : module.functions) {
    if (function.kind == ir::FunctionKind::kernel) kernels.push_back(&function);
  }
  if (kernels.empty()) throw UsageFailure(fmt::format("{} has no kernel", source.name));
  return kernels;
}

jit::Explanation explanation_of(const ir::Module& module, const ir::Function& kernel, const ExplainOptions& options,
                                const Source& source) {
  Result<jit::Explanation> result = jit::explain(module, options.flags.compile_options(module, kernel));
  if (result) return std::move(*result);
  SourceTexts texts;
  texts.add(source.name, source.text);
  throw CompileError(print(result.diagnostics(), texts));
}

ExitCode explain(const ExplainOptions& options) {
  const Source source = read_source(options.flags.file);
  const std::unique_ptr<ir::Module> module = read_module(source);
  SourceLines sources;
  sources.add(source.name, source.text);
  std::vector<jit::Explanation> explanations;
  for (const ir::Function* kernel : chosen_kernels(*module, source, options.flags.kernel)) {
    explanations.push_back(explanation_of(*module, *kernel, options, source));
  }
  std::string text;
  if (options.json) {
    text = to_json(explanations, sources);
  } else {
    for (const jit::Explanation& explanation : explanations) {
      text += (text.empty() ? "" : "\n") + to_text(explanation, sources);
    }
  }
  write_output("-", text);
  return ExitCode::ok;
}

ExitCode list_remarks() {
  write_output("-", remarks_markdown());
  return ExitCode::ok;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  auto remarks = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("explain", "Say, line by line, what becomes of a kernel, and what may make it slow");
  options->flags.add_to(*command);
  command->get_option("file")->required(false);
  command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--remarks", *remarks, "List all that may be said, in Markdown, instead");
  command->callback([options, remarks, &action] {
    action = [options, remarks] {
      if (*remarks) return list_remarks();
      if (options->flags.file.empty()) throw UsageFailure("explain: name a file of kernels");
      return explain(*options);
    };
  });
}

}  // namespace weft::tools
