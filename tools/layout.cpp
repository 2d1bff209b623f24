#include "tools/layout.h"

#include "codegen/ir/text/lex.h"
#include "runtime/support/check.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weft::tools {
namespace {

using ir::Token;
using ir::TokenKind;

constexpr std::string_view kOpening = "{([";
constexpr std::string_view kClosing = "})]";
constexpr std::size_t kIndent = 2;

bool is_any(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, text) != list.end();
}

// The tokens of one line, which are the same as within the whole source: none goes beyond its line.
struct Line {
  std::vector<Token> tokens;
  std::string_view comment;  // from its `;` on
};

Line split_line(std::string_view text) {
  Line line;
  line.tokens = ir::lex(text);
  WEFT_CHECK(line.tokens.back().kind == TokenKind::end);
  line.tokens.pop_back();
  const std::size_t end = line.tokens.empty() ? 0 : line.tokens.back().column - 1 + line.tokens.back().text.size();
  const std::size_t comment = text.find(';', end);
  if (comment != std::string_view::npos) line.comment = text.substr(comment);
  while (line.comment.ends_with('\r') || line.comment.ends_with(' ')) line.comment.remove_suffix(1);
  return line;
}

// Whether a blank stands between tokens i - 1 and i.
bool has_blank_before(const std::vector<Token>& tokens, std::size_t i) {
  const std::string_view before = tokens[i - 1].text;
  const std::string_view text = tokens[i].text;
  if (is_any(before, {"=", "->", ","}) || is_any(text, {"=", "->"})) return true;
  if (is_any(text, {",", ":", ".", ")", "]", "<", ">"}) || is_any(before, {"(", "[", "<", "."})) return false;
  if (is_any(text, {"(", "["})) return before == ":";
  // A place: "file.cpp":41:7
  if (before == ":" && i >= 2)
    return !(tokens[i - 2].kind == TokenKind::string || tokens[i - 2].kind == TokenKind::number);
  return true;
}

class Layout {
 public:
  void add(const Line& line) {
    if (line.tokens.empty() && line.comment.empty()) {
      blank_ = true;
      return;
    }
    if (blank_ && !out_.empty()) out_ += '\n';
    blank_ = false;
    out_.append(kIndent * (depth_ - leading_closers(line)), ' ');
    for (std::size_t i = 0; i < line.tokens.size(); ++i) {
      if (i > 0 && has_blank_before(line.tokens, i)) out_ += ' ';
      out_ += line.tokens[i].text;
      count_depth(line.tokens[i]);
    }
    if (!line.comment.empty() && !line.tokens.empty()) out_ += "  ";
    out_ += line.comment;
    out_ += '\n';
  }

  std::string take() { return std::move(out_); }

 private:
  static bool is_one_of(const Token& token, std::string_view characters) {
    return token.kind == TokenKind::punctuation && token.text.size() == 1 && characters.contains(token.text[0]);
  }

  std::size_t leading_closers(const Line& line) const {
    std::size_t count = 0;
    while (count < line.tokens.size() && is_one_of(line.tokens[count], kClosing)) ++count;
    return std::min(count, depth_);
  }

  void count_depth(const Token& token) {
    if (is_one_of(token, kOpening)) ++depth_;
    if (is_one_of(token, kClosing) && depth_ > 0) --depth_;
  }

  std::string out_;
  std::size_t depth_ = 0;  // of open braces, brackets and parentheses
  bool blank_ = false;     // blank lines are due
};

}  // namespace

std::string lay_out(std::string_view source) {
  Layout layout;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    layout.add(split_line(source.substr(begin, end - begin)));
    begin = end + 1;
  }
  return layout.take();
}

}  // namespace weft::tools
