#include "codegen/passes/contract.h"

#include <optional>

#include "codegen/passes/rewrite.h"

namespace weft::passes {

using namespace ir;

namespace {

bool is_sum(OpCode code) { return code == OpCode::add || code == OpCode::sub; }

// Which products are taken in by the sums that use them; found before anything is rewritten, as a product comes before
// its sum.
class Choice {
 public:
  Choice(const TypeTable& types, const Function& f)
      : types_(types), f_(f), uses_(f.value_count()), region_(f.op_count()), fused_(f.op_count()) {
    count_uses();
    for (std::size_t i = 0; i < f.region_count(); ++i) {
      for (const OpId id : f.region(RegionId(i)).ops) {
        region_[id.index] = RegionId(i);
      }
    }
    for (std::size_t i = 0; i < f.op_count(); ++i) {
      choose_for(OpId(i));
    }
  }

  // The operand, 0 or 1, of a sum that is a product taken in; nothing for other ops and sums.
  [[nodiscard]] std::optional<std::size_t> fused_operand(const Op& op) const {
    for (std::size_t i = 0; is_sum(op.code) && i < 2; ++i) {
      if (is_fused(f_.operand(op, i))) {
        return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_fused(ValueId v) const {
    return f_.value(v).kind == ValueKind::result && fused_[f_.value(v).index];
  }

 private:
  void count_uses() {
    for (std::size_t i = 0; i < f_.op_count(); ++i) {
      for (const ValueId v : f_.operands(OpId(i))) {
        ++uses_[v.index];
      }
    }
  }

  void choose_for(OpId id) {
    const Op& sum = f_.op(id);
    if (!is_sum(sum.code) || !may_fuse(sum.type)) {
      return;
    }
    for (const ValueId v : f_.operands(sum)) {
      const Op* product = f_.definition(v);
      if (product != nullptr && product->code == OpCode::mul && uses_[v.index] == 1 &&
          region_[f_.value(v).index] == region_[id.index]) {
        fused_[f_.value(v).index] = true;
        return;
      }
    }
  }

  [[nodiscard]] bool may_fuse(TypeId type) const {
    const TypeId scalar = types_.scalar_of(type);
    return scalar == kF32 || scalar == kF64;
  }

  const TypeTable& types_;
  const Function& f_;
  std::vector<std::uint32_t> uses_;  // by ValueId
  std::vector<RegionId> region_;     // by OpId
  std::vector<bool> fused_;          // by OpId: a product that its sum takes in
};

class Contractor : public Rewriter {
 public:
  Contractor(const Function& from, Builder& builder) : Rewriter(from, builder), choice_(builder.module().types, from) {}

 protected:
  void rewrite(const Op& op) override {
    if (op.result.valid() && choice_.is_fused(op.result)) {
      return;  // emitted with its sum
    }
    if (const auto operand = choice_.fused_operand(op)) {
      map(op.result, fuse(op, *operand));
    } else {
      copy(op);
    }
  }

 private:
  ValueId fuse(const Op& sum, std::size_t product_operand) {
    const Op& product = *from().definition(from().operand(sum, product_operand));
    ValueId a = mapped(from().operand(product, 0));
    const ValueId b = mapped(from().operand(product, 1));
    ValueId c = mapped(from().operand(sum, 1 - product_operand));
    if (sum.code == OpCode::sub) {
      ValueId& subtrahend = product_operand == 0 ? c : a;
      subtrahend = negated(subtrahend);
    }
    return builder().emit(OpCode::fma, {a, b, c});
  }

  ValueId negated(ValueId value) {
    const Constant* constant = builder().module().constant_of(builder().function(), value);
    if (constant == nullptr) {
      return builder().emit(OpCode::neg, {value});
    }
    TypeTable& types = builder().module().types;
    const std::uint32_t bits = scalar_bits(types[types.scalar_of(constant->type)].kind);
    std::vector<std::uint64_t> leaves = constant->leaves;
    for (std::uint64_t& leaf : leaves) {
      leaf ^= std::uint64_t{1} << (bits - 1);
    }
    return builder().constant(constant->type, std::move(leaves));
  }

  Choice choice_;
};

}  // namespace

Function contract(Module& module, const Function& from) {
  Function to = like(from);
  Builder builder(module, to);
  Contractor(from, builder).run();
  return to;
}

}  // namespace weft::passes
