#include "codegen/ir/text/names.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "codegen/ir/text/spelling.h"

namespace weft::ir {

namespace {

class Namer {
 public:
  Namer(const Module& module, const Function& function, const std::vector<bool>& inline_ops)
      : m_(module), f_(function), inline_(inline_ops), names_(f_.value_count()) {}

  std::vector<std::string> run() {
    for (const Parameter& p : f_.parameters) {
      name(p.value);
    }
    visit(f_.body());
    return std::move(names_);
  }

 private:
  void visit(RegionId region) {
    const std::size_t outer = visible_.size();
    visit_ops(region);
    close(outer);
  }

  void visit_ops(RegionId region) {
    for (const OpId id : f_.region(region).ops) {
      const Op& op = f_.op(id);
      if (op.result.valid() && !inline_[id.index]) {
        name(op.result);
      }
      if (op.code == OpCode::loop && op.region_count > 0) {
        visit_loop(op);
      } else {
        for (const RegionId inner : f_.regions(op)) {
          visit(inner);
        }
      }
    }
  }

  // What the condition names stays visible in body and update.
  void visit_loop(const Op& op) {
    const std::size_t outer = visible_.size();
    visit_ops(f_.regions(op)[0]);
    for (const RegionId inner : f_.regions(op).subspan(1)) {
      visit(inner);
    }
    close(outer);
  }

  void close(std::size_t outer) {
    for (; visible_.size() > outer; visible_.pop_back()) {
      used_.erase(visible_.back());
    }
  }

  void name(ValueId v) {
    const std::string base = written_name(m_.string(f_.value(v).name));
    if (base.empty()) {
      names_[v.index] = fmt::format("%{}", count_++);
      return;
    }
    std::string unique = base;
    while (used_.contains(unique)) {
      unique = fmt::format("{}_{}", base, ++suffixes_[base]);
    }
    used_.insert(unique);
    visible_.push_back(unique);
    names_[v.index] = "%" + spelled(unique);
  }

  // A number would read back as no name at all.
  static std::string written_name(std::string_view name) {
    const bool number = !name.empty() && name.front() >= '0' && name.front() <= '9';
    return (number ? "_" : "") + std::string(name);
  }

  const Module& m_;
  const Function& f_;
  const std::vector<bool>& inline_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> used_;
  std::vector<std::string> visible_;
  std::unordered_map<std::string, std::size_t> suffixes_;  // the last number put behind a name
  std::size_t count_ = 0;
};

}  // namespace

std::vector<std::string> value_names(const Module& module, const Function& function,
                                     const std::vector<bool>& inline_ops) {
  return Namer(module, function, inline_ops).run();
}

}  // namespace weft::ir
