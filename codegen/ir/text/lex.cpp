#include "codegen/ir/text/lex.h"

namespace weft::ir {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_punctuation(char c) { return std::string_view("{}()[]<>,:=.").find(c) != std::string_view::npos; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (skip_blanks(), at_ < source_.size()) {
      lex_one();
    }
    push(TokenKind::end, 0);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void push(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, source_.substr(at_, length), line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)});
    at_ += length;
  }

  void skip_blanks() {
    while (at_ < source_.size() && (is_blank(source_[at_]) || source_[at_] == ';')) {
      at_ = source_[at_] == ';' ? std::min(source_.find('\n', at_), source_.size()) : at_ + 1;
    }
  }

  void lex_one() {
    const char c = peek();
    if (c == '\n') {
      lex_newline();
    } else if (c == '%' || c == '@') {
      push(c == '%' ? TokenKind::value : TokenKind::symbol, name_length());
    } else if (c == '"') {
      push(TokenKind::string, string_length(0));
    } else if (c == '-' && peek(1) == '>') {
      push(TokenKind::punctuation, 2);
    } else if (is_digit(c) || (c == '-' && is_word(peek(1)))) {
      push(TokenKind::number, number_length());
    } else if (is_word(c)) {
      push(TokenKind::word, word_length(0));
    } else if (is_punctuation(c)) {
      push(TokenKind::punctuation, 1);
    } else {
      push(TokenKind::invalid, invalid_length());
    }
  }

  void lex_newline() {
    if (tokens_.empty() || tokens_.back().kind != TokenKind::newline) {
      push(TokenKind::newline, 1);
    } else {
      ++at_;
    }
    ++line_;
    line_start_ = at_;
  }

  [[nodiscard]] std::size_t word_length(std::size_t from) const {
    std::size_t length = from;
    while (is_word(peek(length))) {
      ++length;
    }
    return length;
  }

  // A string ends at its quote, or, badly, at the end of its line.
  [[nodiscard]] std::size_t string_length(std::size_t from) const {
    std::size_t length = from + 1;
    while (at_ + length < source_.size() && peek(length) != '\n' && peek(length) != '"') {
      length += peek(length) == '\\' && peek(length + 1) != '\n' ? 2 : 1;
    }
    return std::min(length + (peek(length) == '"' ? 1 : 0), source_.size() - at_);
  }

  [[nodiscard]] std::size_t name_length() const { return peek(1) == '"' ? string_length(1) : word_length(1); }

  // Digits, letters and a sign after the exponent's e. After a `.` it is the number of a part, and ends at the next
  // `.`.
  [[nodiscard]] std::size_t number_length() const {
    const bool part = !tokens_.empty() && tokens_.back().text == ".";
    const bool hex = source_.substr(at_ + (peek() == '-' ? 1 : 0), 2) == "0x";
    std::size_t length = 1;
    for (;; ++length) {
      const char c = peek(length);
      const char before = peek(length - 1);
      const bool exponent_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') && !hex;
      const bool point = c == '.' && !part && !hex;
      if (!is_word(c) && !exponent_sign && !point) {
        return length;
      }
    }
  }

  [[nodiscard]] std::size_t invalid_length() const {
    std::size_t length = 1;
    while (at_ + length < source_.size()) {
      const char c = peek(length);
      if (is_word(c) || is_blank(c) || is_punctuation(c) ||
          std::string_view("\n;%@\"-").find(c) != std::string_view::npos) {
        break;
      }
      ++length;
    }
    return length;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> lex(std::string_view source) { return Lexer(source).run(); }

}  // namespace weft::ir
