// weftc fmt: one layout for kernels in text form. Names, comments and the order of everything stay; spaces, indentation
// and blank lines do not matter.
#include "tools/commands.h"
#include "tools/layout.h"
#include "tools/source.h"

#include "runtime/support/files.h"

#include <fmt/format.h>

#include <memory>
#include <span>

namespace weft::tools {
namespace {

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
  bool in_place = false;
};

ExitCode format(const FmtOptions& options) {
  bool differs = false;
  for (const std::string& file : options.files) {
    const Source source = read_source(file);
    read_module(source);  // what cannot be read is not formatted
    const std::string formatted = lay_out(source.text);
    if (options.check) {
      if (formatted == source.text) continue;
      differs = true;
      fmt::print(stderr, "{}: error: is not formatted; `weftc fmt -i` does it\n", source.name);
    } else if (!options.in_place) {
      write_output("-", formatted);
    } else if (formatted != source.text) {
      replace_file(file, std::as_bytes(std::span(formatted)));
    }
  }
  return differs ? ExitCode::diagnostics : ExitCode::ok;
}

}  // namespace

void add_fmt(CLI::App& app, Action& action) {
  auto options = std::make_shared<FmtOptions>();
  CLI::App* command = app.add_subcommand("fmt", "Format files of kernels; the result goes to standard output");
  command->add_option("files", options->files, "Files in text form; - is standard input")
      ->required()
      ->type_name("FILE");
  CLI::Option* check =
      command->add_flag("--check", options->check, "Write nothing; exit code 1 if a file is not formatted");
  command->add_flag("-i,--in-place", options->in_place, "Write each result back to its file")->excludes(check);
  command->callback([options, &action] {
    if (options->in_place && std::ranges::find(options->files, "-") != options->files.end()) {
      throw CLI::ValidationError("-i", "standard input cannot be written back");
    }
    action = [options] { return format(*options); };
  });
}

}  // namespace weft::tools
