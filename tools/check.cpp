// weftc check: reads files and reports every mistake in them.
#include "tools/commands.h"
#include "tools/source.h"

#include "codegen/ir/verify/verify.h"
#include "runtime/support/diagnostic.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace weft::tools {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
};

nlohmann::json to_json(const SourceLocation& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}, {"length", where.length}};
}

nlohmann::json to_json(const Diagnostic& diagnostic) {
  nlohmann::json out = to_json(diagnostic.location);
  out["severity"] = severity_name(diagnostic.severity);
  out["message"] = diagnostic.message;
  out["notes"] = nlohmann::json::array();
  for (const DiagnosticNote& note : diagnostic.notes) {
    nlohmann::json item = to_json(note.location);
    item["message"] = note.message;
    out["notes"].push_back(std::move(item));
  }
  return out;
}

ExitCode check(const CheckOptions& options) {
  DiagnosticList all;
  SourceTexts texts;
  for (const std::string& file : options.files) {
    const Source source = read_source(file);
    texts.add(source.name, source.text);
    Result<std::unique_ptr<ir::Module>> module = ir::parse_verified(source.text, source.name);
    if (!module) all.append(module.take_diagnostics());
  }
  if (options.json) {
    nlohmann::json out = nlohmann::json::array();
    for (const Diagnostic& diagnostic : all.items()) out.push_back(to_json(diagnostic));
    fmt::print("{}", json_text(out));
  } else {
    fmt::print(stderr, "{}", print(all, texts));
  }
  return all.has_errors() ? ExitCode::diagnostics : ExitCode::ok;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Report every mistake in files of kernels, with line and column");
  command->add_option("files", options->files, "Files in text form; - is standard input")
      ->required()
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Write the diagnostics to standard output as JSON");
  command->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace weft::tools
