#include "tests/docs/generated_part.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace weft::test {

namespace {

// The page with its generated part made anew; empty without the marks of that part.
std::string renewed(const std::string& page, std::string_view mark, const std::string& text) {
  const std::string begin_mark = fmt::format("<!-- {}: begin -->\n", mark);
  const std::string end_mark = fmt::format("<!-- {}: end -->\n", mark);
  const std::size_t begin = page.find(begin_mark);
  const std::size_t end = page.find(end_mark);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return page.substr(0, begin + begin_mark.size()) + text + "\n" + page.substr(end);
}

}  // namespace

int check_generated_part(int count, char** arguments, std::string_view mark, const std::string& text) {
  if (count < 2) {
    fmt::print(stderr, "usage: {} PAGE [--write]\n", arguments[0]);
    return 2;
  }
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(in), {});
  const std::string expected = renewed(page, mark, text);
  if (expected.empty()) {
    fmt::print(stderr, "{}: has no generated part\n", arguments[1]);
    return 1;
  }
  if (page == expected) return 0;
  if (count > 2 && std::string_view(arguments[2]) == "--write") {
    std::ofstream(arguments[1], std::ios::binary) << expected;
    return 0;
  }
  fmt::print(stderr, "{}: is behind the table of {}; build the target update_docs\n", arguments[1], mark);
  return 1;
}

}  // namespace weft::test
