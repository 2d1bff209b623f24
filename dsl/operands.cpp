#include "dsl/operands.h"

#include <weft/dsl/operand.h>

#include <fmt/format.h>

#include "dsl/constants.h"
#include "runtime/support/check.h"

namespace weft::dsl {

namespace {

ir::ValueId read_dimensions(FunctionRecording& f, const Node& node, Where where) {
  const auto code = static_cast<ir::OpCode>(node.root.index);
  if (node.depth > 0) {
    return f.emit(code, {}, where, node.parts[0]);
  }
  std::array<ir::ValueId, 3> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = f.emit(code, {}, where, i);
  }
  return f.emit(ir::OpCode::make, parts, where, 0, f.module().types.vector(ir::kU32, 3));
}

ir::ValueId constant(FunctionRecording& f, const Operand& operand) {
  const ir::TypeId type = f.owner().type(*operand.type);
  if (operand.kind == OperandKind::bits) {
    return f.builder().constant(type, {operand.bits});
  }
  return f.builder().constant(type, leaves_of(*operand.type, operand.bytes));
}

// A scalar in every component; of a constant again a constant.
ir::ValueId repeat(FunctionRecording& f, ir::ValueId scalar, ir::TypeId to, Where where) {
  if (const ir::Constant* c = f.module().constant_of(f.function(), scalar)) {
    return f.builder().constant(to, std::vector(f.module().types[to].leaf_count, c->leaves[0]));
  }
  return f.emit(ir::OpCode::splat, {scalar}, where, 0, to);
}

ir::ValueId cast(FunctionRecording& f, ir::ValueId value, ir::TypeId to, Where where) {
  const ir::TypeTable& types = f.module().types;
  const ir::Constant* c = f.module().constant_of(f.function(), value);
  if (c != nullptr && c->leaves.size() == 1 && types.scalar_of(to) == to) {
    if (const auto bits = cast_exactly(types[c->type].kind, c->leaves[0], types[to].kind)) {
      return f.builder().constant(to, {*bits});
    }
  }
  return f.emit(ir::OpCode::cast, {value}, where, 0, to);
}

// Casts the scalars, then repeats a scalar in every component. Other types have to be equal.
ir::ValueId convert(FunctionRecording& f, ir::ValueId value, ir::TypeId to, Where where) {
  ir::TypeTable& types = f.module().types;
  const ir::TypeId from = f.function().type(value);
  if (from == to) {
    return value;
  }
  const ir::TypeId scalar = types.scalar_of(from);
  const ir::TypeId to_scalar = types.scalar_of(to);
  if (!scalar.valid() || !to_scalar.valid()) {
    fail(where, fmt::format("a value has type {}, expected {}", types.text(from), types.text(to)));
  }
  const ir::TypeId same_shape = types.with_scalar(from, to_scalar);
  if (same_shape != from) {
    value = cast(f, value, same_shape, where);
  }
  if (same_shape == to) {
    return value;
  }
  if (from != scalar) {
    fail(where, fmt::format("a value has type {}, expected {}", types.text(from), types.text(to)));
  }
  return repeat(f, value, to, where);
}

}  // namespace

ir::OpCode op_named(const char* text) {
  const auto code = ir::find_op(text);
  WEFT_CHECK(code.has_value(), "no op is called {}", text);
  return *code;
}

ir::ValueId place(FunctionRecording& f, const Node& node, Where where) {
  ir::ValueId reference = f.value(node.root, where);
  for (std::uint8_t i = 0; i < node.depth; ++i) {
    reference = f.emit(ir::OpCode::member, {reference}, where, node.parts[i]);
  }
  return reference;
}

ir::ValueId read(FunctionRecording& f, const Node& node, Where where) {
  switch (node.kind) {
    case NodeKind::dimensions: return read_dimensions(f, node, where);
    case NodeKind::place: return f.emit(ir::OpCode::load, {place(f, node, where)}, where);
    case NodeKind::value: break;
  }
  ir::ValueId value = f.value(node.root, where);
  for (std::uint8_t i = 0; i < node.depth; ++i) {
    value = f.emit(ir::OpCode::extract, {value}, where, node.parts[i]);
  }
  return value;
}

ir::ValueId evaluate_as_is(FunctionRecording& f, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::node: return read(f, operand.node, operand.where);
    case OperandKind::bits:
    case OperandKind::bytes: return constant(f, operand);
    case OperandKind::spec: {
      const ir::SpecId spec = f.owner().spec(*static_cast<const SpecInfo*>(operand.bytes), operand.where);
      return f.emit(ir::OpCode::spec, {}, operand.where, spec.index);
    }
  }
  return {};
}

ir::ValueId evaluate(FunctionRecording& f, const Operand& operand) {
  const ir::ValueId value = evaluate_as_is(f, operand);
  return operand.type == operand.to ? value : convert(f, value, f.owner().type(*operand.to), operand.where);
}

// --- the public interface

ExprId evaluate(const Operand& operand) {
  FunctionRecording& f = FunctionRecording::current("a value", operand.where);
  return f.id(evaluate(f, operand));
}

ExprId apply(const char* op, Where where, const Operand* operands, std::size_t count, std::uint64_t imm,
             const TypeInfo* given) {
  FunctionRecording& f = FunctionRecording::current(op, where);
  std::vector<ir::ValueId> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(evaluate(f, operands[i]));
  }
  return f.id(f.emit(op_named(op), values, where, imm, given != nullptr ? f.owner().type(*given) : ir::TypeId()));
}

ExprId apply(const char* op, Where where, std::initializer_list<Operand> operands, std::uint64_t imm,
             const TypeInfo* given) {
  return apply(op, where, operands.begin(), operands.size(), imm, given);
}

Node dimensions(const char* op) {
  return {.root = {static_cast<std::uint32_t>(op_named(op)), 0}, .kind = NodeKind::dimensions};
}

ExprId swizzle(const Operand& vector, std::initializer_list<std::uint8_t> components) {
  FunctionRecording& f = FunctionRecording::current("swizzle", vector.where);
  ir::Components packed;
  for (const std::uint8_t c : components) {
    packed.index[packed.count++] = c;
  }
  return f.id(f.emit(ir::OpCode::swizzle, {evaluate(f, vector)}, vector.where, packed.pack()));
}

ExprId make(const TypeInfo& type, const PartValue* parts, std::size_t count, Where where) {
  FunctionRecording& f = FunctionRecording::current("make", where);
  const ir::TypeId id = f.owner().type(type);
  ir::TypeTable& types = f.module().types;
  if (types.part_count(id) != count) {
    fail(where, fmt::format("{} is made of {} values, found {}", types.text(id), types.part_count(id), count));
  }
  std::vector<ir::ValueId> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(convert(f, evaluate_as_is(f, parts[i]), types.part(id, i), parts[i].where));
  }
  return f.id(f.emit(ir::OpCode::make, values, where, 0, id));
}

}  // namespace weft::dsl
