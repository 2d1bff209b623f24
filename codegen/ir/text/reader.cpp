#include "codegen/ir/text/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>

#include "codegen/ir/text/spelling.h"

namespace weft::ir {

namespace {

constexpr std::size_t kMaxErrors = 100;
constexpr std::size_t kMaxShownLength = 40;

std::string shown(std::string_view text) {
  const std::string whole = quoted(text.substr(0, kMaxShownLength));
  return whole.substr(1, whole.size() - 2) + (text.size() > kMaxShownLength ? "..." : "");
}

}  // namespace

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::end: return "the end of the file";
    case TokenKind::newline: return "the end of the line";
    case TokenKind::string: return "a string";
    case TokenKind::word:
    case TokenKind::value:
    case TokenKind::symbol:
    case TokenKind::number:
    case TokenKind::punctuation:
    case TokenKind::invalid: return fmt::format("`{}`", shown(token.text));
  }
  return {};
}

// Bytes that begin no token are reported once here and left out.
Reader::Reader(std::string_view source, std::string file) : file_(std::move(file)), tokens_(lex(source)) {
  for (const Token& token : tokens_) {
    if (token.kind == TokenKind::invalid) {
      error(token, fmt::format("{} has no meaning here", describe(token)));
    } else if ((token.kind == TokenKind::value || token.kind == TokenKind::symbol) && token.text.size() == 1) {
      error(token, fmt::format("expected a name after `{}`", token.text));
    }
  }
  std::erase_if(tokens_, [](const Token& token) { return token.kind == TokenKind::invalid; });
}

const Token& Reader::peek(std::size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

Token Reader::take() {
  const Token token = peek();
  at_ = std::min(at_ + 1, tokens_.size() - 1);
  return token;
}

bool Reader::at_statement_end() const { return peek().kind == TokenKind::newline || at("}") || at_end(); }

bool Reader::reach(std::string_view text) {
  const std::size_t ahead = peek().kind == TokenKind::newline ? 1 : 0;
  if (peek(ahead).text != text) {
    return false;
  }
  at_ += ahead;
  return true;
}

bool Reader::accept(std::string_view text) {
  if (!at(text)) {
    return false;
  }
  take();
  return true;
}

bool Reader::expect(std::string_view text, std::string_view where) {
  if (accept(text)) {
    return true;
  }
  error(peek(), fmt::format("expected `{}` {}, found {}", text, where, describe(peek())));
  return false;
}

bool Reader::expect_statement_end() {
  if (at_statement_end()) {
    return true;
  }
  error(peek(), fmt::format("expected the end of the line, found {}", describe(peek())));
  return false;
}

std::optional<std::string> Reader::expect_string(std::string_view what) {
  if (peek().kind != TokenKind::string) {
    expected(what);
    return std::nullopt;
  }
  const Token token = take();
  auto text = unquoted(token.text);
  if (!text) {
    error(token, "string has no closing quote or an escape other than \\n \\t \\\\ \\\" \\xNN");
  }
  return text;
}

std::optional<std::string> Reader::expect_name(TokenKind kind, std::string_view what) {
  if (kind == TokenKind::word && peek().kind == TokenKind::string) {
    return expect_string(what);
  }
  if (peek().kind != kind) {
    expected(what);
    return std::nullopt;
  }
  const Token token = take();
  auto name = name_of(token.text.substr(kind == TokenKind::word ? 0 : 1));
  if (!name) {
    error(token, "name has no closing quote or an escape other than \\n \\t \\\\ \\\" \\xNN");
  }
  return name;
}

std::optional<std::uint64_t> Reader::expect_number(std::string_view what, std::uint64_t most) {
  if (peek().kind != TokenKind::number) {
    expected(what);
    return std::nullopt;
  }
  const Token token = take();
  std::uint64_t number = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, problem] = std::from_chars(token.text.data(), end, number);
  if (stop != end || problem != std::errc() || number > most) {
    error(token, fmt::format("expected {} from 0 to {}, found {}", what, most, describe(token)));
    return std::nullopt;
  }
  return number;
}

void Reader::skip_newlines() {
  while (peek().kind == TokenKind::newline) {
    take();
  }
}

void Reader::skip_statement() {
  std::size_t depth = 0;
  while (!at_end()) {
    if (depth == 0 && (peek().kind == TokenKind::newline || at("}"))) {
      return;
    }
    const Token token = take();
    depth += token.text == "{" ? 1 : 0;
    depth -= token.text == "}" ? 1 : 0;
  }
}

void Reader::skip_block() {
  std::size_t depth = 0;
  do {
    const Token token = take();
    depth += token.text == "{" ? 1 : 0;
    depth -= token.text == "}" && depth > 0 ? 1 : 0;
  } while (depth > 0 && !at_end());
}

Diagnostic& Reader::error(const Token& token, std::string message) { return error(place(token), std::move(message)); }

Diagnostic& Reader::error(SourceLocation where, std::string message) {
  const bool end = at_end();
  if (diagnostics_.error_count() > kMaxErrors || (end && end_reported_)) {
    ignored_ = {};
    return ignored_;
  }
  if (diagnostics_.error_count() == kMaxErrors) {
    at_ = tokens_.size() - 1;
    return diagnostics_.error(std::move(where), "too many errors, reading stops here");
  }
  end_reported_ = end;
  return diagnostics_.error(std::move(where), std::move(message));
}

void Reader::expected(std::string_view what) {
  error(peek(), fmt::format("expected {}, found {}", what, describe(peek())));
}

SourceLocation Reader::place(const Token& token) const {
  const bool visible = token.kind != TokenKind::newline && token.kind != TokenKind::end;
  return {file_, token.line, token.column, visible ? static_cast<std::uint32_t>(token.text.size()) : 0};
}

SourceLocation Reader::place_from(const Token& first) const {
  SourceLocation where = place(first);
  if (previous().line == first.line && previous().column >= first.column) {
    where.length = previous().column - first.column + static_cast<std::uint32_t>(previous().text.size());
  }
  return where;
}

std::string_view Reader::text_from(const Token& first) const {
  const char* end = previous().text.data() + previous().text.size();
  return {first.text.data(), static_cast<std::size_t>(end - first.text.data())};
}

DiagnosticList Reader::take_diagnostics() {
  std::vector<Diagnostic> items = diagnostics_.items();
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const SourceLocation& x = items[a].location;
    const SourceLocation& y = items[b].location;
    return std::tie(x.line, x.column, a) < std::tie(y.line, y.column, b);
  });
  DiagnosticList sorted;
  for (const std::size_t i : order) {
    sorted.error(std::move(items[i].location), std::move(items[i].message)).notes = std::move(items[i].notes);
  }
  return sorted;
}

}  // namespace weft::ir
