// What a verification has found so far, and how it calls places and values.
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "codegen/ir/module.h"
#include "runtime/support/diagnostic.h"

namespace weft::ir {

class Findings {
 public:
  explicit Findings(const Module& module) : module_(module) {}

  // The result is valid until the next one.
  template <class... Args>
  Diagnostic& error(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    return list_.error(place(where), fmt::format(format, std::forward<Args>(args)...));
  }

  [[nodiscard]] SourceLocation place(const Location& location) const {
    return {std::string(module_.string(location.file)), location.line, location.column, 0};
  }

  [[nodiscard]] bool has_errors() const { return list_.has_errors(); }
  [[nodiscard]] DiagnosticList take() { return std::move(list_); }

 private:
  const Module& module_;
  DiagnosticList list_;
};

// How the text form calls the values of a function, found when first asked.
class ValueTexts {
 public:
  ValueTexts(const Module& module, const Function& function) : module_(module), function_(function) {}
  [[nodiscard]] const std::string& operator[](ValueId value);

 private:
  const Module& module_;
  const Function& function_;
  std::vector<std::string> texts_;
};

// Adds where a value was made, or what it is a part of, if it was somewhere: "%n is declared as u32".
void note_declaration(Diagnostic& error, const Findings& findings, const Module& module, const Function& function,
                      ValueId value, ValueTexts& texts);

}  // namespace weft::ir
