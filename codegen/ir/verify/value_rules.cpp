// Rules of single ops on values: conversions, vectors and matrices, aggregates.
#include "codegen/ir/typing.h"
#include "codegen/ir/verify/rule_context.h"

namespace weft::ir {

namespace {

bool same_shape(const Type& a, const Type& b) {
  const bool scalars = is_scalar(a.kind) && is_scalar(b.kind);
  return scalars || (a.kind == b.kind && a.rows == b.rows && a.columns == b.columns);
}

void check_make(RuleContext& c) {
  TypeTable& types = c.module.types;
  const std::uint64_t parts = types.part_count(c.op.given);
  const std::string given = c.type_text(c.op.given);
  if (!c.require(parts != 0, "make of {}: expected a vector, matrix, array or struct", given) ||
      !c.require(parts == c.types.size(), "make of {} has {} operands, expected {}", given, c.types.size(), parts)) {
    return;
  }
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    if (const TypeId part = types.part(c.op.given, i); part != c.types[i]) {
      c.fail_operand(i, c.type_text(part));
    }
  }
}

}  // namespace

bool check_part(RuleContext& c) {
  const TypeTable& types = c.module.types;
  const bool reference = types[c.types[0]].kind == TypeKind::reference;
  const TypeId aggregate = reference ? types[c.types[0]].element : c.types[0];
  const std::uint64_t parts = types.part_count(aggregate);
  return c.require(parts != 0, "{} of {}: it has no parts", info(c.op.code).text, c.type_text(aggregate)) &&
         c.require(c.op.imm < parts, "{} has no part {}, there are {}", c.type_text(aggregate), c.op.imm, parts);
}

bool check_components(RuleContext& c) {
  const Components components = Components::unpack(c.op.imm);
  if (!c.require(components.count >= 2 && components.count <= 4, "swizzle takes 2 to 4 components, found {}",
                 components.count)) {
    return false;
  }
  const std::uint32_t available = c.module.types[c.types[0]].rows;
  for (std::uint32_t i = 0; i < components.count; ++i) {
    if (!c.require(components.index[i] < available, "{} has no component {}", c.type_text(c.types[0]),
                   components.index[i])) {
      return false;
    }
  }
  return true;
}

void check_convert(RuleContext& c) {
  if (!has_given_type(c.op.code)) {
    return;
  }
  const TypeTable& types = c.module.types;
  const Type& from = types[c.types[0]];
  const Type& to = types[c.op.given];
  const std::string_view text = info(c.op.code).text;
  if (!c.require(types.scalar_of(c.op.given).valid() && same_shape(from, to),
                 "{} from {} to {}: expected the same shape", text, c.type_text(c.types[0]), c.type_text(c.op.given))) {
    return;
  }
  if (c.op.code == OpCode::bitcast) {
    const std::uint64_t from_bytes = types[types.scalar_of(c.types[0])].size_bytes;
    const std::uint64_t to_bytes = types[types.scalar_of(c.op.given)].size_bytes;
    const bool bools = types.scalar_of(c.types[0]) == kBool || types.scalar_of(c.op.given) == kBool;
    c.require(from_bytes == to_bytes && !bools, "bitcast from {} to {}: expected numbers of the same width",
              c.type_text(c.types[0]), c.type_text(c.op.given));
  }
}

void check_vector(RuleContext& c) {
  if (!result_type(c.module, c.op.code, c.types, c.op.given, c.op.imm)) {
    c.fail("{} of {} and {}: they do not fit together", info(c.op.code).text, c.type_text(c.types[0]),
           c.type_text(c.types.size() > 1 ? c.types[1] : c.types[0]));
  }
}

void check_aggregate(RuleContext& c) {
  if (c.op.code == OpCode::make) {
    check_make(c);
  }
  if (c.op.code == OpCode::splat) {
    const TypeKind kind = c.module.types[c.op.given].kind;
    const bool fits = kind == TypeKind::vector || kind == TypeKind::matrix;
    if (c.require(fits, "splat of {}: expected a vector or matrix", c.type_text(c.op.given)) &&
        c.module.types[c.op.given].element != c.types[0]) {
      c.fail_operand(0, c.type_text(c.module.types[c.op.given].element));
    }
  }
}

}  // namespace weft::ir
