// Collecting and printing diagnostics.
#include "runtime/support/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace weft {
namespace {

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// One blank for each character of `text`; tabs are kept, so that the caret stands below its column.
std::string blanks_for(std::string_view text) {
  std::string blanks;
  for (const char c : text) {
    if (!continues_utf8(c)) blanks += c == '\t' ? '\t' : ' ';
  }
  return blanks;
}

std::size_t character_count(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_utf8));
}

constexpr std::size_t kShownBytes = 160;

// The bytes of a line that are shown: all, or those around the guilty ones. Characters stay whole.
struct Window {
  std::size_t begin;
  std::size_t end;
};

Window window_of(std::string_view line, std::size_t guilty) {
  if (line.size() <= kShownBytes) return {0, line.size()};
  std::size_t begin = guilty - std::min(guilty, kShownBytes / 2);
  std::size_t end = std::min(begin + kShownBytes, line.size());
  while (begin < guilty && continues_utf8(line[begin])) ++begin;
  while (end < line.size() && continues_utf8(line[end])) ++end;
  return {begin, end};
}

// What a terminal would take for a command is shown as a question mark.
std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if ((static_cast<unsigned char>(c) < 0x20U && c != '\t') || c == 0x7F) c = '?';
  }
  return out;
}

void print_source_line(std::string& out, const SourceLocation& where, SourceTexts& sources) {
  if (where.line == 0 || where.column == 0) return;
  const std::string_view line = sources.line(where.file, where.line);
  const std::size_t guilty = where.column - 1;
  if (line.empty() || guilty > line.size()) return;
  const auto [begin, end] = window_of(line, guilty);
  const std::string_view before = line.substr(begin, guilty - begin);
  const std::string_view marked = line.substr(guilty, std::min<std::size_t>(where.length, end - guilty));
  // A place at the end of the line, such as a missing operand, has a caret of its own.
  const std::size_t width = std::max<std::size_t>(character_count(marked), 1);
  const std::string_view left = begin > 0 ? "..." : "";
  out += fmt::format("{:5} | {}{}{}\n", where.line, left, printable(line.substr(begin, end - begin)),
                     end < line.size() ? "..." : "");
  out += fmt::format("      | {}{}^{}\n", blanks_for(left), blanks_for(before), std::string(width - 1, '~'));
}

void print_entry(std::string& out, const SourceLocation& where, Severity severity, std::string_view message,
                 SourceTexts* sources) {
  const std::string place = to_string(where);
  if (!place.empty()) out += place + ": ";
  out += fmt::format("{}: {}\n", severity_name(severity), message);
  if (sources != nullptr) print_source_line(out, where, *sources);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void print_counts(std::string& out, const DiagnosticList& diagnostics) {
  if (diagnostics.has_errors()) out += counted(diagnostics.error_count(), "error");
  if (diagnostics.has_errors() && diagnostics.warning_count() > 0) out += ", ";
  if (diagnostics.warning_count() > 0) out += counted(diagnostics.warning_count(), "warning");
  out += '\n';
}

std::string print_all(const DiagnosticList& diagnostics, SourceTexts* sources) {
  std::string out;
  if (diagnostics.empty()) return out;
  for (const Diagnostic& item : diagnostics.items()) {
    print_entry(out, item.location, item.severity, item.message, sources);
    for (const DiagnosticNote& note : item.notes) {
      print_entry(out, note.location, Severity::note, note.message, sources);
    }
  }
  print_counts(out, diagnostics);
  return out;
}

}  // namespace

Diagnostic& Diagnostic::note(SourceLocation where, std::string text) {
  notes.push_back({std::move(where), std::move(text)});
  return *this;
}

void SourceTexts::add(std::string file, std::string text) { texts_.insert_or_assign(std::move(file), std::move(text)); }

std::string_view SourceTexts::line(const std::string& file, std::uint32_t number) {
  auto found = texts_.find(file);
  if (found == texts_.end()) {
    // A place may name anything that stands in a text: a device or a pipe would be read for ever.
    std::error_code error;
    std::ifstream stream;
    if (std::filesystem::is_regular_file(file, error)) stream.open(file, std::ios::binary);
    found = texts_.emplace(file, std::string(std::istreambuf_iterator<char>(stream), {})).first;
  }
  std::string_view rest = found->second;
  for (std::uint32_t i = 1; i < number; ++i) {
    const std::size_t newline = rest.find('\n');
    if (newline == std::string_view::npos) return {};
    rest.remove_prefix(newline + 1);
  }
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Diagnostic& DiagnosticList::add(Severity severity, SourceLocation where, std::string message) {
  if (severity == Severity::error) ++error_count_;
  return items_.emplace_back(Diagnostic{severity, std::move(where), std::move(message), {}});
}

Diagnostic& DiagnosticList::error(SourceLocation where, std::string message) {
  return add(Severity::error, std::move(where), std::move(message));
}

Diagnostic& DiagnosticList::warning(SourceLocation where, std::string message) {
  return add(Severity::warning, std::move(where), std::move(message));
}

void DiagnosticList::append(DiagnosticList other) {
  error_count_ += other.error_count_;
  std::move(other.items_.begin(), other.items_.end(), std::back_inserter(items_));
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

std::string to_string(const SourceLocation& location) {
  std::string text = location.file;
  if (location.line == 0) return text;
  text += fmt::format("{}{}", text.empty() ? "line " : ":", location.line);
  if (location.column != 0) text += fmt::format(":{}", location.column);
  return text;
}

std::string print(const DiagnosticList& diagnostics, SourceTexts& sources) { return print_all(diagnostics, &sources); }
std::string print(const DiagnosticList& diagnostics) { return print_all(diagnostics, nullptr); }

}  // namespace weft
