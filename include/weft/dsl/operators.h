// The operators of values, found through the class (hidden friends), for all pairs of DSL and host values that the
// usual promotions bring together. They work component by component; && and || record both sides (no short circuit);
// the product of matrices, and of a matrix and a vector, is that of linear algebra. Shift amounts count modulo the
// width.
#pragma once

#include <weft/dsl/operand.h>

namespace weft::dsl {

// Neither operand's type is the result's, so that neither's own operator takes the other: Int3 * Float, Short + 1.
template <class T, class X>
concept MixedWith =
    Value<X> && Promotable<T, value_t<X>> && !OperandOf<X, T> && (!Recorded<X> || !OperandOf<Expr<T>, value_t<X>>);
template <class T, class X>
concept HostMixedWith = HostValue<X> && MixedWith<T, X>;

template <class R>
Expr<R> binary(const char* op, Operand a, Operand b, const TypeInfo& type) {
  a.to = b.to = &type;
  return Expr<R>(At{value_node(apply(op, a.where, {a, b}))});
}

template <class R>
Expr<R> unary(const char* op, Operand a, const TypeInfo& type) {
  a.to = &type;
  return Expr<R>(At{value_node(apply(op, a.where, {a}))});
}

// The type that two Ts are computed in: small integers and bools in int.
template <class T>
using computed_t = promote_t<T, T>;

#define WEFT_DSL_BINARY(symbol, op, Meet, Result)                                 \
  friend Expr<Result<Meet<T, T>>> operator symbol(In<T> a, In<T> b) {             \
    return binary<Result<Meet<T, T>>>(op, a, b, kTypeInfo<Meet<T, T>>);           \
  }                                                                               \
  template <class X>                                                              \
    requires MixedWith<T, X>                                                      \
  friend Expr<Result<promote_t<T, value_t<X>>>> operator symbol(In<T> a, X&& x) { \
    using P = promote_t<T, value_t<X>>;                                           \
    return binary<Result<P>>(op, a, operand<P>(x, a.where), kTypeInfo<P>);        \
  }                                                                               \
  template <class X>                                                              \
    requires HostMixedWith<T, X>                                                  \
  friend Expr<Result<promote_t<T, value_t<X>>>> operator symbol(X&& x, In<T> a) { \
    using P = promote_t<T, value_t<X>>;                                           \
    return binary<Result<P>>(op, operand<P>(x, a.where), a, kTypeInfo<P>);        \
  }

template <class T>
using same_t = T;

template <class T>
struct Comparisons {
  WEFT_DSL_BINARY(==, "eq", common2_t, bool_shaped_t)
  WEFT_DSL_BINARY(!=, "ne", common2_t, bool_shaped_t)
};

template <class T>
struct Arithmetic : Comparisons<T> {
  WEFT_DSL_BINARY(+, "add", promote_t, same_t)
  WEFT_DSL_BINARY(-, "sub", promote_t, same_t)
  WEFT_DSL_BINARY(*, "mul", promote_t, same_t)
  WEFT_DSL_BINARY(/, "div", promote_t, same_t)
  WEFT_DSL_BINARY(<, "lt", common2_t, bool_shaped_t)
  WEFT_DSL_BINARY(<=, "le", common2_t, bool_shaped_t)
  WEFT_DSL_BINARY(>, "gt", common2_t, bool_shaped_t)
  WEFT_DSL_BINARY(>=, "ge", common2_t, bool_shaped_t)
  friend Expr<computed_t<T>> operator-(In<T> a) { return unary<computed_t<T>>("neg", a, kTypeInfo<computed_t<T>>); }
  friend Expr<computed_t<T>> operator+(In<T> a) {
    a.to = &kTypeInfo<computed_t<T>>;
    return Expr<computed_t<T>>(At{value_node(evaluate(a))});
  }
};

// A shift's type is that of its left side alone.
#define WEFT_DSL_SHIFT(symbol, op)                                                              \
  template <class X>                                                                            \
    requires(Value<X> && Integer<value_t<X>> && Promotable<T, value_t<X>>)                      \
  friend Expr<computed_t<T>> operator symbol(Own<T> a, X&& x) {                                 \
    Operand amount = operand<with_element_t<value_t<X>, element_t<computed_t<T>>>>(x, a.where); \
    return binary<computed_t<T>>(op, a, amount, kTypeInfo<computed_t<T>>);                      \
  }                                                                                             \
  template <HostScalar X>                                                                       \
    requires IntegerScalar<value_t<X>>                                                          \
  friend auto operator symbol(const X& x, Own<T> a) {                                           \
    using P = with_element_t<T, computed_t<value_t<X>>>;                                        \
    return binary<P>(op, operand<P>(x, a.where), a, kTypeInfo<P>);                              \
  }

template <class T>
struct Integers : Arithmetic<T> {
  WEFT_DSL_BINARY(%, "rem", promote_t, same_t)
  WEFT_DSL_BINARY(&, "and", promote_t, same_t)
  WEFT_DSL_BINARY(|, "or", promote_t, same_t)
  WEFT_DSL_BINARY(^, "xor", promote_t, same_t)
  WEFT_DSL_SHIFT(<<, "shl")
  WEFT_DSL_SHIFT(>>, "shr")
  friend Expr<computed_t<T>> operator~(In<T> a) { return unary<computed_t<T>>("not", a, kTypeInfo<computed_t<T>>); }
};

template <class T>
struct Booleans : Comparisons<T> {
  friend Expr<T> operator&&(In<T> a, In<T> b) { return binary<T>("and", a, b, kTypeInfo<T>); }
  friend Expr<T> operator||(In<T> a, In<T> b) { return binary<T>("or", a, b, kTypeInfo<T>); }
  friend Expr<T> operator&(In<T> a, In<T> b) { return binary<T>("and", a, b, kTypeInfo<T>); }
  friend Expr<T> operator|(In<T> a, In<T> b) { return binary<T>("or", a, b, kTypeInfo<T>); }
  friend Expr<T> operator^(In<T> a, In<T> b) { return binary<T>("xor", a, b, kTypeInfo<T>); }
  friend Expr<T> operator!(In<T> a) { return unary<T>("not", a, kTypeInfo<T>); }
  // A number with a bool: the bool counts as 0 or 1.
  WEFT_DSL_BINARY(+, "add", promote_t, same_t)
  WEFT_DSL_BINARY(-, "sub", promote_t, same_t)
  WEFT_DSL_BINARY(*, "mul", promote_t, same_t)
};

// --- matrices
template <class M, class V>
struct Product {};
template <class E, unsigned C, unsigned R>
struct Product<Matrix<E, C, R>, Vector<E, C>> {
  using type = Vector<E, R>;
};
template <class E, unsigned C, unsigned R>
struct Product<Vector<E, R>, Matrix<E, C, R>> {
  using type = Vector<E, C>;
};
template <class E, unsigned K, unsigned R, unsigned C>
struct Product<Matrix<E, K, R>, Matrix<E, C, K>> {
  using type = Matrix<E, C, R>;
};
template <class A, class B>
using product_t = typename Product<A, B>::type;

template <class R>
Expr<R> matrix_product(const Operand& a, const Operand& b) {
  return Expr<R>(At{value_node(apply("matrix_product", a.where, {a, b}))});
}

template <class X, class T>
concept ScalarOperandOf = OperandOf<X, element_t<T>>;

template <class T>
struct Matrices {
  friend Expr<T> operator+(In<T> a, In<T> b) { return binary<T>("add", a, b, kTypeInfo<T>); }
  friend Expr<T> operator-(In<T> a, In<T> b) { return binary<T>("sub", a, b, kTypeInfo<T>); }
  friend Expr<T> operator-(In<T> a) { return unary<T>("neg", a, kTypeInfo<T>); }

  template <ScalarOperandOf<T> X>
  friend Expr<T> operator*(Own<T> a, X&& x) {
    return binary<T>("mul", a, operand<element_t<T>>(x, a.where), kTypeInfo<T>);
  }
  template <ScalarOperandOf<T> X>
  friend Expr<T> operator*(X&& x, Own<T> a) {
    return binary<T>("mul", operand<element_t<T>>(x, a.where), a, kTypeInfo<T>);
  }
  template <ScalarOperandOf<T> X>
  friend Expr<T> operator/(Own<T> a, X&& x) {
    return binary<T>("div", a, operand<element_t<T>>(x, a.where), kTypeInfo<T>);
  }
  template <Value X>
  friend Expr<product_t<T, value_t<X>>> operator*(Own<T> a, X&& x) {
    return matrix_product<product_t<T, value_t<X>>>(a, operand<value_t<X>>(x, a.where));
  }
  template <Value X>
    requires(HostValue<X> || AnyVector<value_t<X>>)
  friend Expr<product_t<value_t<X>, T>> operator*(X&& x, Own<T> a) {
    return matrix_product<product_t<value_t<X>, T>>(operand<value_t<X>>(x, a.where), a);
  }
};

struct NoOperators {};

// Which of these a type has.
template <class T>
struct OperatorsOf {
  using type = NoOperators;
};
template <Integer T>
struct OperatorsOf<T> {
  using type = Integers<T>;
};
template <Floating T>
struct OperatorsOf<T> {
  using type = Arithmetic<T>;
};
template <Boolean T>
struct OperatorsOf<T> {
  using type = Booleans<T>;
};
template <AnyMatrix T>
struct OperatorsOf<T> {
  using type = Matrices<T>;
};
template <class T>
using Operators = typename OperatorsOf<T>::type;

#undef WEFT_DSL_BINARY
#undef WEFT_DSL_SHIFT

}  // namespace weft::dsl
