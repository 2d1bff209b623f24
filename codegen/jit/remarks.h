// The remarks of the version that counts, the last one, with those that say the same of one op taken together.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/lower/remark.h"

namespace weft::jit {

class Remarks final : public lower::RemarkSink {
 public:
  struct Entry {
    lower::Remark remark;
    std::uint32_t count = 1;
  };

  void begin_version(const passes::Shapes& shapes) override {
    shapes_ = shapes;
    entries_.clear();
    lowerings_.clear();
  }

  void add(const lower::Remark& remark) override {
    if (!remark.op.valid()) {
      return;
    }
    // An op that is lowered again, in another segment or for the rest of a region, says the same again. What is said
    // of an op without lowering it has no number.
    if (remark.lowering != 0) {
      const auto [first, is_first] = lowerings_.try_emplace({remark.op.index, remark.otherwise}, remark.lowering);
      if (!is_first && first->second != remark.lowering) {
        return;
      }
    }
    std::vector<Entry>& entries = entries_[remark.op];
    for (Entry& entry : entries) {
      lower::Remark& known = entry.remark;
      const bool same_subject =
          known.kind == remark.kind && known.otherwise == remark.otherwise && known.value == remark.value;
      if (same_subject && remark.value.valid()) {
        known.number += remark.number;  // parts of one variable
        return;
      }
      if (same_subject && known.number == remark.number) {
        ++entry.count;
        return;
      }
    }
    entries.push_back({remark});
  }

  [[nodiscard]] const std::vector<Entry>& of(ir::OpId op) const {
    static const std::vector<Entry> none;
    const auto it = entries_.find(op);
    return it == entries_.end() ? none : it->second;
  }
  [[nodiscard]] const passes::Shapes& shapes() const { return *shapes_; }

 private:
  std::optional<passes::Shapes> shapes_;
  std::unordered_map<ir::OpId, std::vector<Entry>> entries_;
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> lowerings_;  // by op and way: the first
};

}  // namespace weft::jit
