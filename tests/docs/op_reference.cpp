// Whether the generated part of a page is what the op table gives now: op_reference PAGE. With --write behind it, it is
// made so.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "codegen/ir/reference.h"

namespace {

constexpr std::string_view kBegin = "<!-- ops: begin -->\n";
constexpr std::string_view kEnd = "<!-- ops: end -->\n";

// The page with its generated part made anew; empty without the marks of that part.
std::string renewed(const std::string& page) {
  const std::size_t begin = page.find(kBegin);
  const std::size_t end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return page.substr(0, begin + kBegin.size()) + weft::ir::op_reference() + "\n" + page.substr(end);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: op_reference PAGE [--write]\n");
    return 2;
  }
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(in), {});
  const std::string expected = renewed(page);
  if (expected.empty()) {
    fmt::print(stderr, "{}: has no generated part\n", arguments[1]);
    return 1;
  }
  if (page == expected) return 0;
  if (count > 2 && std::string_view(arguments[2]) == "--write") {
    std::ofstream(arguments[1], std::ios::binary) << expected;
    return 0;
  }
  fmt::print(stderr, "{}: is behind the op table; build the target update_docs\n", arguments[1]);
  return 1;
}
