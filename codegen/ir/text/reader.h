// A cursor over the tokens of one source, and where its errors go.
//
// Errors are collected, and reading goes on at the next line or closing brace. After kMaxErrors, which no person has
// made by hand, the cursor jumps to the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/ir/module.h"
#include "codegen/ir/text/lex.h"
#include "runtime/support/diagnostic.h"

namespace weft::ir {

class Reader {
 public:
  Reader(std::string_view source, std::string file);

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] const Token& previous() const { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
  Token take();
  [[nodiscard]] std::size_t position() const { return at_; }
  void seek(std::size_t position) { at_ = position; }

  // Whether the next token is this word or punctuation.
  [[nodiscard]] bool at(std::string_view text) const { return peek().text == text; }
  [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::end; }
  // Whether a statement may end here: a line end, a closing brace or the end of the file.
  [[nodiscard]] bool at_statement_end() const;
  // Whether the word or punctuation follows, line ends aside; if so, the cursor moves to it.
  bool reach(std::string_view text);

  // Takes the next token if it is this word or punctuation.
  bool accept(std::string_view text);
  // The same, and an error otherwise: "expected `)` after the arguments, found `%x`".
  bool expect(std::string_view text, std::string_view where);
  // The end of a statement, or an error.
  bool expect_statement_end();
  // A quoted string's text; nothing after an error.
  std::optional<std::string> expect_string(std::string_view what);
  // The name of a token of a kind; nothing after an error.
  std::optional<std::string> expect_name(TokenKind kind, std::string_view what);
  // An unsigned decimal number up to `most`; nothing after an error.
  std::optional<std::uint64_t> expect_number(std::string_view what, std::uint64_t most);

  void skip_newlines();
  // To the end of the statement, over blocks in braces that it opened.
  void skip_statement();
  // Over a block, from its opening to after its closing brace.
  void skip_block();

  // `item` for each item of a list separated by commas and closed by `close`, which is taken. Line ends may follow the
  // opening, commas and the last item. False after an error.
  template <class Item>
  bool read_list(std::string_view close, std::string_view where, Item item) {
    skip_newlines();
    while (!accept(close)) {
      if (!item()) {
        return false;
      }
      if (accept(",")) {
        skip_newlines();
      } else if (!reach(close)) {
        return expect(close, where);
      }
    }
    return true;
  }

  // The result is valid until the next error.
  Diagnostic& error(const Token& token, std::string message);
  Diagnostic& error(SourceLocation place, std::string message);
  // "expected a type, found `%x`" at the next token.
  void expected(std::string_view what);

  [[nodiscard]] SourceLocation place(const Token& token) const;
  // From a token to the one last taken, if on one line.
  [[nodiscard]] SourceLocation place_from(const Token& first) const;
  // The source from a token to the one last taken.
  [[nodiscard]] std::string_view text_from(const Token& first) const;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool has_errors() const { return diagnostics_.has_errors(); }
  // All errors, by place.
  DiagnosticList take_diagnostics();

 private:
  std::string file_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  DiagnosticList diagnostics_;
  Diagnostic ignored_;  // takes what is said after the end or after too many errors
  bool end_reported_ = false;
};

// "`%x`", "the end of the line", ...: a token in a message.
[[nodiscard]] std::string describe(const Token& token);

}  // namespace weft::ir
