#include "codegen/passes/share_values.h"

#include <map>
#include <tuple>

#include "codegen/passes/rewrite.h"

namespace weft::passes {

using namespace ir;

namespace {

class Sharer : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  void rewrite(const Op& op) override {
    if (!is_shared(op)) {
      copy(op);
      return;
    }
    const Key key{op.code, op.type.index, op.imm, indices(mapped_operands(op))};
    if (const auto it = known_.find(key); it != known_.end()) {
      map(op.result, it->second);
      return;
    }
    copy(op);
    known_.emplace(key, mapped(op.result));
    scopes_.back().push_back(key);
  }

  void region_begins() override { scopes_.emplace_back(); }
  void region_ends() override {
    for (const Key& key : scopes_.back()) {
      known_.erase(key);
    }
    scopes_.pop_back();
  }

 private:
  using Key = std::tuple<OpCode, std::uint32_t, std::uint64_t, std::vector<std::uint32_t>>;

  bool is_shared(const Op& op) {
    const TypeKind kind = builder().module().types[op.type].kind;
    return info(op.code).effect == Effect::pure && op.result.valid() && is_scalar(kind) &&
           scalar_category(kind) != ScalarCategory::floating;
  }

  static std::vector<std::uint32_t> indices(const std::vector<ValueId>& values) {
    std::vector<std::uint32_t> result;
    for (const ValueId value : values) {
      result.push_back(value.index);
    }
    return result;
  }

  std::map<Key, ValueId> known_;
  std::vector<std::vector<Key>> scopes_;  // what each open region has added
};

}  // namespace

Function share_values(Module& module, const Function& from) {
  Function to = like(from);
  Builder builder(module, to);
  Sharer(from, builder).run();
  return to;
}

}  // namespace weft::passes
