// weftc ops: the reference of the IR's ops, from the op table.
#include "tools/commands.h"

#include "codegen/ir/op.h"
#include "codegen/ir/reference.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace weft::tools {
namespace {

struct OpsOptions {
  std::string filter;
  bool markdown = false;
  bool json = false;
};

std::string operands_text(const ir::OpInfo& op) {
  std::string text;
  for (std::size_t i = 0; i < op.operand_count; ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : "; ", static_cast<char>('a' + i), ir::words(op.operands[i]));
  }
  if (op.variadic) text += text.empty() ? "any number" : "; any number more";
  return text.empty() ? "none" : text;
}

bool is_wanted(const ir::OpInfo& op, const OpsOptions& options) {
  return options.filter.empty() || op.text.find(options.filter) != std::string_view::npos ||
         ir::text(op.family) == options.filter;
}

void print_table(const OpsOptions& options) {
  for (std::size_t i = 0; i < ir::all_ops().size(); ++i) {
    const ir::OpInfo& op = ir::all_ops()[i];
    if (!is_wanted(op, options)) continue;
    fmt::print("{}\n    {}\n    operands: {}; result: {}; {}, {}, {}\n", ir::op_form(static_cast<ir::OpCode>(i)),
               op.meaning, operands_text(op), ir::words(op.result), ir::text(op.family), ir::text(op.kind),
               ir::text(op.effect));
  }
}

void print_json(const OpsOptions& options) {
  nlohmann::json out = nlohmann::json::array();
  for (const ir::OpInfo& op : ir::all_ops()) {
    if (!is_wanted(op, options)) continue;
    nlohmann::json operands = nlohmann::json::array();
    for (std::size_t i = 0; i < op.operand_count; ++i) operands.push_back(ir::words(op.operands[i]));
    out.push_back({{"text", op.text},
                   {"operands", operands},
                   {"variadic", op.variadic},
                   {"result", ir::words(op.result)},
                   {"effect", ir::text(op.effect)},
                   {"family", ir::text(op.family)},
                   {"kind", ir::text(op.kind)},
                   {"meaning", op.meaning}});
  }
  fmt::print("{}", json_text(out));
}

}  // namespace

void add_ops(CLI::App& app, Action& action) {
  auto options = std::make_shared<OpsOptions>();
  CLI::App* command = app.add_subcommand("ops", "List the IR's ops: operands, result and meaning");
  command->add_option("filter", options->filter, "Only ops whose text has this in it, or of this family");
  CLI::Option* markdown = command->add_flag("--markdown", options->markdown, "All ops as Markdown, as in docs/ir.md");
  command->add_flag("--json", options->json, "As JSON")->excludes(markdown);
  command->callback([options, &action] {
    action = [options] {
      options->json       ? print_json(*options)
      : options->markdown ? fmt::print("{}", ir::op_reference())
                          : print_table(*options);
      return ExitCode::ok;
    };
  });
}

}  // namespace weft::tools
