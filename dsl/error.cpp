#include "dsl/error.h"

#include <fmt/format.h>

#include "dsl/recording.h"

namespace weft::dsl {

namespace {

std::string place(const std::string& file, std::uint32_t line, std::uint32_t column) {
  return column == 0 ? fmt::format("{}:{}", file, line) : fmt::format("{}:{}:{}", file, line, column);
}

}  // namespace

Note note(Where where, std::string text) { return {where.file_name(), where.line(), where.column(), std::move(text)}; }

Note note(const ir::Module& module, const ir::Location& where, std::string text) {
  return {std::string(module.string(where.file)), where.line, where.column, std::move(text)};
}

void fail(Where where, std::string message, std::vector<Note> notes) {
  for (const FunctionRecording* f = FunctionRecording::current_or_null(); f != nullptr; f = f->outer()) {
    const char* kind = f->callable() == nullptr ? "kernel" : "callable";
    notes.push_back(note(f->where(), fmt::format("in {} '{}'", kind, f->function().name)));
  }
  std::string text = fmt::format("{}: error: {}", place(where.file_name(), where.line(), where.column()), message);
  for (const Note& n : notes) {
    text += fmt::format("\n{}: note: {}", place(n.file, n.line, n.column), n.text);
  }
  throw DslError(text, {where.file_name(), where.line(), where.column(), std::move(message)});
}

void fail(const DiagnosticList& mistakes) {
  const Diagnostic& first = mistakes.items().front();
  std::string text = print(mistakes);
  text.pop_back();  // the last newline
  throw DslError(text, {first.location.file, first.location.line, first.location.column, first.message});
}

}  // namespace weft::dsl
