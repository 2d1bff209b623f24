// The functions of kernels, on scalars and, component by component, on vectors; what each does for all its operands is
// said in docs/ir.md. They take DSL and host values together and need at least one of the DSL: max(x, 0.f).
#pragma once

#include <weft/dsl/value.h>

namespace weft {

namespace dsl {

// Results of functions.def.
template <class T>
using Same = T;
template <class T>
using BoolShaped = bool_shaped_t<T>;
template <class T>
using IntShaped = int_shaped_t<T>;
template <class T>
using Element = element_t<T>;
template <class T>
using Bool = bool;

}  // namespace dsl

#define WEFT_DSL_FUNCTION1(name, op, domain, Result)                                        \
  template <dsl::Operands A>                                                                \
    requires dsl::domain<dsl::value_t<A>>                                                   \
  auto name(A&& a, dsl::Where where = dsl::Where::current()) {                              \
    using T = dsl::value_t<A>;                                                              \
    return dsl::result<dsl::Result<T>>(dsl::apply(op, where, {dsl::operand<T>(a, where)})); \
  }
#define WEFT_DSL_FUNCTION2(name, op, domain, Result)                                                                   \
  template <class A, class B>                                                                                          \
    requires dsl::Operands<A, B> && dsl::domain<dsl::common_t<dsl::value_t<A>, dsl::value_t<B>>>                       \
  auto name(A&& a, B&& b, dsl::Where where = dsl::Where::current()) {                                                  \
    using T = dsl::common_t<dsl::value_t<A>, dsl::value_t<B>>;                                                         \
    return dsl::result<dsl::Result<T>>(dsl::apply(op, where, {dsl::operand<T>(a, where), dsl::operand<T>(b, where)})); \
  }
#define WEFT_DSL_FUNCTION3(name, op, domain, Result)                                                                 \
  template <class A, class B, class C>                                                                               \
    requires dsl::Operands<A, B, C> && dsl::domain<dsl::common_t<dsl::value_t<A>, dsl::value_t<B>, dsl::value_t<C>>> \
  auto name(A&& a, B&& b, C&& c, dsl::Where where = dsl::Where::current()) {                                         \
    using T = dsl::common_t<dsl::value_t<A>, dsl::value_t<B>, dsl::value_t<C>>;                                      \
    return dsl::result<dsl::Result<T>>(                                                                              \
        dsl::apply(op, where, {dsl::operand<T>(a, where), dsl::operand<T>(b, where), dsl::operand<T>(c, where)}));   \
  }
#include <weft/dsl/functions.def>

// condition ? a : b, both evaluated; a vector of conditions chooses component by component.
template <class C, class A, class B>
  requires dsl::Operands<C, A, B> && dsl::Boolean<dsl::value_t<C>>
auto select(C&& condition, A&& a, B&& b, dsl::Where where = dsl::Where::current()) {
  using T = dsl::common_t<dsl::value_t<A>, dsl::value_t<B>>;
  using Condition = dsl::value_t<C>;
  using R = std::conditional_t<dsl::AnyVector<Condition> && dsl::Scalar<T>, dsl::with_element_t<Condition, T>, T>;
  return dsl::result<R>(
      dsl::apply("select", where,
                 {dsl::operand<Condition>(condition, where), dsl::operand<R>(a, where), dsl::operand<R>(b, where)}));
}

// a to the integer power b, and a * 2^b.
#define WEFT_DSL_INTEGER_SECOND(name, op)                                                                  \
  template <class A, class B>                                                                              \
    requires dsl::Operands<A, B> && dsl::Floating<dsl::value_t<A>> && dsl::Integer<dsl::value_t<B>>        \
  auto name(A&& a, B&& b, dsl::Where where = dsl::Where::current()) {                                      \
    using T = dsl::value_t<A>;                                                                             \
    return dsl::result<T>(                                                                                 \
        dsl::apply(op, where, {dsl::operand<T>(a, where), dsl::operand<dsl::int_shaped_t<T>>(b, where)})); \
  }
WEFT_DSL_INTEGER_SECOND(powi, "powi")
WEFT_DSL_INTEGER_SECOND(ldexp, "ldexp")
#undef WEFT_DSL_INTEGER_SECOND

// Rotates by an amount modulo the width.
#define WEFT_DSL_ROTATE(name)                                                                                     \
  template <class A, class B>                                                                                     \
    requires dsl::Operands<A, B> && dsl::Integer<dsl::value_t<A>> && dsl::Integer<dsl::value_t<B>>                \
  auto name(A&& a, B&& amount, dsl::Where where = dsl::Where::current()) {                                        \
    using T = dsl::value_t<A>;                                                                                    \
    return dsl::result<T>(dsl::apply(#name, where, {dsl::operand<T>(a, where), dsl::operand<T>(amount, where)})); \
  }
WEFT_DSL_ROTATE(rotl)
WEFT_DSL_ROTATE(rotr)
#undef WEFT_DSL_ROTATE

// `count` bits of a from bit `offset` on, sign-extended for signed types.
template <class A, class B, class C>
  requires dsl::Operands<A, B, C> && dsl::Integer<dsl::value_t<A>>
auto bit_field_extract(A&& a, B&& offset, C&& count, dsl::Where where = dsl::Where::current()) {
  using T = dsl::value_t<A>;
  return dsl::result<T>(
      dsl::apply("bit_extract", where,
                 {dsl::operand<T>(a, where), dsl::operand<T>(offset, where), dsl::operand<T>(count, where)}));
}

// a with `count` bits from bit `offset` on replaced by the low bits of b.
template <class A, class B, class C, class D>
  requires dsl::Operands<A, B, C, D> && dsl::Integer<dsl::value_t<A>>
auto bit_field_insert(A&& a, B&& b, C&& offset, D&& count, dsl::Where where = dsl::Where::current()) {
  using T = dsl::value_t<A>;
  return dsl::result<T>(dsl::apply("bit_insert", where,
                                   {dsl::operand<T>(a, where), dsl::operand<T>(b, where),
                                    dsl::operand<T>(offset, where), dsl::operand<T>(count, where)}));
}

// The direction a refracted at the normal b, with the ratio of indices eta; zero at total reflection.
template <class A, class B, class C>
  requires dsl::Operands<A, B, C> && dsl::FloatVector<dsl::common_t<dsl::value_t<A>, dsl::value_t<B>>>
auto refract(A&& a, B&& normal, C&& eta, dsl::Where where = dsl::Where::current()) {
  using T = dsl::common_t<dsl::value_t<A>, dsl::value_t<B>>;
  return dsl::result<T>(dsl::apply(
      "refract", where,
      {dsl::operand<T>(a, where), dsl::operand<T>(normal, where), dsl::operand<dsl::element_t<T>>(eta, where)}));
}

// The matrix whose column j is a * b[j].
template <class A, class B>
  requires dsl::Operands<A, B> && dsl::FloatVector<dsl::value_t<A>> && dsl::FloatVector<dsl::value_t<B>>
auto outer_product(A&& a, B&& b, dsl::Where where = dsl::Where::current()) {
  using T = dsl::value_t<A>;
  using U = dsl::value_t<B>;
  using R = Matrix<dsl::element_t<T>, dsl::Shape<U>::components, dsl::Shape<T>::components>;
  return dsl::result<R>(dsl::apply("outer_product", where, {dsl::operand<T>(a, where), dsl::operand<U>(b, where)}));
}

namespace dsl {
template <class T>
struct Transposed {};
template <class E, unsigned C, unsigned R>
struct Transposed<Matrix<E, C, R>> {
  using type = Matrix<E, R, C>;
};
}  // namespace dsl

template <dsl::Operands A>
  requires dsl::AnyMatrix<dsl::value_t<A>>
auto transpose(A&& a, dsl::Where where = dsl::Where::current()) {
  using T = dsl::value_t<A>;
  return dsl::result<typename dsl::Transposed<T>::type>(dsl::apply("transpose", where, {dsl::operand<T>(a, where)}));
}

// --- functions with two results: auto [s, c] = sincos(x);
template <class T>
struct SinCos {
  Expr<T> sin, cos;
};
template <dsl::Operands A>
  requires dsl::Floating<dsl::value_t<A>>
auto sincos(A&& a, dsl::Where where = dsl::Where::current()) {
  const auto x = dsl::snapshot<dsl::value_t<A>>(a, where);
  return SinCos<dsl::value_t<A>>{sin(x, where), cos(x, where)};
}

// a = fraction * 2^exponent with 0.5 <= |fraction| < 1.
template <class T>
struct Frexp {
  Expr<T> fraction;
  Expr<dsl::int_shaped_t<T>> exponent;
};
template <dsl::Operands A>
  requires dsl::Floating<dsl::value_t<A>>
auto frexp(A&& a, dsl::Where where = dsl::Where::current()) {
  using T = dsl::value_t<A>;
  const Expr<T> x = dsl::snapshot<T>(a, where);
  const dsl::Operand operand = dsl::operand<T>(x, where);
  return Frexp<T>{dsl::result<T>(dsl::apply("frexp_fraction", where, {operand})),
                  dsl::result<dsl::int_shaped_t<T>>(dsl::apply("frexp_exponent", where, {operand}))};
}

// a = fraction + integer, both with the sign of a; an infinity is all integer.
template <class T>
struct Modf {
  Expr<T> fraction, integer;
};
template <dsl::Operands A>
  requires dsl::Floating<dsl::value_t<A>>
auto modf(A&& a, dsl::Where where = dsl::Where::current()) {
  using T = dsl::value_t<A>;
  const Expr<T> x = dsl::snapshot<T>(a, where);
  const Expr<T> whole = trunc(x, where);
  const Expr<T> rest = select(isinf(x, where), dsl::element_t<T>(0), x - whole, where);
  return Modf<T>{copysign(rest, x, where), whole};
}

template <dsl::Operands A>
  requires dsl::Floating<dsl::value_t<A>>
auto radians(A&& degrees) {
  using E = dsl::element_t<dsl::value_t<A>>;
  return static_cast<A&&>(degrees) * E(0.017453292519943295);
}

template <dsl::Operands A>
  requires dsl::Floating<dsl::value_t<A>>
auto degrees(A&& radians) {
  using E = dsl::element_t<dsl::value_t<A>>;
  return static_cast<A&&>(radians) * E(57.29577951308232);
}

}  // namespace weft
