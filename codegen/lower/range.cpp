#include "codegen/lower/range.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace weft::lower {

using ir::Function;
using ir::Module;
using ir::Op;
using ir::OpCode;
using ir::ValueId;
using Bound = std::optional<std::uint64_t>;

namespace {

constexpr int kMaxDepth = 8;

class Bounds {
 public:
  Bounds(const Module& module, const Function& function) : module_(module), f_(function) {}

  [[nodiscard]] Bound of(ValueId value, int depth) const {
    if (const ir::Constant* c = module_.constant_of(f_, value)) {
      return c->leaves.size() == 1 ? Bound(c->leaves[0]) : std::nullopt;
    }
    const Op* op = f_.definition(value);
    const ir::Type& type = module_.types[f_.type(value)];
    if (op == nullptr || depth == 0 || !ir::is_scalar(type.kind)) {
      return std::nullopt;
    }
    const Bound bound = of_op(*op, depth - 1);
    const std::uint32_t bits = ir::scalar_bits(type.kind);
    const std::uint64_t largest =
        bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
    return bound && *bound <= largest ? bound : std::nullopt;
  }

 private:
  [[nodiscard]] Bound operand(const Op& op, std::size_t i, int depth) const { return of(f_.operand(op, i), depth); }

  // The smaller of the bounds that are known.
  static Bound tighter(Bound a, Bound b) { return a && b ? Bound(std::min(*a, *b)) : a ? a : b; }

  // Of two bounds the sum or product, if it does not overflow 63 bits.
  template <class F>
  static Bound combine(Bound a, Bound b, F f) {
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 31;
    return a && b && *a < kLimit && *b < kLimit ? Bound(f(*a, *b)) : std::nullopt;
  }

  [[nodiscard]] bool is_unsigned(const Op& op) const {
    return ir::scalar_category(module_.types[op.type].kind) == ir::ScalarCategory::unsigned_integer;
  }

  [[nodiscard]] Bound of_op(const Op& op, int depth) const {
    const auto first = [&] { return operand(op, 0, depth); };
    const auto second = [&] { return operand(op, 1, depth); };
    switch (op.code) {
      case OpCode::thread_id: return f_.attributes.block_size[op.imm] - 1;
      case OpCode::block_size: return f_.attributes.block_size[op.imm];
      case OpCode::warp_lane: return f_.attributes.warp_size - 1;
      case OpCode::add: return combine(first(), second(), [](auto a, auto b) { return a + b; });
      case OpCode::mul: return combine(first(), second(), [](auto a, auto b) { return a * b; });
      case OpCode::and_: return tighter(first(), second());
      case OpCode::min:
        return is_unsigned(op) ? tighter(first(), second())
                               : combine(first(), second(), [](auto a, auto b) { return std::min(a, b); });
      case OpCode::max: return combine(first(), second(), [](auto a, auto b) { return std::max(a, b); });
      case OpCode::select:
        return combine(second(), operand(op, 2, depth), [](auto a, auto b) { return std::max(a, b); });
      case OpCode::rem: {
        const Bound divisor = second();
        const bool constant = module_.constant_of(f_, f_.operand(op, 1)) != nullptr;
        return is_unsigned(op) && constant && divisor && *divisor > 0 ? tighter(first(), Bound(*divisor - 1)) : first();
      }
      case OpCode::div: return first() && is_unsigned(op) ? first() : std::nullopt;
      case OpCode::shr: {
        const ir::Constant* amount = module_.constant_of(f_, f_.operand(op, 1));
        const std::uint32_t bits = ir::scalar_bits(module_.types[op.type].kind);
        const Bound a = first();
        if (amount == nullptr || (!a && !is_unsigned(op))) {
          return is_unsigned(op) ? a : std::nullopt;
        }
        const auto shift = static_cast<std::uint32_t>(amount->leaves[0] % bits);
        const std::uint64_t whole = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        return is_unsigned(op) || *a <= whole / 2 ? Bound(a.value_or(whole) >> shift) : std::nullopt;
      }
      case OpCode::cast: return cast(op, first());
      default: return std::nullopt;
    }
  }

  // Between integers, where the bound fits the narrower of both as a number that is not negative.
  [[nodiscard]] Bound cast(const Op& op, Bound a) const {
    const auto from = module_.types[f_.type(f_.operand(op, 0))].kind;
    if (!ir::is_scalar(from) || ir::scalar_category(from) == ir::ScalarCategory::floating || !a) {
      return std::nullopt;
    }
    const std::uint32_t bits = std::min(ir::scalar_bits(from), ir::scalar_bits(module_.types[op.type].kind));
    return bits > 1 && *a < (std::uint64_t{1} << (bits - 1)) ? a : std::nullopt;
  }

  const Module& module_;
  const Function& f_;
};

}  // namespace

Bound upper_bound(const Module& module, const Function& function, ValueId value) {
  return Bounds(module, function).of(value, kMaxDepth);
}

}  // namespace weft::lower
