// The tokens of the text form. A token views the source that it was cut from.
//
//   word         add, vec, dispatch_id       value  %name %12 %"any name"      string  "..."
//   number       1  -2.5e-3  0x7f_u8  -inf   symbol @name @12 @"any name"      punctuation  { } ( ) [ ] < > , : = . ->
//   newline      ends a statement; one for any number of line ends
//
// Comments run from `;` to the end of the line. Bytes that begin no token become tokens of kind `invalid`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::ir {

enum class TokenKind : std::uint8_t { end, newline, word, value, symbol, number, string, punctuation, invalid };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // with sigil and quotes
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// All tokens of a source; the last one is of kind `end`.
[[nodiscard]] std::vector<Token> lex(std::string_view source);

}  // namespace weft::ir
