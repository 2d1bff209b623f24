// A page of docs/ with a part between two marks that a table gives.
#pragma once

#include <string>
#include <string_view>

namespace weft::test {

// main() of a program PAGE [--write]: whether the part of the page between the lines `<!-- MARK: begin -->` and `<!--
// MARK: end -->` is `text`; with --write it is made so. Gives the exit code.
int check_generated_part(int count, char** arguments, std::string_view mark, const std::string& text);

}  // namespace weft::test
