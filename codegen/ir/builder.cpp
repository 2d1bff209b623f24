#include "codegen/ir/builder.h"

#include <cmath>

#include "codegen/ir/typing.h"
#include "runtime/support/check.h"

namespace weft::ir {

std::uint64_t scalar_bits_of(TypeKind scalar, double value) {
  switch (scalar) {
    case TypeKind::boolean: return value != 0 ? 1 : 0;
    case TypeKind::f16: return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    case TypeKind::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case TypeKind::f64: return std::bit_cast<std::uint64_t>(value);
    case TypeKind::u64:  // from 2^63 on a number is beyond the signed integers
      return value < 0x1p63 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                            : static_cast<std::uint64_t>(value);
    default: {
      const auto bits = scalar_bits(scalar);
      const auto wide = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
      return bits == 64 ? wide : wide & ((std::uint64_t{1} << bits) - 1);
    }
  }
}

ValueId Builder::emit(OpCode code, std::span<const ValueId> operands, std::uint64_t imm, TypeId given) {
  std::vector<TypeId> types;
  types.reserve(operands.size());
  for (const ValueId v : operands) {
    types.push_back(function_.type(v));
  }
  const auto type = result_type(module_, code, types, given, imm);
  WEFT_CHECK(type.has_value(), "op {} with operands that its row does not allow", info(code).text);
  return function_.op(function_.append(region_, code, *type, operands, imm, 0, location_)).result;
}

OpId Builder::emit_regions(OpCode code, std::initializer_list<ValueId> operands, std::size_t region_count,
                           std::uint64_t imm) {
  return function_.append(region_, code, kVoid, std::span(operands.begin(), operands.size()), imm, region_count,
                          location_);
}

ValueId Builder::constant(TypeId type, std::vector<std::uint64_t> leaves) {
  return function_.constant(module_.constant({type, std::move(leaves)}), type);
}

ValueId Builder::constant_number(TypeId type, double value) {
  const TypeId scalar = module_.types.scalar_of(type);
  const std::uint64_t bits = scalar_bits_of(module_.types[scalar].kind, value);
  return constant(type, std::vector<std::uint64_t>(module_.types[type].leaf_count, bits));
}

ValueId Builder::zero(TypeId type) {
  return constant(type, std::vector<std::uint64_t>(module_.types[type].leaf_count, 0));
}

}  // namespace weft::ir
