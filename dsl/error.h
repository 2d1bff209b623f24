// How mistakes of the user's code are reported: thrown, as the recording cannot go on without what was asked for.
#pragma once

#include <weft/dsl/recorder.h>

#include <string>

#include "codegen/ir/module.h"
#include "runtime/support/diagnostic.h"

namespace weft::dsl {

// A further line of a message: where, and what is there.
struct Note {
  std::string file;
  std::uint32_t line;
  std::uint32_t column;
  std::string text;
};

[[nodiscard]] Note note(Where where, std::string text);
[[nodiscard]] Note note(const ir::Module& module, const ir::Location& where, std::string text);

// Throws DslError, with notes about the kernel and callables being recorded.
[[noreturn]] void fail(Where where, std::string message, std::vector<Note> notes = {});

// Throws DslError for mistakes that the verifier found in what was recorded; the first is the error's own.
[[noreturn]] void fail(const DiagnosticList& mistakes);

}  // namespace weft::dsl
