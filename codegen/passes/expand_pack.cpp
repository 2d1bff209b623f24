// Expansions of the family compare (all, any, none) and of the packing ops of the family convert.
#include "codegen/passes/expansions.h"

namespace weft::passes::expansions {

using namespace ir;

namespace {

// The low `bits` bits of each component of a u32 vector, the first component lowest.
Expr join(Expr parts, std::uint32_t bits) {
  const double mask = (1U << bits) - 1;
  Expr result = parts[0] & parts[0].number(mask);
  for (std::uint32_t i = 1; i < parts.parts(); ++i) {
    result = result | ((parts[i] & result.number(mask)) << result.number(i * bits));
  }
  return result;
}

// The inverse of join for a u32: 32 / bits components; the bits above a component's own are not cleared.
Expr unjoin(Expr joined, std::uint32_t bits) {
  std::vector<Expr> parts;
  for (std::uint32_t at = 0; at < 32; at += bits) {
    parts.push_back(joined >> joined.number(at));
  }
  return make(joined.types().vector(kU32, 32 / bits), parts);
}

Expr pack_unorm(Expr a, std::uint32_t bits) {
  return join(cast(kU32, rint(passes::saturate(a) * a.number((1U << bits) - 1))), bits);
}

Expr unpack_unorm(Expr joined, std::uint32_t bits, TypeId component) {
  const Expr value = cast(kF32, cast(component, unjoin(joined, bits)));
  return value / value.number((1U << bits) - 1);
}

// The clamp would make -1 of a NaN; 0 is wanted.
Expr pack_snorm(Expr a, std::uint32_t bits) {
  const Expr scaled = rint(passes::clamp(a, a.number(-1), a.number(1)) * a.number((1U << (bits - 1)) - 1));
  const Expr known = select(emit(OpCode::is_nan, {a}), a.number(0), scaled);
  return join(bitcast(kU32, cast(kI32, known)), bits);
}

Expr unpack_snorm(Expr joined, std::uint32_t bits, TypeId component) {
  const Expr value = cast(kF32, cast(component, unjoin(joined, bits)));
  return passes::clamp(value / value.number((1U << (bits - 1)) - 1), value.number(-1), value.number(1));
}

}  // namespace

Expr all(const Expansion& x) { return reduce(OpCode::and_, x[0]); }
Expr any(const Expansion& x) { return reduce(OpCode::or_, x[0]); }
Expr none(const Expansion& x) { return ~reduce(OpCode::or_, x[0]); }

Expr pack_half2(const Expansion& x) { return join(cast(kU32, bitcast(kU16, cast(kF16, x[0]))), 16); }
Expr unpack_half2(const Expansion& x) { return cast(kF32, bitcast(kF16, cast(kU16, unjoin(x[0], 16)))); }

Expr pack_unorm2x16(const Expansion& x) { return pack_unorm(x[0], 16); }
Expr pack_unorm4x8(const Expansion& x) { return pack_unorm(x[0], 8); }
Expr unpack_unorm2x16(const Expansion& x) { return unpack_unorm(x[0], 16, kU16); }
Expr unpack_unorm4x8(const Expansion& x) { return unpack_unorm(x[0], 8, kU8); }
Expr pack_snorm2x16(const Expansion& x) { return pack_snorm(x[0], 16); }
Expr pack_snorm4x8(const Expansion& x) { return pack_snorm(x[0], 8); }
Expr unpack_snorm2x16(const Expansion& x) { return unpack_snorm(x[0], 16, kI16); }
Expr unpack_snorm4x8(const Expansion& x) { return unpack_snorm(x[0], 8, kI8); }

}  // namespace weft::passes::expansions
