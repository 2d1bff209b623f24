// Expr, Var and Ref.
//
//   Var<T>   a variable: assignable; a copy is a new variable with the same value, as in C++. Float is Var<float>.
//   Expr<T>  a value, fixed where it was computed: what operators and functions give, and what `auto` keeps.
//   Ref<T>   a place that was indexed: buffer[i], array[i]. It is used where it is written; a name for it would go on
//            following the place, so a named Ref is refused: write Var<T> t = a[i].
//
// A variable is read where it is used: Float x = 1.f; auto before = x + 0.f; x = 2.f; leaves `before` at 1. The parts
// of a variable (v.x, p.position) are variables in place, and `auto q = p.position` makes a new variable.
#pragma once

#include <weft/dsl/operators.h>
#include <weft/dsl/parts.h>

namespace weft {

template <class T>
class Expr : public dsl::Operators<T>, public dsl::Parts<T, Expr> {
 public:
  explicit Expr(const dsl::At& at) : dsl::Parts<T, Expr>(at.node) {}
  Expr(const Expr&) = default;
  // An Expr never changes; what changes is a Var.
  Expr& operator=(const Expr&) = delete;

  // The value of x at this point.
  template <dsl::InitialOf<T> X>
    requires(!std::same_as<std::remove_cvref_t<X>, Expr>)
  Expr(X&& x, dsl::Where where = dsl::Where::current())
      : Expr(dsl::At{dsl::value_node(dsl::evaluate(dsl::operand<T>(x, where)))}) {}

  auto operator[](dsl::Index index) const
    requires dsl::Indexable<T>
  {
    return Expr<dsl::part_t<T>>(dsl::At{dsl::part(this->weft_node_, dsl::kTypeInfo<T>, index)});
  }
};

namespace dsl {

template <class R>
Expr<R> result(ExprId id) {
  return Expr<R>(At{value_node(id)});
}

// The value of x at this point, as a T.
template <class T, class X>
Expr<T> snapshot(const X& x, Where where) {
  return result<T>(evaluate(operand<T>(x, where)));
}

template <class T>
class Place;

// The operand of ++ and --; only numbers have them.
template <class T>
struct Lvalue {};
template <Numeric T>
struct Lvalue<T> : Operand {
  Lvalue(const Place<T>& place, Where where = Where::current());
};

template <class T>
Expr<T> step(const Lvalue<T>& place, const char* op, bool give_old) {
  Operand one = operand<T>(1, place.where);
  const ExprId old = evaluate(place);
  Operand before = operand_at<T>(value_node(old), place.where);
  const ExprId after = apply(op, place.where, {before, one});
  store(place.node, operand_at<T>(value_node(after), place.where));
  return Expr<T>(At{value_node(give_old ? old : after)});
}

// What Var, Ref and Shared have in common: a place that can be changed.
template <class T>
class Place : public Operators<T>, public Parts<T, Var> {
 public:
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  auto operator[](Index index) const
    requires Indexable<T>
  {
    return Ref<part_t<T>>(At{part(this->weft_node_, kTypeInfo<T>, index)});
  }

#define WEFT_DSL_UPDATE(symbol, op, Kind)                                \
  Expr<T> operator symbol(Initial<T> value) const                        \
    requires Kind<T>                                                     \
  {                                                                      \
    return Expr<T>(At{value_node(update(this->weft_node_, op, value))}); \
  }
  WEFT_DSL_UPDATE(+=, "add", Numeric)
  WEFT_DSL_UPDATE(-=, "sub", Numeric)
  WEFT_DSL_UPDATE(*=, "mul", Numeric)
  WEFT_DSL_UPDATE(/=, "div", Numeric)
  WEFT_DSL_UPDATE(%=, "rem", Integer)
  WEFT_DSL_UPDATE(&=, "and", Bits)
  WEFT_DSL_UPDATE(|=, "or", Bits)
  WEFT_DSL_UPDATE(^=, "xor", Bits)
  WEFT_DSL_UPDATE(<<=, "shl", Integer)
  WEFT_DSL_UPDATE(>>=, "shr", Integer)
  WEFT_DSL_UPDATE(+=, "add", AnyMatrix)
  WEFT_DSL_UPDATE(-=, "sub", AnyMatrix)
  WEFT_DSL_UPDATE(*=, "matrix_product", SquareMatrix)
#undef WEFT_DSL_UPDATE
  Expr<T> operator*=(Initial<element_t<T>> scalar) const
    requires AnyMatrix<T>
  {
    return Expr<T>(At{value_node(update(this->weft_node_, "mul", to_whole(scalar)))});
  }
  Expr<T> operator/=(Initial<element_t<T>> scalar) const
    requires AnyMatrix<T>
  {
    return Expr<T>(At{value_node(update(this->weft_node_, "div", to_whole(scalar)))});
  }

  friend Expr<T> operator++(Lvalue<T> place) { return step(place, "add", false); }
  friend Expr<T> operator--(Lvalue<T> place) { return step(place, "sub", false); }
  friend Expr<T> operator++(Lvalue<T> place, int) { return step(place, "add", true); }
  friend Expr<T> operator--(Lvalue<T> place, int) { return step(place, "sub", true); }

 protected:
  explicit Place(const Node& node) : Parts<T, Var>(node) {}

 private:
  static Operand to_whole(Operand scalar) {
    scalar.to = &kTypeInfo<T>;
    return scalar;
  }
};

template <Numeric T>
Lvalue<T>::Lvalue(const Place<T>& place, Where where) : Operand(operand_at<T>(Access::node(place), where)) {}

}  // namespace dsl

template <class T>
class Var : public dsl::Place<T> {
 public:
  explicit Var(const dsl::At& at) : dsl::Place<T>(at.node) {}

  // A variable that starts as zero; an array holds unspecified values until written.
  Var(dsl::Where where = dsl::Where::current()) : dsl::Place<T>(declare(where)) {}
  Var(const Var& other, dsl::Where where = dsl::Where::current()) : Var(dsl::operand<T>(other, where)) {}
  template <dsl::InitialOf<T> X>
    requires(!std::same_as<std::remove_cvref_t<X>, Var>)
  Var(X&& x, dsl::Where where = dsl::Where::current()) : Var(dsl::operand<T>(x, where)) {}

  // Assignment of any value, another Var included, by the second: the first is only there so that none is implied.
  Var& operator=(const Var&)
    requires(sizeof(T) == 0);
  Var& operator=(dsl::Initial<T> value) {
    dsl::store(this->weft_node_, value);
    return *this;
  }

 private:
  explicit Var(const dsl::Operand& initial) : dsl::Place<T>(declare(initial.where)) {
    dsl::store(this->weft_node_, initial);
  }
  static dsl::Node declare(dsl::Where where) { return dsl::place_node(dsl::local(dsl::kTypeInfo<T>, where)); }
};

template <class T>
class [[nodiscard]] Ref : public dsl::Place<T> {
 public:
  explicit Ref(const dsl::At& at) : dsl::Place<T>(at.node) {}

  void operator=(const Ref&)
    requires(sizeof(T) == 0);
  void operator=(dsl::Initial<T> value) && { dsl::store(this->weft_node_, value); }
};

#define WEFT_SCALAR_TYPE(host, lower, upper, text) \
  using upper = Var<host>;                         \
  using upper##2 = Var<Vector<host, 2>>;           \
  using upper##3 = Var<Vector<host, 3>>;           \
  using upper##4 = Var<Vector<host, 4>>;
#include <weft/scalar_types.def>

using Float2x2 = Var<float2x2>;
using Float3x3 = Var<float3x3>;
using Float4x4 = Var<float4x4>;
using Double2x2 = Var<double2x2>;
using Double3x3 = Var<double3x3>;
using Double4x4 = Var<double4x4>;

// A local array.
template <class T, std::size_t N>
using ArrayVar = Var<std::array<T, N>>;

}  // namespace weft
