// How names and strings are spelled in the text form: a name that is no identifier is written as a quoted string, so
// that whatever a front end calls its structs and functions can be read back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::ir {

// Letters, digits and underscores, not beginning with a digit.
[[nodiscard]] bool is_identifier(std::string_view name);

// In double quotes; quotes, backslashes and control characters are escaped.
[[nodiscard]] std::string quoted(std::string_view text);

// The text of a quoted string; nothing if it has no closing quote or an unknown escape.
[[nodiscard]] std::optional<std::string> unquoted(std::string_view spelling);

// An identifier as it is, anything else quoted.
[[nodiscard]] std::string spelled(std::string_view name);

// The name that a spelling, quoted or not, stands for; nothing if it is badly quoted.
[[nodiscard]] std::optional<std::string> name_of(std::string_view spelling);

// Which of the words that begin a type this is, if any: a struct of such a name is written quoted.
[[nodiscard]] bool is_type_word(std::string_view name);

}  // namespace weft::ir
