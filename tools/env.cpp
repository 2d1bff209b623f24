// weftc env: the environment variables that Weft reads.
#include "tools/commands.h"

#include "runtime/support/env.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace weft::tools {
namespace {

struct EnvOptions {
  bool markdown = false;
  bool json = false;
};

std::string kind_text(const env::Variable& variable) {
  switch (variable.kind) {
    case env::Kind::text: return "text";
    case env::Kind::path: return "path";
    case env::Kind::count: return "whole number";
    case env::Kind::flag: return "0 or 1";
    case env::Kind::choice: return variable.choices;
  }
  return {};
}

std::string or_unset(std::string_view value) { return value.empty() ? "(unset)" : std::string(value); }

void print_table() {
  for (std::size_t i = 0; i < env::variables().size(); ++i) {
    const env::Variable& variable = env::variables()[i];
    const env::Reading reading = env::read(static_cast<env::Id>(i));
    fmt::print("{} = {}\n", variable.name, or_unset(reading.value));
    fmt::print("    {}\n    {}; default {}\n", variable.meaning, kind_text(variable), or_unset(variable.standard));
    if (!reading.problem.empty()) fmt::print("    warning: {}\n", reading.problem);
  }
}

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

void print_markdown() {
  fmt::print("| Variable | Value | Default | Meaning |\n| --- | --- | --- | --- |\n");
  for (const env::Variable& variable : env::variables()) {
    fmt::print("| `{}` | {} | {} | {} |\n", variable.name, escaped(kind_text(variable)), or_unset(variable.standard),
               variable.meaning);
  }
}

void print_json() {
  nlohmann::json out = nlohmann::json::array();
  for (std::size_t i = 0; i < env::variables().size(); ++i) {
    const env::Variable& variable = env::variables()[i];
    const env::Reading reading = env::read(static_cast<env::Id>(i));
    out.push_back({{"name", variable.name},
                   {"kind", kind_text(variable)},
                   {"default", variable.standard},
                   {"meaning", variable.meaning},
                   {"value", reading.value},
                   {"problem", reading.problem}});
  }
  fmt::print("{}", json_text(out));
}

}  // namespace

void add_env(CLI::App& app, Action& action) {
  auto options = std::make_shared<EnvOptions>();
  CLI::App* command = app.add_subcommand("env", "List the environment variables that Weft reads, and their values");
  CLI::Option* markdown = command->add_flag("--markdown", options->markdown, "As a Markdown table, without values");
  command->add_flag("--json", options->json, "As JSON")->excludes(markdown);
  command->callback([options, &action] {
    action = [options] {
      options->json ? print_json() : options->markdown ? print_markdown() : print_table();
      return ExitCode::ok;
    };
  });
}

}  // namespace weft::tools
