#include "tools/explain_report.h"

#include "runtime/support/files.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft::tools {
namespace {

using jit::Decision;
using jit::ExplainedValue;
using jit::Explanation;
using jit::Note;
using jit::SourcePlace;
using lower::RemarkKind;

constexpr std::size_t kSourceColumn = 46;
constexpr std::size_t kShapeColumn = 12;

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKibi = 1024;
  if (bytes < kKibi) return fmt::format("{} bytes", bytes);
  if (bytes < kKibi * kKibi) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / kKibi);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (kKibi * kKibi));
}

// Columns, at least two blanks apart, without blanks at the end.
std::string columns(std::string source, std::string_view shape, std::string_view what) {
  if (!shape.empty() || !what.empty()) source.resize(std::max(kSourceColumn, source.size() + 2), ' ');
  source += shape;
  if (!what.empty()) {
    source.resize(std::max(kSourceColumn + kShapeColumn, source.size() + (shape.empty() ? 0 : 2)), ' ');
    source += what;
  }
  return source + "\n";
}

// What a remark says, with a number or a word in its place.
template <typename Number>
std::string remark_text(RemarkKind kind, const Number& number, std::uint32_t width) {
  return fmt::format(fmt::runtime(lower::info(kind).text), fmt::arg("n", number), fmt::arg("w", width));
}

// The shapes of a line's values; where some have names, of these.
std::string shapes_text(const std::vector<const ExplainedValue*>& values) {
  const bool names = std::ranges::any_of(values, [](const ExplainedValue* value) { return !value->name.empty(); });
  std::vector<std::string> shapes;
  for (const ExplainedValue* value : values) {
    if (names && value->name.empty()) continue;
    if (std::ranges::find(shapes, value->shape) == shapes.end()) shapes.push_back(value->shape);
  }
  std::string text;
  for (const std::string& shape : shapes) text += (text.empty() ? "" : ", ") + shape;
  return text;
}

// "main way; otherwise other way; range ..."
std::string notes_text(const Decision& decision, std::uint32_t width) {
  std::string main;
  std::string other;
  std::string range;
  for (const Note& note : decision.notes) {
    const bool is_range = lower::info(note.kind).group == lower::RemarkGroup::range;
    std::string& text = is_range ? range : note.otherwise ? other : main;
    text += (text.empty() ? "" : ", ") + note_text(note, width);
  }
  std::string text = main;
  if (!other.empty()) text += (text.empty() ? "otherwise " : "; otherwise ") + other;
  if (!range.empty()) text += (text.empty() ? "" : "; ") + range;
  return text;
}

class Report {
 public:
  Report(const Explanation& explanation, SourceLines& sources) : e_(explanation), sources_(sources) {}

  std::string run() {
    head();
    lines();
    slow();
    return std::move(out_);
  }

 private:
  struct Line {
    std::vector<const ExplainedValue*> values;
    std::vector<const Decision*> decisions;
  };

  std::string place_text(const SourcePlace& place) const {
    if (place.line == 0) return "";
    return place.file == e_.file ? fmt::format("line {}", place.line) : fmt::format("{}:{}", place.file, place.line);
  }

  void head() {
    std::string block;
    for (std::uint32_t i = 0; i < e_.dimensions; ++i) block += fmt::format("{}{}", i == 0 ? "" : "x", e_.block_size[i]);
    out_ += fmt::format("{}: block {}, pack {}, {} pack{}{}\n", e_.kernel, block, e_.width, e_.packs,
                        e_.packs == 1 ? "" : "s", barriers_text());
    out_ += fmt::format("  width   {}: {} ({}, {} bits)\n", e_.width, e_.width_reason, e_.cpu, e_.vector_bits);
    const std::string where = place_text(e_.form_place);
    out_ += fmt::format("  form    {}: {}{}\n", e_.form, e_.form_reason, where.empty() ? "" : " (" + where + ")");
    out_ += fmt::format("  memory  {}\n", memory_text());
  }

  std::string barriers_text() const {
    if (e_.suspend_points > 0) {
      return fmt::format(", {} suspend point{}, barriers {}", e_.suspend_points, e_.suspend_points == 1 ? "" : "s",
                         e_.uniform_barriers ? "block-uniform" : "not block-uniform");
    }
    if (e_.cuts > 0) {
      return fmt::format(", cut at {} barrier{} into {} segments", e_.cuts, e_.cuts == 1 ? "" : "s", e_.segments);
    }
    return "";
  }

  std::string memory_text() const {
    const jit::KeptTotal& kept = e_.kept;
    std::string text = fmt::format("shared {} a block", bytes_text(e_.shared_bytes));
    if (kept.frame_bytes > 0) {
      text += fmt::format("; frame {} a pack ({} a lane, {} a block), of which variables and values {}",
                          bytes_text(kept.frame_bytes), bytes_text(kept.frame_bytes / e_.width),
                          bytes_text(kept.frame_bytes * e_.packs), bytes_text(kept.bytes_per_pack));
    }
    if (e_.cuts > 0) {
      text += fmt::format("; kept between segments {} a pack, {} a block", bytes_text(kept.bytes_per_pack),
                          bytes_text(kept.bytes_per_block));
    }
    if (e_.scratch_bytes > 0) text += fmt::format("; scratch {} a pack", bytes_text(e_.scratch_bytes));
    return text;
  }

  void lines() {
    std::map<std::string, std::map<std::uint32_t, Line>> files;
    for (const ExplainedValue& value : e_.values) files[value.place.file][value.place.line].values.push_back(&value);
    for (const Decision& decision : e_.decisions) {
      files[decision.place.file][decision.place.line].decisions.push_back(&decision);
    }
    for (const auto& [file, by_line] : files) {
      out_ += fmt::format("\n  {}\n", file.empty() ? "without a place in the source" : file);
      for (const auto& [number, line] : by_line) show_line(file, number, line);
    }
  }

  void show_line(const std::string& file, std::uint32_t number, const Line& line) {
    const std::string start =
        fmt::format("  {:<10}{}", number == 0 ? "" : fmt::format("line {}", number), sources_.line(file, number));
    out_ += columns(start, shapes_text(line.values), "");
    std::set<std::string> shown;  // a line of C++ may hold the same many times
    for (const Decision* decision : line.decisions) {
      const std::string text =
          columns(fmt::format("              {}", decision->op), decision->shape, notes_text(*decision, e_.width));
      if (shown.insert(text).second) out_ += text;
    }
  }

  void slow() {
    std::map<RemarkKind, std::vector<std::pair<const Decision*, const Note*>>> found;
    for (const Decision& decision : e_.decisions) {
      for (const Note& note : decision.notes) {
        if (note.slow) found[note.kind].emplace_back(&decision, &note);
      }
    }
    if (found.empty()) {
      out_ += "\n  no gathers, no scatters, nothing else that is known to be slow\n";
      return;
    }
    for (const auto& [kind, places] : found) {
      out_ += fmt::format("\n  slow: {}\n", remark_text(kind, "many", e_.width));
      std::set<std::string> shown;
      for (const auto& [decision, note] : places) {
        std::string text = fmt::format("    {}: {}", place_text(decision->place), decision->op);
        if (note->number != 0) {
          text += fmt::format(": {} bytes{}", note->number, note->name.empty() ? "" : " of " + note->name);
        }
        if (!decision->why.empty()) text += ": " + decision->why;
        if (shown.insert(text).second) out_ += text + "\n";
      }
      out_ += fmt::format("    way out: {}\n", lower::info(kind).way_out);
    }
  }

  const Explanation& e_;
  SourceLines& sources_;
  std::string out_;
};

}  // namespace

std::string note_text(const Note& note, std::uint32_t width) {
  std::string text = remark_text(note.kind, note.number, width);
  if (!note.name.empty()) text += ": " + note.name;
  return note.count > 1 ? fmt::format("{} ({} times)", text, note.count) : text;
}

std::string to_text(const Explanation& explanation, SourceLines& sources) { return Report(explanation, sources).run(); }

std::string remarks_markdown() {
  std::string text = "| Remark | Group | Says | Way out |\n| --- | --- | --- | --- |\n";
  for (const lower::RemarkInfo& info : lower::kRemarkInfos) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", info.name,
                        lower::kRemarkGroupNames[static_cast<std::size_t>(info.group)], info.text, info.way_out);
  }
  return text;
}

void SourceLines::add(const std::string& file, std::string_view text) {
  std::vector<std::string>& lines = files_[file];
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

const std::vector<std::string>& SourceLines::lines_of(const std::string& file) {
  const auto known = files_.find(file);
  if (known != files_.end()) return known->second;
  try {
    add(file, read_file(file));
  } catch (const FileError&) {
    files_[file];  // told without its text
  }
  return files_[file];
}

std::string_view SourceLines::line(const std::string& file, std::uint32_t number) {
  const std::vector<std::string>& lines = lines_of(file);
  if (number == 0 || number > lines.size()) return {};
  std::string_view text = lines[number - 1];
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace weft::tools
