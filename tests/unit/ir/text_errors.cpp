// Every file below text/errors is wrong in the ways that its comments say, and in no other.
#include <catch2/catch.hpp>

#include "codegen/ir/verify/verify.h"
#include "tests/support/expectations.h"
#include "tests/support/files.h"

using namespace weft;
using weft::test::Expectation;

namespace {

constexpr std::array<std::string_view, 2> kKinds{"error", "note"};

bool matches(const Expectation& expected, std::string_view kind, const SourceLocation& place,
             const std::string& message) {
  return expected.kind == kind && expected.line == place.line && message.find(expected.text) != std::string::npos;
}

// Takes the first expectation that a message fulfils; false if there is none.
bool take(std::vector<Expectation>& expectations, std::string_view kind, const SourceLocation& place,
          const std::string& message) {
  const auto found = std::find_if(expectations.begin(), expectations.end(),
                                  [&](const Expectation& e) { return matches(e, kind, place, message); });
  if (found == expectations.end()) return false;
  expectations.erase(found);
  return true;
}

DiagnosticList problems_of(const std::string& source) {
  auto module = ir::parse_verified(source, "test");
  return module ? DiagnosticList() : module.take_diagnostics();
}

// Errors that were not expected, and expectations that no message fulfils. Notes need not be expected.
std::string surprises(const std::string& source) {
  std::vector<Expectation> expectations = test::find_expectations(source, kKinds);
  std::string out;
  for (const Diagnostic& problem : problems_of(source).items()) {
    if (!take(expectations, "error", problem.location, problem.message)) {
      out += "not expected: " + to_string(problem.location) + ": " + problem.message + "\n";
    }
    for (const DiagnosticNote& note : problem.notes) take(expectations, "note", note.location, note.message);
  }
  for (const Expectation& e : expectations) {
    out += "missing: line " + std::to_string(e.line) + ": " + e.kind + ": " + e.text + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("text: a wrong module has the errors that its comments say, each on its line") {
  std::size_t expected = 0;
  for (const auto& file : test::weft_files("text/errors")) {
    INFO(file.string());
    const std::string source = test::read_text(file);
    expected += test::find_expectations(source, kKinds).size();
    CHECK(surprises(source) == "");
  }
  CHECK(expected > 100);
}

TEST_CASE("text: an error that a comment does not expect, or expects elsewhere, is seen") {
  CHECK(surprises("weft 1\nkernel @k() block(0) {\n}\n").find("not expected") == 0);
  CHECK(surprises("weft 1\nkernel @k() block(8) { ; error: block\n}\n").find("missing: line 2") == 0);
}
