#include "runtime/support/env.h"

#include "tests/unit/support/capture.h"
#include "tests/unit/support/environment.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace weft;
using test::LogCapture;
using test::ScopedVariable;

TEST_CASE("env: an unset or empty variable has its default") {
  ScopedVariable threads("WEFT_THREADS", nullptr);
  CHECK(env::threads() == 0);
  threads.set("");
  CHECK(env::threads() == 0);
  CHECK(env::read(env::Id::threads).problem.empty());
  const ScopedVariable width("WEFT_WIDTH", nullptr);
  CHECK(env::width() == "auto");
  const ScopedVariable verify("WEFT_VERIFY", nullptr);
  CHECK_FALSE(env::verify());
}

TEST_CASE("env: well-formed values come typed") {
  const ScopedVariable threads("WEFT_THREADS", "12");
  const ScopedVariable width("WEFT_WIDTH", "16");
  const ScopedVariable verify("WEFT_VERIFY", "1");
  const ScopedVariable folder("WEFT_DUMP_KERNELS", "some/folder");
  CHECK(env::threads() == 12);
  CHECK(env::width() == "16");
  CHECK(env::verify());
  CHECK(env::dump_kernels() == "some/folder");
  CHECK(env::read(env::Id::width).problem.empty());
}

TEST_CASE("env: a malformed value names variable, value and what was expected, and the default holds") {
  const ScopedVariable threads("WEFT_THREADS", "-3");
  CHECK(env::read(env::Id::threads).problem ==
        "environment variable WEFT_THREADS is '-3', expected a whole number; using 0");
  const ScopedVariable width("WEFT_WIDTH", "7");
  CHECK(env::read(env::Id::width).value == "auto");
  CHECK(env::read(env::Id::width).problem ==
        "environment variable WEFT_WIDTH is '7', expected one of auto|1|4|8|16|32; using auto");
  const ScopedVariable verify("WEFT_VERIFY", "yes");
  CHECK(env::read(env::Id::verify).problem == "environment variable WEFT_VERIFY is 'yes', expected 0 or 1; using 0");
}

TEST_CASE("env: numbers with a tail, a sign, or beyond 64 bits are malformed") {
  for (const char* text : {"4x", " 4", "+4", "0x10", "18446744073709551616", "4.0"}) {
    const ScopedVariable threads("WEFT_THREADS", text);
    INFO(text);
    CHECK_FALSE(env::read(env::Id::threads).problem.empty());
  }
}

TEST_CASE("env: part of a choice, or two of them, is no choice") {
  for (const char* text : {"aut", "auto|1", "6", "|", "1|4"}) {
    const ScopedVariable width("WEFT_WIDTH", text);
    INFO(text);
    CHECK_FALSE(env::read(env::Id::width).problem.empty());
  }
}

TEST_CASE("env: a malformed value is reported once") {
  const LogCapture capture(LogLevel::warn);
  const ScopedVariable opt("WEFT_OPT", "9");
  CHECK(env::opt() == "auto");
  CHECK(env::opt() == "auto");
  REQUIRE(capture.messages().size() == 1);
  CHECK(capture.messages()[0].second == "environment variable WEFT_OPT is '9', expected one of auto|0|1|2; using auto");
}

TEST_CASE("env: every row has a name of its own, a meaning and a well-formed default") {
  std::set<std::string> names;
  for (const env::Variable& row : env::variables()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_THAT(row.name, Catch::StartsWith("WEFT_"));
    CHECK_FALSE(std::string(row.meaning).empty());
    const ScopedVariable set_to_default(row.name, row.standard);
    const auto id = static_cast<env::Id>(&row - env::variables().data());
    CHECK(env::read(id).problem.empty());
    CHECK(env::read(id).value == row.standard);
  }
}
