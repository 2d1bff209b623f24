// Conversions, and making vectors, matrices, arrays and structs of their parts.
#pragma once

#include <weft/dsl/functions.h>

namespace weft {

namespace dsl {
// The scalar type meant by float, UInt or uint3.
template <class T>
struct Named {
  using type = T;
};
template <class T>
struct Named<Var<T>> {
  using type = T;
};
template <class T>
using named_t = typename Named<T>::type;
}  // namespace dsl

// The value in another scalar type: cast<float>(i), cast<float>(int3) and cast<float3>(int3) mean the same. Integers
// wrap, float to integer saturates and NaN gives 0.
template <class To, dsl::Operands X>
auto cast(X&& x, dsl::Where where = dsl::Where::current()) {
  using T = dsl::with_element_t<dsl::value_t<X>, dsl::element_t<dsl::named_t<To>>>;
  static_assert(std::same_as<dsl::named_t<To>, T> || dsl::Scalar<dsl::named_t<To>>,
                "cast changes the scalar type, not the number of components");
  dsl::Operand operand = dsl::operand<dsl::value_t<X>>(x, where);
  operand.to = &dsl::kTypeInfo<T>;
  return dsl::result<T>(dsl::evaluate(operand));
}

// The same bits as another scalar type of the same width.
template <class To, dsl::Operands X>
auto as(X&& x, dsl::Where where = dsl::Where::current()) {
  using U = dsl::value_t<X>;
  using T = dsl::with_element_t<U, dsl::element_t<dsl::named_t<To>>>;
  static_assert(sizeof(T) == sizeof(U), "as<> keeps the bits: both types need the same width");
  return dsl::result<T>(dsl::apply("bitcast", where, {dsl::operand<U>(x, where)}, 0, &dsl::kTypeInfo<T>));
}
template <class To, dsl::Operands X>
auto bit_cast(X&& x, dsl::Where where = dsl::Where::current()) {
  return as<To>(static_cast<X&&>(x), where);
}

// --- packing
#define WEFT_DSL_PACK(name, From, To)                                                 \
  template <dsl::Operands X>                                                          \
    requires std::same_as<dsl::value_t<X>, From>                                      \
  Expr<To> name(X&& x, dsl::Where where = dsl::Where::current()) {                    \
    return dsl::result<To>(dsl::apply(#name, where, {dsl::operand<From>(x, where)})); \
  }
WEFT_DSL_PACK(pack_half2, float2, uint)
WEFT_DSL_PACK(unpack_half2, uint, float2)
WEFT_DSL_PACK(pack_unorm2x16, float2, uint)
WEFT_DSL_PACK(unpack_unorm2x16, uint, float2)
WEFT_DSL_PACK(pack_snorm2x16, float2, uint)
WEFT_DSL_PACK(unpack_snorm2x16, uint, float2)
WEFT_DSL_PACK(pack_unorm4x8, float4, uint)
WEFT_DSL_PACK(unpack_unorm4x8, uint, float4)
WEFT_DSL_PACK(pack_snorm4x8, float4, uint)
WEFT_DSL_PACK(unpack_snorm4x8, uint, float4)
#undef WEFT_DSL_PACK

// --- making
namespace dsl {

template <class X>
inline constexpr unsigned kComponentCount = Shape<value_t<X>>::components == 0 ? 1 : Shape<value_t<X>>::components;

template <unsigned N, class... X>
concept Components = (Value<X> && ...) && (Componentwise<value_t<X>> && ...) && ((kComponentCount<X> + ...) == N);

// The components that make a vector, cast to its scalar type.
template <class E>
struct ComponentList {
  Operand operands[4];
  std::uint32_t count = 0;

  template <class X>
  void add(const X& x, Where where) {
    using T = value_t<X&&>;
    Operand whole = operand<T>(x, where);
    whole.to = &kTypeInfo<with_element_t<T, E>>;
    if constexpr (AnyVector<T>) {
      const Node vector = value_node(evaluate(whole));
      for (std::uint32_t i = 0; i < Shape<T>::components; ++i) {
        operands[count++] = operand_at<E>(vector.part(i), where);
      }
    } else {
      operands[count++] = whole;
    }
  }
};

template <class T, class... X>
Expr<T> make_vector(Where where, const X&... x) {
  ComponentList<element_t<T>> list;
  (list.add(x, where), ...);
  return result<T>(apply("make", where, list.operands, list.count, 0, &kTypeInfo<T>));
}

template <class T, class X>
Expr<T> make_repeated(Where where, const X& x) {
  Operand all = operand<value_t<X&&>>(x, where);
  all.to = &kTypeInfo<T>;
  return result<T>(evaluate(all));
}

}  // namespace dsl

// make_float3(x, y, z), make_float3(xy, z), make_float3(all), make_float3(int3): components are cast.
#define WEFT_DSL_MAKE2(name, T, N)                                       \
  template <class A>                                                     \
    requires dsl::Components<N, A>                                       \
  Expr<T> name(A&& a, dsl::Where where = dsl::Where::current()) {        \
    return dsl::make_vector<T>(where, a);                                \
  }                                                                      \
  template <class A>                                                     \
    requires dsl::Components<1, A>                                       \
  Expr<T> name(A&& all, dsl::Where where = dsl::Where::current()) {      \
    return dsl::make_repeated<T>(where, all);                            \
  }                                                                      \
  template <class A, class B>                                            \
    requires dsl::Components<N, A, B>                                    \
  Expr<T> name(A&& a, B&& b, dsl::Where where = dsl::Where::current()) { \
    return dsl::make_vector<T>(where, a, b);                             \
  }
#define WEFT_DSL_MAKE3(name, T, N)                                              \
  WEFT_DSL_MAKE2(name, T, N)                                                    \
  template <class A, class B, class C>                                          \
    requires dsl::Components<N, A, B, C>                                        \
  Expr<T> name(A&& a, B&& b, C&& c, dsl::Where where = dsl::Where::current()) { \
    return dsl::make_vector<T>(where, a, b, c);                                 \
  }
#define WEFT_DSL_MAKE4(name, T, N)                                                     \
  WEFT_DSL_MAKE3(name, T, N)                                                           \
  template <class A, class B, class C, class D>                                        \
    requires dsl::Components<N, A, B, C, D>                                            \
  Expr<T> name(A&& a, B&& b, C&& c, D&& d, dsl::Where where = dsl::Where::current()) { \
    return dsl::make_vector<T>(where, a, b, c, d);                                     \
  }
#define WEFT_SCALAR_TYPE(host, lower, upper, text) \
  WEFT_DSL_MAKE2(make_##lower##2, lower##2, 2)     \
  WEFT_DSL_MAKE3(make_##lower##3, lower##3, 3)     \
  WEFT_DSL_MAKE4(make_##lower##4, lower##4, 4)
#include <weft/scalar_types.def>
#undef WEFT_DSL_MAKE2
#undef WEFT_DSL_MAKE3
#undef WEFT_DSL_MAKE4

// A struct of its members, an array of its elements, a matrix of its columns: make<Particle>({position, 1.f}).
template <class T>
Expr<dsl::named_t<T>> make(std::initializer_list<dsl::PartValue> parts, dsl::Where where = dsl::Where::current()) {
  using S = dsl::named_t<T>;
  return dsl::result<S>(dsl::make(dsl::kTypeInfo<S>, parts.begin(), parts.size(), where));
}

}  // namespace weft
