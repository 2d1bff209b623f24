// What the lowering tells of its decisions: each place that decides reports what it has just emitted, so that an
// explanation cannot differ from the code.
//
// A kernel is lowered in one or two versions (kernel.h), and of a version some ops more than once: a copy of a region
// for packs all of whose lanes take it, an op that is repeated in several segments. The sink gets all of it; `lowering`
// tells one time from another, `otherwise` marks the copy or way that is not the main one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "codegen/ir/module.h"
#include "codegen/passes/shape.h"

namespace weft::lower {

enum class RemarkKind : std::uint8_t {
#define WEFT_REMARK(name, group, text, way_out) name,
#include "codegen/lower/remarks.def"
#undef WEFT_REMARK
};

enum class RemarkGroup : std::uint8_t { access, range, control, variable, atomic, call, suspend };
inline constexpr std::array<std::string_view, 7> kRemarkGroupNames{"access", "range", "control", "variable",
                                                                   "atomic", "call",  "suspend"};

struct RemarkInfo {
  std::string_view name;
  RemarkGroup group;
  std::string_view text;     // {n} the remark's number, {w} the pack width
  std::string_view way_out;  // empty where nothing is slow
};
inline constexpr std::array kRemarkInfos{
#define WEFT_REMARK(name, group, text, way_out) RemarkInfo{#name, RemarkGroup::group, text, way_out},
#include "codegen/lower/remarks.def"
#undef WEFT_REMARK
};
[[nodiscard]] constexpr const RemarkInfo& info(RemarkKind kind) { return kRemarkInfos[static_cast<std::size_t>(kind)]; }

struct Remark {
  RemarkKind kind;
  ir::OpId op;
  std::uint64_t number = 0;
  ir::ValueId value;           // the variable or value that is kept; else invalid
  std::uint32_t lowering = 0;  // differs from one time that an op is lowered to the next; 0 outside of any
  bool otherwise = false;      // of the way that is taken when the main one cannot be
};

class RemarkSink {
 public:
  virtual ~RemarkSink() = default;
  // What follows is about another version; that for full blocks comes last.
  virtual void begin_version(const passes::Shapes& shapes) = 0;
  virtual void add(const Remark& remark) = 0;
};

}  // namespace weft::lower
