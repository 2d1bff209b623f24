// Variables, shared memory, constant data, elements and parts.
#include <fmt/format.h>

#include "dsl/constants.h"
#include "dsl/operands.h"

namespace weft::dsl {

namespace {

Node place_node(FunctionRecording& f, ir::ValueId reference) {
  return {.root = f.id(reference), .kind = NodeKind::place};
}

// A component or column that the host chose, checked here; nothing for what is indexed in the kernel, and for arrays.
std::optional<std::uint32_t> constant_part(const TypeInfo& aggregate, const Operand& index) {
  if (index.kind != OperandKind::bits || aggregate.kind == TypeClass::array) {
    return std::nullopt;
  }
  const bool matrix = aggregate.kind == TypeClass::matrix;
  const std::uint32_t count = matrix ? aggregate.columns : aggregate.count;
  if (index.bits >= count) {
    fail(index.where, fmt::format("{} {} of a {} of {}", matrix ? "column" : "component",
                                  static_cast<std::int64_t>(index.bits), matrix ? "matrix" : "vector", count));
  }
  return static_cast<std::uint32_t>(index.bits);
}

}  // namespace

ExprId local(const TypeInfo& type, Where where) {
  FunctionRecording& f = FunctionRecording::current("a variable", where);
  return f.id(f.emit(ir::OpCode::local, {}, where, 0, f.owner().type(type)));
}

ExprId shared(const TypeInfo& type, Where where) {
  FunctionRecording& f = FunctionRecording::current("Shared", where);
  if (f.callable() != nullptr || f.frames().size() > 1) {
    fail(where, fmt::format("Shared is declared in {}, expected at the top level of a kernel",
                            f.callable() != nullptr ? "a callable" : "an inner scope"));
  }
  return f.id(f.emit(ir::OpCode::shared, {}, where, 0, f.owner().type(type)));
}

void store(const Node& node, const Operand& operand) {
  FunctionRecording& f = FunctionRecording::current("an assignment", operand.where);
  const ir::ValueId value = evaluate(f, operand);
  f.emit(ir::OpCode::store, {place(f, node, operand.where), value}, operand.where);
}

ExprId update(const Node& node, const char* op, const Operand& operand) {
  FunctionRecording& f = FunctionRecording::current(op, operand.where);
  const ir::ValueId right = evaluate(f, operand);
  const ir::ValueId reference = place(f, node, operand.where);
  const ir::ValueId old = f.emit(ir::OpCode::load, {reference}, operand.where);
  const ir::ValueId result = f.emit(op_named(op), {old, right}, operand.where);
  f.emit(ir::OpCode::store, {reference, result}, operand.where);
  return f.id(result);
}

ExprId apply_to_place(const char* op, const Node& node, Where where, std::initializer_list<Operand> operands,
                      std::uint64_t imm, const TypeInfo* given) {
  FunctionRecording& f = FunctionRecording::current(op, where);
  std::vector<ir::ValueId> values{place(f, node, where)};
  for (const Operand& o : operands) {
    values.push_back(evaluate(f, o));
  }
  return f.id(f.emit(op_named(op), values, where, imm, given != nullptr ? f.owner().type(*given) : ir::TypeId()));
}

ExprId reference(const Node& node, Where where) {
  FunctionRecording& f = FunctionRecording::current("a reference", where);
  return f.id(place(f, node, where));
}

Node part(const Node& node, const TypeInfo& aggregate, const Operand& index) {
  if (const auto constant = constant_part(aggregate, index)) {
    return node.part(*constant);
  }
  FunctionRecording& f = FunctionRecording::current("an index", index.where);
  const ir::ValueId i = evaluate(f, index);
  if (node.kind == NodeKind::place) {
    return place_node(f, f.emit(ir::OpCode::element, {place(f, node, index.where), i}, index.where));
  }
  return {.root = f.id(f.emit(ir::OpCode::extract_at, {read(f, node, index.where), i}, index.where))};
}

Node buffer_element(const Node& buffer, const Operand& index) {
  FunctionRecording& f = FunctionRecording::current("an index", index.where);
  const ir::ValueId i = evaluate(f, index);
  return place_node(f, f.emit(ir::OpCode::buffer_element, {f.value(buffer.root, index.where), i}, index.where));
}

Node global(const char* name, const TypeInfo& type, const void* bytes, Where where) {
  FunctionRecording& f = FunctionRecording::current("a constant", where);
  const ir::ConstantId data = f.module().constant({f.owner().type(type), leaves_of(type, bytes)});
  return place_node(f, f.emit(ir::OpCode::global, {}, where, f.owner().global(name, data).index));
}

}  // namespace weft::dsl
