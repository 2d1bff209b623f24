#include "runtime/support/diagnostic.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

using namespace weft;

namespace {

constexpr const char* kText =
    "weft 1\n"
    "kernel @broken() {\n"
    "  store %tile[%lane], %n\n"
    "\t%x = fadd %y\n"
    "  ; \xC3\xA4\xC3\xB6 %z\r\n"
    "}";

SourceTexts sources() {
  SourceTexts texts;
  texts.add("broken.weft", kText);
  return texts;
}

std::string printed(SourceLocation where) {
  DiagnosticList list;
  list.error(std::move(where), "wrong");
  SourceTexts texts = sources();
  return print(list, texts);
}

}  // namespace

TEST_CASE("diagnostic: place, severity, message, source line, caret and notes are printed") {
  DiagnosticList list;
  list.error({"broken.weft", 3, 23, 2}, "store operand 2 (%n) has type u32, expected f32")
      .note({"broken.weft", 2, 1, 0}, "in this kernel");
  SourceTexts texts = sources();
  CHECK(print(list, texts) ==
        "broken.weft:3:23: error: store operand 2 (%n) has type u32, expected f32\n"
        "    3 |   store %tile[%lane], %n\n"
        "      |                       ^~\n"
        "broken.weft:2:1: note: in this kernel\n"
        "    2 | kernel @broken() {\n"
        "      | ^\n"
        "1 error\n");
}

TEST_CASE("diagnostic: errors and warnings are counted apart") {
  DiagnosticList list;
  CHECK(list.empty());
  CHECK(print(list).empty());
  list.warning({}, "unused value");
  CHECK_FALSE(list.has_errors());
  list.error({"a.weft", 1, 1, 0}, "one");
  DiagnosticList more;
  more.error({"a.weft", 2, 0, 0}, "two");
  list.append(std::move(more));
  CHECK(list.has_errors());
  CHECK(list.error_count() == 2);
  CHECK(list.warning_count() == 1);
  CHECK(print(list) ==
        "warning: unused value\n"
        "a.weft:1:1: error: one\n"
        "a.weft:2: error: two\n"
        "2 errors, 1 warning\n");
}

TEST_CASE("diagnostic: the caret stands below its column after tabs and multi-byte characters") {
  CHECK_THAT(printed({"broken.weft", 4, 12, 2}), Catch::Contains("    4 | \t%x = fadd %y\n      | \t          ^~\n"));
  CHECK_THAT(printed({"broken.weft", 5, 10, 2}), Catch::Contains("%z\n      |        ^~\n"));
}

TEST_CASE("diagnostic: a place at or past the end of a line is printed without running over") {
  CHECK_THAT(printed({"broken.weft", 6, 2, 0}), Catch::Contains("    6 | }\n      |  ^\n"));
  CHECK(printed({"broken.weft", 6, 99, 4}) == "broken.weft:6:99: error: wrong\n1 error\n");
  CHECK_THAT(printed({"broken.weft", 6, 1, 4000}), Catch::Contains("      | ^\n"));
  CHECK(printed({"broken.weft", 700, 1, 1}) == "broken.weft:700:1: error: wrong\n1 error\n");
}

TEST_CASE("diagnostic: a text that was not added is read from disk, a missing one leaves the line out") {
  const std::string file = "unit_support_diagnostic.txt";
  std::ofstream(file) << "first\nsecond\n";
  SourceTexts texts;
  CHECK(texts.line(file, 2) == "second");
  CHECK(std::remove(file.c_str()) == 0);
  CHECK(printed({"no/such/file.weft", 1, 1, 1}) == "no/such/file.weft:1:1: error: wrong\n1 error\n");
}

TEST_CASE(
    "diagnostic: of a long line only what is around the place is shown, whole characters and the caret below it") {
  std::string line(1000, 'a');
  line.replace(500, 4, "here");
  line.replace(418, 4, "\xC3\xA4\xC3\xA4");  // cut between the bytes of one
  SourceTexts texts;
  texts.add("long.weft", line);
  DiagnosticList list;
  list.error({"long.weft", 1, 501, 4}, "wrong");
  CHECK(print(list, texts) == "long.weft:1:501: error: wrong\n    1 | ...\xC3\xA4" + std::string(78, 'a') + "here" +
                                  std::string(76, 'a') + "...\n      | " + std::string(82, ' ') + "^~~~\n1 error\n");
}

TEST_CASE("diagnostic: control characters of the source do not reach the terminal") {
  SourceTexts texts;
  texts.add("odd.weft", std::string("a\x1B[2J\0b", 7));
  DiagnosticList list;
  list.error({"odd.weft", 1, 1, 1}, "wrong");
  CHECK(print(list, texts) == "odd.weft:1:1: error: wrong\n    1 | a?[2J?b\n      | ^\n1 error\n");
}

TEST_CASE("diagnostic: a place in what is no regular file is named but not read") {
  SourceTexts texts;
  CHECK(texts.line("/dev/zero", 1).empty());
  CHECK(texts.line("/", 1).empty());
}
