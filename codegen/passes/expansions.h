// How an op of kind `expand` is made of others: one function for each such row of the op table, in expand_<family>.cpp.
// A row without its function does not link.
//
// An expansion is written as the formula that it is: Expr is a value under construction whose operators emit ops. It
// may use ops of kind `expand` itself; emit() expands those on the spot. Contraction comes after, so the order of sums
// and products here decides what fuses and hence the bits of the result.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "codegen/ir/builder.h"

namespace weft::passes {

class Expr {
 public:
  Expr(ir::Builder& builder, ir::ValueId id) : builder_(&builder), id_(id) {}

  [[nodiscard]] ir::Builder& builder() const { return *builder_; }
  [[nodiscard]] ir::ValueId id() const { return id_; }
  [[nodiscard]] ir::TypeId type() const { return builder_->function().type(id_); }
  [[nodiscard]] ir::TypeTable& types() const { return builder_->module().types; }
  [[nodiscard]] ir::TypeId scalar_type() const { return types().scalar_of(type()); }
  // Bits of one scalar.
  [[nodiscard]] std::uint32_t width() const { return ir::scalar_bits(types()[scalar_type()].kind); }
  [[nodiscard]] ir::ScalarCategory category() const { return ir::scalar_category(types()[scalar_type()].kind); }
  // Components of a vector, columns of a matrix.
  [[nodiscard]] std::uint32_t parts() const { return static_cast<std::uint32_t>(types().part_count(type())); }

  // The type of a component or column.
  [[nodiscard]] ir::TypeId part_type() const { return types().part(type(), 0); }
  // Component or column `i`: an op each time.
  [[nodiscard]] Expr operator[](std::uint32_t i) const { return {*builder_, builder_->extract(id_, i)}; }
  // The number in this value's type, in every component.
  [[nodiscard]] Expr number(double value) const { return {*builder_, builder_->constant_number(type(), value)}; }

 private:
  ir::Builder* builder_;
  ir::ValueId id_;
};

// An op that is being expanded.
struct Expansion {
  ir::Builder& builder;
  std::span<const ir::ValueId> operands;
  ir::TypeId given;  // the type in the op's text, if it has one
  std::uint64_t imm;

  [[nodiscard]] Expr operator[](std::size_t i) const { return {builder, operands[i]}; }
  [[nodiscard]] std::size_t size() const { return operands.size(); }
};

// Emits an op, expanding it if that is its kind. The result is no value for ops without one.
Expr emit(ir::Builder& builder, ir::OpCode code, std::span<const ir::ValueId> operands, std::uint64_t imm = 0,
          ir::TypeId given = {});
// The same with at least one operand.
Expr emit(ir::OpCode code, std::initializer_list<Expr> operands, std::uint64_t imm = 0, ir::TypeId given = {});

inline Expr operator+(Expr a, Expr b) { return emit(ir::OpCode::add, {a, b}); }
inline Expr operator-(Expr a, Expr b) { return emit(ir::OpCode::sub, {a, b}); }
inline Expr operator*(Expr a, Expr b) { return emit(ir::OpCode::mul, {a, b}); }
inline Expr operator/(Expr a, Expr b) { return emit(ir::OpCode::div, {a, b}); }
inline Expr operator-(Expr a) { return emit(ir::OpCode::neg, {a}); }
inline Expr operator&(Expr a, Expr b) { return emit(ir::OpCode::and_, {a, b}); }
inline Expr operator|(Expr a, Expr b) { return emit(ir::OpCode::or_, {a, b}); }
inline Expr operator~(Expr a) { return emit(ir::OpCode::not_, {a}); }
inline Expr operator<<(Expr a, Expr b) { return emit(ir::OpCode::shl, {a, b}); }
inline Expr operator>>(Expr a, Expr b) { return emit(ir::OpCode::shr, {a, b}); }
inline Expr operator<(Expr a, Expr b) { return emit(ir::OpCode::lt, {a, b}); }
inline Expr operator>(Expr a, Expr b) { return emit(ir::OpCode::gt, {a, b}); }
inline Expr operator==(Expr a, Expr b) { return emit(ir::OpCode::eq, {a, b}); }

inline Expr select(Expr condition, Expr a, Expr b) { return emit(ir::OpCode::select, {condition, a, b}); }
inline Expr min(Expr a, Expr b) { return emit(ir::OpCode::min, {a, b}); }
inline Expr max(Expr a, Expr b) { return emit(ir::OpCode::max, {a, b}); }
inline Expr clamp(Expr a, Expr low, Expr high) { return emit(ir::OpCode::clamp, {a, low, high}); }
inline Expr saturate(Expr a) { return emit(ir::OpCode::saturate, {a}); }
inline Expr dot(Expr a, Expr b) { return emit(ir::OpCode::dot, {a, b}); }
inline Expr sqrt(Expr a) { return emit(ir::OpCode::sqrt, {a}); }
inline Expr rint(Expr a) { return emit(ir::OpCode::rint, {a}); }

// The value in another scalar type, in the same shape.
inline Expr cast(ir::TypeId scalar, Expr a) {
  return emit(ir::OpCode::cast, {a}, 0, a.types().with_scalar(a.type(), scalar));
}
inline Expr bitcast(ir::TypeId scalar, Expr a) {
  return emit(ir::OpCode::bitcast, {a}, 0, a.types().with_scalar(a.type(), scalar));
}
// Every component of `type` is `a`.
inline Expr splat(ir::TypeId type, Expr a) { return emit(ir::OpCode::splat, {a}, 0, type); }
// The components or columns, in order.
std::vector<Expr> split(Expr aggregate);
// The left fold of the components: code(code(a[0], a[1]), a[2]) ...
Expr reduce(ir::OpCode code, Expr vector);
// The vector or matrix of these parts, all of one type.
Expr make(ir::TypeId type, std::span<const Expr> parts);
inline Expr make(ir::TypeId type, std::initializer_list<Expr> parts) {
  return make(type, std::span(parts.begin(), parts.size()));
}

namespace expansions {

#define WEFT_EXPANSION_core(name)
#define WEFT_EXPANSION_device(name)
#define WEFT_EXPANSION_expand(name) Expr name(const Expansion& x);
#define WEFT_OP(name, text, operands, result, imm, effect, family, kind, meaning) WEFT_EXPANSION_##kind(name)
#include "codegen/ir/ops.def"
#undef WEFT_EXPANSION_core
#undef WEFT_EXPANSION_device
#undef WEFT_EXPANSION_expand

}  // namespace expansions
}  // namespace weft::passes
