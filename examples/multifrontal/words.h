// Words of a line, and numbers in them.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace multifrontal {

inline std::vector<std::string_view> split_words(std::string_view line, std::string_view separators = " \t\r") {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(separators, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// Whether the whole word is a number, which becomes `value`.
template <typename T>
bool parse_number(std::string_view word, T& value) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
  }
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && rest == word.data() + word.size();
}

inline std::string lower(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace multifrontal
