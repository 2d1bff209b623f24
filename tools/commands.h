// The subcommands of weftc, one file each. Each adds itself to the command line; what it returns when it was chosen is
// the exit code. Failures are exceptions, which main.cpp turns into messages and exit codes.
#pragma once

#include "tools/exit_code.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <string>

namespace weft::tools {

// What runs when the subcommand was chosen; empty otherwise.
using Action = std::function<ExitCode()>;

// JSON for standard output. Bytes that are no UTF-8, which names and messages may hold, are replaced.
template <typename Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// An option's word stands for a value; the help shows the words as its type name. `words` must outlive the command
// line.
template <typename Words>
CLI::Validator one_of(const Words& words) {
  const auto to_number = [&words](std::string& text) {
    const auto found = std::ranges::find_if(words, [&](const auto& word) { return word.first == text; });
    if (found != words.end()) {
      text = std::to_string(static_cast<std::uint32_t>(found->second));
      return std::string();
    }
    std::string known;
    for (const auto& [word, value] : words) known += (known.empty() ? "" : ", ") + word;
    return "'" + text + "' is none of " + known;
  };
  return CLI::Validator(to_number, "");
}

void add_check(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_fmt(CLI::App& app, Action& action);
void add_ops(CLI::App& app, Action& action);
void add_cache(CLI::App& app, Action& action);
void add_env(CLI::App& app, Action& action);

}  // namespace weft::tools
