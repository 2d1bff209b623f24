#include "codegen/ir/typing.h"

namespace weft::ir {

namespace {

enum class Category : std::uint8_t { boolean, integer, floating, other };

// Questions about one type, phrased as the shape words are.
class Query {
 public:
  Query(const TypeTable& types, TypeId id) : types_(types), id_(id), type_(types[id]) {}

  [[nodiscard]] bool scalar() const { return is_scalar(type_.kind); }
  [[nodiscard]] bool vector() const { return type_.kind == TypeKind::vector; }
  [[nodiscard]] bool matrix() const { return type_.kind == TypeKind::matrix; }
  [[nodiscard]] bool reference() const { return type_.kind == TypeKind::reference; }
  [[nodiscard]] bool structure() const { return type_.kind == TypeKind::structure; }
  [[nodiscard]] bool scalar_or_vector() const { return scalar() || vector(); }
  [[nodiscard]] bool indexable() const { return vector() || matrix() || type_.kind == TypeKind::array; }
  [[nodiscard]] bool value() const { return scalar() || indexable() || structure(); }
  [[nodiscard]] bool integer() const { return category() == Category::integer; }
  [[nodiscard]] bool floating() const { return category() == Category::floating; }
  [[nodiscard]] bool boolean() const { return category() == Category::boolean; }
  [[nodiscard]] bool number() const { return integer() || floating(); }
  [[nodiscard]] Query pointee() const { return {types_, type_.element}; }
  [[nodiscard]] bool atomic() const { return scalar() && (integer() || (floating())) && type_.size_bytes >= 4; }
  [[nodiscard]] const Type& type() const { return type_; }
  [[nodiscard]] bool is(TypeId id) const { return id_ == id; }

 private:
  [[nodiscard]] Category category() const {
    const TypeId s = types_.scalar_of(id_);
    if (!s.valid()) {
      return Category::other;
    }
    switch (scalar_category(types_[s].kind)) {
      case ScalarCategory::boolean: return Category::boolean;
      case ScalarCategory::signed_integer:
      case ScalarCategory::unsigned_integer: return Category::integer;
      case ScalarCategory::floating: return Category::floating;
    }
    return Category::other;
  }

  const TypeTable& types_;
  TypeId id_;
  const Type& type_;
};

bool fits(const Query& q, OperandShape shape) {
  switch (shape) {
    using enum OperandShape;
    case value: return q.value();
    case scalar: return q.scalar();
    case arithmetic: return q.number();
    case numeric: return q.scalar_or_vector() && q.number();
    case floating: return q.scalar_or_vector() && q.floating();
    case floats: return q.floating();
    case integer: return q.scalar_or_vector() && q.integer();
    case bits: return q.scalar_or_vector() && (q.integer() || q.boolean());
    case comparable: return q.scalar_or_vector();
    case castable: return q.scalar_or_vector() || q.matrix();
    case condition: return q.scalar_or_vector() && q.boolean();
    case bool_scalar: return q.is(kBool);
    case bool_vector: return q.vector() && q.boolean();
    case int_scalar:
    case index: return q.scalar() && q.integer();
    case u32: return q.is(kU32);
    case f32x2: return q.vector() && q.type().element == kF32 && q.type().rows == 2;
    case f32x4: return q.vector() && q.type().element == kF32 && q.type().rows == 4;
    case vector: return q.vector();
    case numeric_vector: return q.vector() && q.number();
    case float_vector: return q.vector() && q.floating();
    case float_vector3: return q.vector() && q.floating() && q.type().rows == 3;
    case matrix: return q.matrix();
    case square_matrix: return q.matrix() && q.floating() && q.type().rows == q.type().columns;
    case matrix_or_vector: return (q.matrix() || q.vector()) && q.floating();
    case aggregate: return q.indexable() || q.structure();
    case indexable: return q.indexable();
    case reference: return q.reference();
    case indexable_reference: return q.reference() && q.pointee().indexable();
    case atomic_reference: return q.reference() && q.pointee().atomic();
    case atomic_int_reference: return q.reference() && q.pointee().atomic() && q.pointee().integer();
    case buffer: return q.type().kind == TypeKind::buffer;
    case byte_buffer: return q.type().kind == TypeKind::byte_buffer;
    case any_buffer: return q.type().kind == TypeKind::buffer || q.type().kind == TypeKind::byte_buffer;
    case same:
    case same1:
    case i32_same:
    case element_of:
    case part_of:
    case pointee_of:
    case buffer_pointee_of: return false;  // relative, see expected_type
    case rest: return true;
  }
  return false;
}

std::optional<TypeId> valid(TypeId id) { return id.valid() ? std::optional(id) : std::nullopt; }

// matrix x matrix, matrix x column vector, row vector x matrix.
std::optional<TypeId> product_type(TypeTable& types, TypeId a, TypeId b) {
  const Type& x = types[a];
  const Type& y = types[b];
  const bool both_vectors = x.kind == TypeKind::vector && y.kind == TypeKind::vector;
  const std::uint32_t x_columns = x.kind == TypeKind::matrix ? x.columns : x.rows;
  if (both_vectors || x.element != y.element || x_columns != y.rows) {
    return std::nullopt;
  }
  if (x.kind == TypeKind::vector) {
    return types.vector(x.element, y.columns);
  }
  return y.kind == TypeKind::vector ? types.vector(x.element, x.rows) : types.matrix(x.element, y.columns, x.rows);
}

std::optional<TypeId> outer_type(TypeTable& types, TypeId a, TypeId b) {
  const Type& x = types[a];
  const Type& y = types[b];
  return x.element == y.element ? std::optional(types.matrix(x.element, y.rows, x.rows)) : std::nullopt;
}

std::optional<TypeId> swizzled_type(TypeTable& types, TypeId vector, std::uint64_t imm) {
  const std::uint32_t count = Components::unpack(imm).count;
  return count >= 2 && count <= 4 ? std::optional(types.vector(types[vector].element, count)) : std::nullopt;
}

// A condition of several bools chooses component by component and needs as many in what it chooses from.
bool select_matches(const TypeTable& types, std::span<const TypeId> operands) {
  const Type& condition = types[operands[0]];
  const Type& chosen = types[operands[1]];
  return condition.kind != TypeKind::vector || (chosen.kind == TypeKind::vector && chosen.rows == condition.rows);
}

bool all_match(TypeTable& types, OpCode code, std::span<const TypeId> operands, std::uint64_t imm) {
  const OpInfo& op = info(code);
  if (operands.size() < op.operand_count || (operands.size() > op.operand_count && !op.variadic)) {
    return false;
  }
  for (std::size_t i = 0; i < op.operand_count; ++i) {
    if (!matches(types, code, i, operands, imm)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_relative(OperandShape shape) { return shape >= OperandShape::same && shape <= OperandShape::buffer_pointee_of; }

bool is_value_type(const TypeTable& types, TypeId type) { return type.valid() && Query(types, type).value(); }

std::optional<TypeId> expected_type(TypeTable& types, OperandShape shape, std::span<const TypeId> operands,
                                    std::uint64_t imm) {
  if (operands.empty()) {
    return std::nullopt;
  }
  const TypeId first = operands[0];
  const TypeKind kind = types[first].kind;
  switch (shape) {
    case OperandShape::same: return first;
    case OperandShape::same1: return operands.size() > 1 ? valid(operands[1]) : std::nullopt;
    case OperandShape::i32_same: return types.with_scalar(first, kI32);
    case OperandShape::element_of: return valid(types.scalar_of(first));
    case OperandShape::part_of: return valid(types.part(first, imm));
    case OperandShape::pointee_of: return kind == TypeKind::reference ? valid(types[first].element) : std::nullopt;
    case OperandShape::buffer_pointee_of: return kind == TypeKind::buffer ? valid(types[first].element) : std::nullopt;
    default: return std::nullopt;  // an absolute word: any type that fits
  }
}

bool matches(TypeTable& types, OpCode code, std::size_t index, std::span<const TypeId> operands, std::uint64_t imm) {
  const OpInfo& op = info(code);
  if (index >= op.operand_count) {
    return op.variadic;
  }
  const OperandShape shape = op.operands[index];
  if (is_relative(shape)) {
    return expected_type(types, shape, operands, imm) == operands[index];
  }
  if (code == OpCode::select && index == 0 && operands.size() > 1 && !select_matches(types, operands)) {
    return false;
  }
  return fits(Query(types, operands[index]), shape);
}

std::optional<TypeId> result_type(Module& m, OpCode code, std::span<const TypeId> operands, TypeId given,
                                  std::uint64_t imm) {
  const OpInfo& op = info(code);
  TypeTable& types = m.types;
  if (!all_match(types, code, operands, imm) || (has_given_type(code) && !is_value_type(types, given))) {
    return std::nullopt;
  }
  const TypeId first = operands.empty() ? TypeId() : operands[0];
  const std::uint64_t part = op.immediate == Immediate::part ? imm : 0;
  switch (op.result) {
    case ResultShape::nothing: return kVoid;
    case ResultShape::same: return first;
    case ResultShape::same1: return operands[1];
    case ResultShape::bool_same: return types.with_scalar(first, kBool);
    case ResultShape::i32_same: return types.with_scalar(first, kI32);
    case ResultShape::element: return valid(types.scalar_of(first));
    case ResultShape::boolean: return kBool;
    case ResultShape::u32: return kU32;
    case ResultShape::u64: return kU64;
    case ResultShape::f32x2: return types.vector(kF32, 2);
    case ResultShape::f32x4: return types.vector(kF32, 4);
    case ResultShape::given: return given;
    case ResultShape::given_reference: return types.reference(given);
    case ResultShape::part: return valid(types.part(first, part));
    case ResultShape::swizzled: return swizzled_type(types, first, imm);
    case ResultShape::pointee:
    case ResultShape::buffer_pointee: return valid(types[first].element);
    case ResultShape::part_reference: {
      const TypeId chosen = types.part(types[first].element, part);
      return chosen.valid() ? std::optional(types.reference(chosen)) : std::nullopt;
    }
    case ResultShape::global_reference:
      return imm < m.globals.size() ? std::optional(types.reference(m.constant(m.globals[imm].data).type))
                                    : std::nullopt;
    case ResultShape::buffer_reference: return types.reference(types[first].element);
    case ResultShape::outer: return outer_type(types, first, operands[1]);
    case ResultShape::product: return product_type(types, first, operands[1]);
    case ResultShape::transposed: return types.matrix(types[first].element, types[first].rows, types[first].columns);
    case ResultShape::callee:
      return imm < m.functions.size() ? std::optional(m.function(FunctionId(imm)).result_type) : std::nullopt;
    case ResultShape::specialised:
      return imm < m.specs.size() ? std::optional(m.constant(m.specs[imm].initial).type) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace weft::ir
