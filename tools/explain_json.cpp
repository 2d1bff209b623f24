#include "tools/commands.h"
#include "tools/explain_report.h"

#include <nlohmann/json.hpp>

namespace weft::tools {
namespace {

using Json = nlohmann::ordered_json;

Json place_of(const jit::SourcePlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json note_of(const jit::Note& note, std::uint32_t width) {
  const lower::RemarkInfo& info = lower::info(note.kind);
  Json out = {{"remark", info.name},
              {"group", lower::kRemarkGroupNames[static_cast<std::size_t>(info.group)]},
              {"text", note_text(note, width)},
              {"count", note.count},
              {"otherwise", note.otherwise},
              {"slow", note.slow}};
  if (note.number != 0) out["number"] = note.number;
  if (!note.name.empty()) out["name"] = note.name;
  if (note.slow) out["way_out"] = info.way_out;
  return out;
}

Json decision_of(const jit::Decision& decision, std::uint32_t width, SourceLines& sources) {
  Json out = place_of(decision.place);
  out["source"] = sources.line(decision.place.file, decision.place.line);
  out["op"] = decision.op;
  if (!decision.shape.empty()) out["address"] = decision.shape;
  if (!decision.why.empty()) out["why"] = decision.why;
  out["notes"] = Json::array();
  for (const jit::Note& note : decision.notes) out["notes"].push_back(note_of(note, width));
  return out;
}

Json value_of(const jit::ExplainedValue& value) {
  Json out = place_of(value.place);
  out["name"] = value.name;
  out["type"] = value.type;
  out["shape"] = value.shape;
  out["variable"] = value.is_variable;
  return out;
}

Json kernel_of(const jit::Explanation& e, SourceLines& sources) {
  Json out = {{"kernel", e.kernel},
              {"file", e.file},
              {"block_size", e.block_size},
              {"pack_width", e.width},
              {"pack_width_reason", e.width_reason},
              {"packs", e.packs},
              {"form", e.form},
              {"form_reason", e.form_reason},
              {"effort", e.effort},
              {"cpu", e.cpu},
              {"vector_bits", e.vector_bits},
              {"uniform_barriers", e.uniform_barriers},
              {"suspend_points", e.suspend_points},
              {"cuts", e.cuts},
              {"segments", e.segments},
              {"shared_bytes_per_block", e.shared_bytes},
              {"scratch_bytes_per_pack", e.scratch_bytes},
              {"frame_bytes_per_pack", e.kept.frame_bytes},
              {"kept_bytes_per_pack", e.kept.bytes_per_pack},
              {"kept_bytes_per_block", e.kept.bytes_per_block}};
  if (e.form_place.line != 0) out["form_place"] = place_of(e.form_place);
  out["values"] = Json::array();
  for (const jit::ExplainedValue& value : e.values) out["values"].push_back(value_of(value));
  out["decisions"] = Json::array();
  for (const jit::Decision& decision : e.decisions) {
    out["decisions"].push_back(decision_of(decision, e.width, sources));
  }
  return out;
}

}  // namespace

std::string to_json(std::span<const jit::Explanation> explanations, SourceLines& sources) {
  Json out = Json::array();
  for (const jit::Explanation& explanation : explanations) out.push_back(kernel_of(explanation, sources));
  return json_text(out);
}

}  // namespace weft::tools
