// The layout of the text form: two blanks for each open brace, one blank between words, one blank line at most,
// comments where they were.
#pragma once

#include <string>
#include <string_view>

namespace weft::tools {

// The same tokens and comments in the one layout. The source must be readable.
std::string lay_out(std::string_view source);

}  // namespace weft::tools
