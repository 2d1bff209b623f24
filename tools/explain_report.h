// What `weftc explain` tells of a kernel: as text for people, as JSON for programs.
#pragma once

#include "codegen/jit/explain.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::tools {

// The lines of source files, read when they are first asked for.
class SourceLines {
 public:
  // The text of a file that is known already.
  void add(const std::string& file, std::string_view text);
  // A line without its indentation; empty where there is none, or where the file cannot be read.
  std::string_view line(const std::string& file, std::uint32_t number);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);
  std::map<std::string, std::vector<std::string>, std::less<>> files_;
};

std::string to_text(const jit::Explanation& explanation, SourceLines& sources);
std::string to_json(std::span<const jit::Explanation> explanations, SourceLines& sources);

// "one vector of 16, masked".
std::string note_text(const jit::Note& note, std::uint32_t width);

// The table of what may be said, as Markdown.
std::string remarks_markdown();

}  // namespace weft::tools
