// Diagnostics: what is wrong with the input (IR text, a kernel, an argument, a file), collected, so that all of it is
// reported at once. A message is lower case, has no full stop, and names the thing, what was found and what was
// expected: "store operand 2 (%n) has type u32, expected f32". Printing adds place, source line and caret:
//
//   broken.weft:9:16: error: store operand 2 (%n) has type u32, expected f32
//       9 |   store %tile[%lane], %n
//         |                       ^~
//   broken.weft:4:3: note: %tile is declared as shared array<f32, 256>
//   1 error
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class Severity { note, warning, error };

// A place in a source text. Lines and columns count from 1, columns and length in bytes; 0 means unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  bool operator==(const SourceLocation&) const = default;
};

struct DiagnosticNote {
  SourceLocation location;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  SourceLocation location;
  std::string message;
  std::vector<DiagnosticNote> notes;

  // Adds a note and returns this, so that notes can be chained where the diagnostic is made.
  Diagnostic& note(SourceLocation where, std::string text);
};

// The source texts that diagnostics point into. A file that was not added is read from disk when its line is asked for.
class SourceTexts {
 public:
  void add(std::string file, std::string text);

  // A line of a file without its newline; empty if there is no such file or line.
  std::string_view line(const std::string& file, std::uint32_t number);

 private:
  std::map<std::string, std::string> texts_;
};

// Diagnostics in the order in which they were found.
class DiagnosticList {
 public:
  // The reference is valid until the next diagnostic is added.
  Diagnostic& error(SourceLocation where, std::string message);
  Diagnostic& warning(SourceLocation where, std::string message);

  void append(DiagnosticList other);

  bool has_errors() const { return error_count_ > 0; }
  std::size_t error_count() const { return error_count_; }
  std::size_t warning_count() const { return items_.size() - error_count_; }
  bool empty() const { return items_.empty(); }
  const std::vector<Diagnostic>& items() const { return items_; }

 private:
  Diagnostic& add(Severity severity, SourceLocation where, std::string message);

  std::vector<Diagnostic> items_;
  std::size_t error_count_ = 0;
};

std::string_view severity_name(Severity severity);

// "file:line:col", leaving out what is unknown.
std::string to_string(const SourceLocation& location);

// All diagnostics with source lines, carets and notes, then the count of errors and warnings; every line ends in a
// newline, and an empty list gives an empty text.
std::string print(const DiagnosticList& diagnostics, SourceTexts& sources);

// The same without source lines, for texts that are not at hand.
std::string print(const DiagnosticList& diagnostics);

}  // namespace weft
