#include "tests/support/run_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "codegen/ir/arguments.h"
#include "tests/support/expectations.h"
#include "tests/support/run_reader.h"
#include "tests/support/scalar_image.h"

namespace weft::test {

using namespace ir;

namespace {

constexpr std::array<std::string_view, 2> kRunKinds{"run", "interp"};

bool is_nan(TypeKind kind, std::uint64_t bits) {
  switch (kind) {
    case TypeKind::f16: return (bits & 0x7fff) > 0x7c00;
    case TypeKind::f32: return (bits & 0x7fffffff) > 0x7f800000;
    case TypeKind::f64: return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default: return false;
  }
}

std::string argument_mismatch(const Module& module, const RunArgument& argument, const RunExpectation& expected) {
  const std::vector<ImageScalar> places = image_scalars(module.types, argument.type, argument.count);
  if (places.size() != expected.scalars.size()) {
    return fmt::format("{} has {} scalars, {} are expected\n", argument.name, places.size(), expected.scalars.size());
  }
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint64_t found = read_image(argument.bytes, places[i]);
    const auto want = expected.scalars[i];
    const TypeKind kind = places[i].kind;
    if (want && found != *want && !(is_nan(kind, found) && is_nan(kind, *want))) {
      text += fmt::format("{}[{}] is {} ({:#x}), expected {} ({:#x})\n", argument.name, i, scalar_text(kind, found),
                          found, scalar_text(kind, *want), *want);
    }
  }
  return text;
}

std::string prints_mismatch(std::vector<std::string> expected, std::vector<std::string> found) {
  std::ranges::sort(expected);
  std::ranges::sort(found);
  return expected == found
             ? std::string()
             : fmt::format("prints \"{}\", expected \"{}\"\n", fmt::join(found, "\" \""), fmt::join(expected, "\" \""));
}

}  // namespace

ParsedRun parse_run(const Module& module, std::string_view text) { return RunReader(module, text).read(); }

std::vector<ParsedRun> parse_runs(const Module& module, std::string_view source) {
  std::vector<ParsedRun> runs;
  for (const Expectation& line : find_expectations(source, kRunKinds)) {
    runs.push_back(parse_run(module, line.text));
    runs.back().run.line = line.line;
    runs.back().run.interpreter_only = line.kind == "interp";
  }
  return runs;
}

std::vector<std::byte> argument_block(const Module& module, RunSpec& run) {
  const ArgumentLayout layout = layout_arguments(module.types, *module.find_kernel(run.kernel));
  std::vector<std::byte> block(layout.size_bytes);
  for (std::size_t i = 0; i < run.arguments.size(); ++i) {
    RunArgument& argument = run.arguments[i];
    std::byte* slot = block.data() + layout.slots[i].offset_bytes;
    if (is_buffer(module.types, argument.type)) {
      const std::array<std::uint64_t, 2> words{std::bit_cast<std::uint64_t>(argument.bytes.data()), argument.count};
      std::memcpy(slot, words.data(), kBufferArgumentBytes);
    } else {
      std::ranges::copy(argument.bytes, slot);
    }
  }
  return block;
}

std::string mismatch(const Module& module, const RunSpec& run, const RunOutcome& outcome) {
  std::string text;
  if (run.fault.has_value() != !outcome.fault.empty() ||
      (run.fault && outcome.fault.find(*run.fault) == std::string::npos)) {
    text += fmt::format("fault \"{}\", expected \"{}\"\n", outcome.fault, run.fault.value_or("none"));
  }
  if (run.prints) {
    text += prints_mismatch(*run.prints, outcome.prints);
  }
  for (const RunExpectation& expected : run.expectations) {
    text += argument_mismatch(module, run.arguments[expected.argument], expected);
  }
  return text;
}

}  // namespace weft::test
