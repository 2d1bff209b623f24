// Type questions of the DSL: which C++ types are values in a kernel, what type they have there, and the type that two
// of them meet in. They meet as in C++: small integers become int, int and unsigned become unsigned, an integer and a
// float the float; a scalar and a vector become the vector, component by component.
#pragma once

#include <weft/dsl/type_info.h>

#include <concepts>

namespace weft {

template <class T>
class Expr;
template <class T>
class Var;
template <class T>
class Ref;
template <class T>
class Spec;
template <class T, std::size_t N = 0>
class Shared;

namespace dsl {

// --- scalars: each arithmetic type of the host stands for the scalar of its size
template <class T>
struct Canonical {};
template <class T>
  requires(std::is_integral_v<T> && !std::same_as<T, bool>)
struct Canonical<T> {
  template <class S, class U>
  using by_sign = std::conditional_t<std::is_signed_v<T>, S, U>;
  using type =
      std::conditional_t<sizeof(T) == 1, by_sign<std::int8_t, std::uint8_t>,
                         std::conditional_t<sizeof(T) == 2, by_sign<std::int16_t, std::uint16_t>,
                                            std::conditional_t<sizeof(T) == 4, by_sign<std::int32_t, std::uint32_t>,
                                                               by_sign<std::int64_t, std::uint64_t>>>>;
};
template <>
struct Canonical<bool> {
  using type = bool;
};
template <>
struct Canonical<float> {
  using type = float;
};
template <>
struct Canonical<double> {
  using type = double;
};
template <>
struct Canonical<half> {
  using type = half;
};

template <class T>
concept HostScalar = requires { typename Canonical<T>::type; };
template <class T>
concept Scalar = HostScalar<T> && std::same_as<typename Canonical<T>::type, T>;

// --- shape
template <class T>
struct Shape {
  using element = T;
  static constexpr unsigned components = 0;  // of a vector
  static constexpr bool is_matrix = false;
  template <class E>
  using with = E;
};
template <class E, unsigned N>
struct Shape<Vector<E, N>> {
  using element = E;
  static constexpr unsigned components = N;
  static constexpr bool is_matrix = false;
  template <class F>
  using with = Vector<F, N>;
};
template <class E, unsigned C, unsigned R>
struct Shape<Matrix<E, C, R>> {
  using element = E;
  static constexpr unsigned components = 0;
  static constexpr bool is_matrix = true;
  template <class F>
  using with = Matrix<F, C, R>;
};

template <class T>
using element_t = typename Shape<T>::element;
template <class T, class E>
using with_element_t = typename Shape<T>::template with<E>;
template <class T>
using bool_shaped_t = with_element_t<T, bool>;
template <class T>
using int_shaped_t = with_element_t<T, std::int32_t>;

template <class T>
concept AnyVector = Shape<T>::components != 0;
template <class T>
concept AnyMatrix = Shape<T>::is_matrix;
template <class T>
concept Componentwise = Scalar<T> || AnyVector<T>;
template <class T>
concept Boolean = Componentwise<T> && std::same_as<element_t<T>, bool>;
template <class T>
concept Numeric = Componentwise<T> && !Boolean<T>;
template <class T>
concept Integer = Numeric<T> && std::is_integral_v<element_t<T>>;
template <class T>
concept Floating = Numeric<T> && !Integer<T>;
template <class T>
concept Bits = Integer<T> || Boolean<T>;
template <class T>
concept IntegerScalar = Integer<T> && Scalar<T>;
template <class T>
concept BooleanScalar = std::same_as<T, bool>;
template <class T>
concept NumericVector = Numeric<T> && AnyVector<T>;
template <class T>
concept FloatVector = Floating<T> && AnyVector<T>;
template <class T>
concept FloatVector3 = FloatVector<T> && Shape<T>::components == 3;
template <class T>
concept BoolVector = Boolean<T> && AnyVector<T>;
template <class T>
inline constexpr bool kIsSquare = false;
template <class E, unsigned N>
inline constexpr bool kIsSquare<Matrix<E, N, N>> = true;
template <class T>
concept SquareMatrix = kIsSquare<T>;

// --- parts of what can be indexed
template <class T>
struct Part {};
template <class E, unsigned N>
struct Part<Vector<E, N>> {
  using type = E;
};
template <class E, unsigned C, unsigned R>
struct Part<Matrix<E, C, R>> {
  using type = Vector<E, R>;
};
template <class T, std::size_t N>
struct Part<std::array<T, N>> {
  using type = stored_t<T>;
};
template <class T>
using part_t = typename Part<T>::type;
template <class T>
concept Indexable = requires { typename Part<T>::type; };

// --- values: DSL objects, and host values used among them. A named Ref is no value: what it names may have changed
// since, so its reading is spelled out by a Var or an Expr.
template <class X>
struct ValueOf {};
template <class T>
struct ValueOf<Expr<T>> {
  using type = T;
};
template <class T>
struct ValueOf<Var<T>> {
  using type = T;
};
template <class T>
struct ValueOf<Ref<T>> {
  using type = T;
};
template <class T>
struct ValueOf<Spec<T>> {
  using type = T;
};
template <class T>
struct ValueOf<Shared<T, 0>> {
  using type = T;
};
template <class T, std::size_t N>
struct ValueOf<Shared<T, N>> {
  using type = std::array<T, N>;
};

template <class X>
concept Recorded = requires { typename ValueOf<std::remove_cvref_t<X>>::type; };

template <class X>
inline constexpr bool kIsNamedRef = false;
template <class T>
inline constexpr bool kIsNamedRef<Ref<T>&> = true;
template <class T>
inline constexpr bool kIsNamedRef<const Ref<T>&> = true;

template <class U>
struct HostValueOf {};
template <HostScalar U>
struct HostValueOf<U> : Canonical<U> {};
template <Describable U>
  requires(!HostScalar<U>)
struct HostValueOf<U> {
  using type = U;
};

template <class X, class U = std::remove_cvref_t<X>>
struct ValueType : HostValueOf<U> {};
template <class X, class U>
  requires Recorded<U>
struct ValueType<X, U> : ValueOf<U> {};
template <class X, class U>
  requires kIsNamedRef<X>
struct ValueType<X, U> {};

template <class X>
using value_t = typename ValueType<X>::type;
template <class X>
concept Value = requires { typename ValueType<X>::type; };
template <class X>
concept HostValue = Value<X> && !Recorded<X>;
// At least one is a DSL object, and all are values.
template <class... X>
concept Operands = (Value<X> && ...) && (Recorded<X> || ...);

// --- the type in which two values meet
template <class A, class B>
struct PromoteScalar {
  using type = typename Canonical<decltype(A() + B())>::type;
};
template <class B>
struct PromoteScalar<half, B> {
  using type = std::conditional_t<std::is_floating_point_v<B>, B, half>;
};
template <class A>
struct PromoteScalar<A, half> : PromoteScalar<half, A> {};
template <>
struct PromoteScalar<half, half> {
  using type = half;
};

template <class A, class B>
struct Promote {};
template <Scalar A, Scalar B>
struct Promote<A, B> : PromoteScalar<A, B> {};
template <class A, class B, unsigned N>
struct Promote<Vector<A, N>, Vector<B, N>> {
  using type = Vector<typename PromoteScalar<A, B>::type, N>;
};
template <class A, unsigned N, Scalar B>
struct Promote<Vector<A, N>, B> : Promote<Vector<A, N>, Vector<B, N>> {};
template <Scalar A, class B, unsigned N>
struct Promote<A, Vector<B, N>> : Promote<Vector<A, N>, Vector<B, N>> {};
template <class A, class B, unsigned C, unsigned R>
struct Promote<Matrix<A, C, R>, Matrix<B, C, R>> {
  using type = Matrix<typename PromoteScalar<A, B>::type, C, R>;
};

template <class A, class B>
using promote_t = typename Promote<A, B>::type;

// The same, but that small types stay what they are among themselves: two bools meet as bools, two shorts as shorts.
template <class A, class B>
struct Common : Promote<A, B> {};
template <class A>
struct Common<A, A> {
  using type = A;
};
template <class E, unsigned N>
  requires(!std::same_as<E, Vector<E, N>>)
struct Common<Vector<E, N>, E> {
  using type = Vector<E, N>;
};
template <class E, unsigned N>
struct Common<E, Vector<E, N>> {
  using type = Vector<E, N>;
};
template <class A, class B>
using common2_t = typename Common<A, B>::type;

template <class... T>
struct CommonOf {};
template <class A>
struct CommonOf<A> {
  using type = A;
};
template <class A, class B, class... Rest>
  requires requires { typename Common<A, B>::type; }
struct CommonOf<A, B, Rest...> : CommonOf<common2_t<A, B>, Rest...> {};
template <class... T>
using common_t = typename CommonOf<T...>::type;

template <class A, class B>
concept Promotable = requires { typename Promote<A, B>::type; };

// Whether an operand X may stand where a T is wanted, without the result changing from T.
template <class X, class T>
concept OperandOf =
    Value<X> && (std::same_as<value_t<X>, T> || (requires { requires std::same_as<common2_t<T, value_t<X>>, T>; }));

// Whether a value of type U may initialise a variable of type T unasked: as an operand, or as an integer of the same
// size in the other sign.
template <class U, class T>
concept SameSizeInteger = Integer<U> && Integer<T> && sizeof(element_t<U>) == sizeof(element_t<T>) &&
                          (Scalar<U> || Shape<U>::components == Shape<T>::components);
// A host scalar may also be rounded: Float x = 0.1; but a fraction does not become an integer.
template <class U, class T>
concept HostScalarFor = HostScalar<U> && Componentwise<T> && (Floating<element_t<T>> || std::is_integral_v<U>) &&
                        (std::same_as<element_t<T>, bool> == std::same_as<U, bool>);
template <class X, class T>
concept InitialOf =
    OperandOf<X, T> || (Value<X> && SameSizeInteger<value_t<X>, T>) || HostScalarFor<std::remove_cvref_t<X>, T>;

}  // namespace dsl
}  // namespace weft
