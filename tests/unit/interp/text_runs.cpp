// The runs that the files of tests/text/run ask for, in the interpreter: as they are, and with all callables inlined.
#include "codegen/passes/inline_callables.h"
#include "tests/support/files.h"
#include "tests/support/run_spec.h"
#include "tests/unit/interp/fixture.h"

using namespace weft;
using namespace weft::interp;

namespace {

test::RunOutcome run_on(const ir::Module& module, test::RunSpec& run) {
  test::RunOutcome result;
  Options options{.report_uninitialised = true};
  options.print = [&](std::string_view line) { result.prints.emplace_back(line); };
  const std::vector<std::byte> block = test::argument_block(module, run);
  Machine machine(module, *module.find_kernel(run.kernel), options);
  const Outcome outcome = machine.run({.arguments = block, .size = run.dispatch});
  result.fault = outcome.fault ? outcome.fault->message : "";
  return result;
}

void check_run(const std::string& file, const ir::Module& module, const test::ParsedRun& parsed) {
  INFO(file << ":" << parsed.run.line);
  if (!parsed.error.empty()) {
    FAIL_CHECK(parsed.error);
    return;
  }
  auto prepared = passes::prepare(module, parsed.run.kernel, {.spec_values = parsed.run.spec_values});
  REQUIRE(prepared);
  const auto all = [](const ir::Module&, const ir::Function&, const passes::Contents&) { return true; };
  auto inlined = passes::inline_callables(**prepared, {.wanted = all});
  REQUIRE(inlined);
  CHECK(print(ir::verify(**prepared)) == "");
  CHECK(print(ir::verify(**inlined)) == "");
  for (const ir::Module* form : {prepared->get(), inlined->get()}) {
    test::RunSpec run = parsed.run;
    const test::RunOutcome outcome = run_on(*form, run);
    const std::string wrong = test::mismatch(module, run, outcome);
    CHECK(wrong == "");
  }
}

void mark_ops(const ir::Module& module, std::vector<bool>& used) {
  for (const ir::Function& f : module.functions) {
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      used[static_cast<std::size_t>(f.op(ir::OpId(i)).code)] = true;
    }
  }
}

}  // namespace

TEST_CASE("text: every run gives what its file says, and every op is in one") {
  std::vector<bool> used(ir::all_ops().size());
  for (const auto& path : test::weft_files("text/run")) {
    const std::string source = test::read_text(path);
    auto module = ir::parse_verified(source, path.filename());
    if (!module) {
      SourceTexts texts;
      texts.add(path.filename(), source);
      FAIL_CHECK(print(module.diagnostics(), texts));
      continue;
    }
    for (const test::ParsedRun& parsed : test::parse_runs(**module, source)) {
      check_run(path.filename(), **module, parsed);
    }
    mark_ops(**module, used);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    INFO(ir::all_ops()[i].text);
    CHECK(used[i]);
  }
}
