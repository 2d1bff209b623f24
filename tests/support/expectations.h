// What a .weft test expects, written as comments behind the lines that it is about:
//
//   store %r, %n        ; error: operand 2 (%n) has type u32
//   %n = thread_id.x    ; note: %n is declared
//
// Several may stand in one line. `find_expectations` knows any set of kinds, so that `; run: ...` is read the same way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::test {

struct Expectation {
  std::string kind;
  std::uint32_t line = 0;  // from 1
  std::string text;        // behind the colon, without blanks around it
};

namespace detail {

inline std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

// The next `; kind:` of one of the kinds in a line from `at` on: where it begins, its kind and where its text begins.
struct Mark {
  std::size_t begin = std::string_view::npos;
  std::string_view kind;
  std::size_t text = std::string_view::npos;
};

inline Mark find_mark(std::string_view line, std::size_t at, std::span<const std::string_view> kinds) {
  for (; (at = line.find(';', at)) != std::string_view::npos; ++at) {
    const std::size_t word = line.find_first_not_of(" \t", at + 1);
    for (const std::string_view kind : kinds) {
      if (word != std::string_view::npos && line.substr(word).starts_with(kind) &&
          line.substr(word + kind.size()).starts_with(':')) {
        return {at, kind, word + kind.size() + 1};
      }
    }
  }
  return {};
}

inline void find_in_line(std::string_view line, std::uint32_t number, std::span<const std::string_view> kinds,
                         std::vector<Expectation>& found) {
  for (Mark mark = find_mark(line, 0, kinds); mark.begin != std::string_view::npos;) {
    const Mark next = find_mark(line, mark.text, kinds);
    const std::string_view text = line.substr(mark.text, next.begin - mark.text);
    found.push_back({std::string(mark.kind), number, trimmed(text)});
    mark = next;
  }
}

}  // namespace detail

// All expectations of the given kinds, in order.
inline std::vector<Expectation> find_expectations(std::string_view source, std::span<const std::string_view> kinds) {
  std::vector<Expectation> found;
  for (std::uint32_t number = 1; !source.empty(); ++number) {
    const std::size_t end = source.find('\n');
    detail::find_in_line(source.substr(0, end), number, kinds, found);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
  }
  return found;
}

}  // namespace weft::test
