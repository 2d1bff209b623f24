// weftc: checks, compiles, runs and formats kernels in text form.
#include "tools/commands.h"

#include <weft/error.h>
#include <weft/version.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <iostream>

namespace weft::tools {
namespace {

constexpr const char* kDescription =
    "weftc works on kernels in Weft's text form (.weft): it checks them, compiles them ahead of time, runs them over "
    "arrays, and formats them.";

constexpr const char* kFooter =
    "Exit codes:\n"
    "  0  done\n"
    "  1  a kernel or a file of kernels is wrong; the diagnostics say where\n"
    "  2  the command line is wrong, or does not fit the kernel\n"
    "  3  the kernel misbehaved while it ran (assert, unreachable, out of memory)\n"
    "  4  a file cannot be read or written\n"
    "  5  the device cannot be had\n"
    "\n"
    "Examples:\n"
    "  weftc check kernel.weft\n"
    "  weftc explain kernel.weft --width 8\n"
    "  weftc run scale.weft --arg in=@x.npy --arg out=zeros:f32:1024 --arg factor=2 --dispatch 1024 --save out=y.npy\n"
    "  weftc compile kernel.weft --emit shader --cpu x86-64-v3 -o kernel.weftshader\n"
    "\n"
    "`weftc COMMAND --help` says what each command takes.";

ExitCode fail(ExitCode code, std::string_view message) {
  fmt::print(stderr, "weftc: error: {}\n", message);
  return code;
}

// Diagnostics are printed as they are.
ExitCode fail_with_diagnostics(std::string_view text) {
  fmt::print(stderr, "{}{}", text, text.ends_with('\n') ? "" : "\n");
  return ExitCode::diagnostics;
}

constexpr const char* kNoOutput = "cannot write to standard output";

// Names the word where a command was expected, if that is what is wrong: CLI11 only says that a command is missing.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    std::vector<std::string_view> names;
    const CLI::App* chosen = nullptr;
    for (const CLI::App* command : at->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      if (command->get_name() == word) chosen = command;
    }
    if (chosen == nullptr) {
      if (names.empty() || word.starts_with('-')) return {};
      return fmt::format("there is no command '{}'; there are: {}", word, fmt::join(names, ", "));
    }
    at = chosen;
  }
  return {};
}

ExitCode run_action(const Action& action) {
  try {
    const ExitCode code = action();
    if (std::fflush(stdout) != 0) return fail(ExitCode::file, kNoOutput);
    return code;
  } catch (const UsageFailure& error) {
    return fail(ExitCode::usage, error.what());
  } catch (const UsageError& error) {
    return fail(ExitCode::usage, error.what());
  } catch (const CompileError& error) {
    return fail_with_diagnostics(error.what());
  } catch (const KernelFault& fault) {
    return fail(ExitCode::fault, fault.what());
  } catch (const FileError& error) {
    return fail(ExitCode::file, error.what());
  } catch (const Error& error) {
    return fail(ExitCode::device, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::device, "the host is out of memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return fail(ExitCode::file, kNoOutput);
    return fail(ExitCode::device, error.what());
  }
}

int main(int argc, char** argv) {
  CLI::App app(kDescription, "weftc");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("weftc ") + version());
  app.require_subcommand(1);
  Action action;
  add_check(app, action);
  add_compile(app, action);
  add_explain(app, action);
  add_run(app, action);
  add_fmt(app, action);
  add_ops(app, action);
  add_cache(app, action);
  add_env(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);  // --help, --version
    return static_cast<int>(std::cout.flush() ? ExitCode::ok : fail(ExitCode::file, kNoOutput));
  } catch (const CLI::ParseError& error) {
    if (const std::string problem = unknown_command(app, argc, argv); !problem.empty()) {
      return static_cast<int>(fail(ExitCode::usage, problem));
    }
    app.exit(error);
    return static_cast<int>(ExitCode::usage);
  }
  return static_cast<int>(run_action(action));
}

}  // namespace
}  // namespace weft::tools

int main(int argc, char** argv) { return weft::tools::main(argc, argv); }
