#include "codegen/ir/text/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace weft::ir {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The escape at the front of `rest`, which follows a backslash; it is removed.
std::optional<char> take_escape(std::string_view& rest) {
  if (rest.empty()) {
    return std::nullopt;
  }
  const char kind = rest.front();
  rest.remove_prefix(1);
  switch (kind) {
    case 'n': return '\n';
    case 't': return '\t';
    case '"':
    case '\\': return kind;
    case 'x': {
      unsigned byte = 0;
      const auto digits = rest.substr(0, 2);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      if (error != std::errc() || digits.size() != 2 || end != digits.data() + 2) {
        return std::nullopt;
      }
      rest.remove_prefix(2);
      return static_cast<char>(byte);
    }
    default: return std::nullopt;
  }
}

}  // namespace

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::optional<std::string> unquoted(std::string_view spelling) {
  if (spelling.size() < 2 || spelling.front() != '"' || spelling.back() != '"') {
    return std::nullopt;
  }
  std::string_view rest = spelling.substr(1, spelling.size() - 2);
  std::string out;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    const auto plain = c == '\\' ? take_escape(rest) : std::optional(c);
    if (!plain) {
      return std::nullopt;
    }
    out += *plain;
  }
  return out;
}

std::string spelled(std::string_view name) { return is_identifier(name) ? std::string(name) : quoted(name); }

std::optional<std::string> name_of(std::string_view spelling) {
  return spelling.starts_with('"') ? unquoted(spelling) : std::optional(std::string(spelling));
}

bool is_type_word(std::string_view name) {
  static constexpr std::array kWords{
#define WEFT_SCALAR(name, id, text, bits, category, letter) std::string_view{text},
#include "codegen/ir/scalars.def"
      std::string_view{"void"},   std::string_view{"vec"},         std::string_view{"mat"}, std::string_view{"array"},
      std::string_view{"buffer"}, std::string_view{"byte_buffer"}, std::string_view{"ref"}};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

}  // namespace weft::ir
