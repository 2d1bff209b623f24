// The parts of a value or place as data members: v.x, p.position.x. Parts<T, Field> is the base that gives Expr<T> its
// Expr members and a place its Var members; WEFT_STRUCT adds structures. A part records nothing until it is used.
#pragma once

#include <weft/dsl/operand.h>

namespace weft::dsl {

template <class T, template <class> class Field>
struct Parts : Handle {
 protected:
  Parts() = default;
  explicit Parts(const Node& node) : Handle(node) {}
};

// --- swizzles: v.xy(), v.zyx(), v.xxxx() read any two to four components
#define WEFT_SWIZZLE_A2(f) f(x) f(y)
#define WEFT_SWIZZLE_A3(f) f(x) f(y) f(z)
#define WEFT_SWIZZLE_A4(f) f(x) f(y) f(z) f(w)
#define WEFT_SWIZZLE_B2(f, ...) f(__VA_ARGS__, x) f(__VA_ARGS__, y)
#define WEFT_SWIZZLE_B3(f, ...) WEFT_SWIZZLE_B2(f, __VA_ARGS__) f(__VA_ARGS__, z)
#define WEFT_SWIZZLE_B4(f, ...) WEFT_SWIZZLE_B3(f, __VA_ARGS__) f(__VA_ARGS__, w)
#define WEFT_SWIZZLE_C2(f, ...) f(__VA_ARGS__, x) f(__VA_ARGS__, y)
#define WEFT_SWIZZLE_C3(f, ...) WEFT_SWIZZLE_C2(f, __VA_ARGS__) f(__VA_ARGS__, z)
#define WEFT_SWIZZLE_C4(f, ...) WEFT_SWIZZLE_C3(f, __VA_ARGS__) f(__VA_ARGS__, w)
#define WEFT_SWIZZLE_D2(f, ...) f(__VA_ARGS__, x) f(__VA_ARGS__, y)
#define WEFT_SWIZZLE_D3(f, ...) WEFT_SWIZZLE_D2(f, __VA_ARGS__) f(__VA_ARGS__, z)
#define WEFT_SWIZZLE_D4(f, ...) WEFT_SWIZZLE_D3(f, __VA_ARGS__) f(__VA_ARGS__, w)

#define WEFT_SWIZZLE_TAKE2(a, b)                                            \
  auto a##b(Where where = Where::current()) const {                         \
    return this->template take<2>(where, {kComponent_##a, kComponent_##b}); \
  }
#define WEFT_SWIZZLE_TAKE3(a, b, c)                                                         \
  auto a##b##c(Where where = Where::current()) const {                                      \
    return this->template take<3>(where, {kComponent_##a, kComponent_##b, kComponent_##c}); \
  }
#define WEFT_SWIZZLE_TAKE4(a, b, c, d)                                                                      \
  auto a##b##c##d(Where where = Where::current()) const {                                                   \
    return this->template take<4>(where, {kComponent_##a, kComponent_##b, kComponent_##c, kComponent_##d}); \
  }

#define WEFT_SWIZZLES(n)                                                              \
  WEFT_SWIZZLE_A##n(WEFT_SWIZZLE_PAIRS##n) WEFT_SWIZZLE_A##n(WEFT_SWIZZLE_TRIPLES##n) \
      WEFT_SWIZZLE_A##n(WEFT_SWIZZLE_QUADS##n)
#define WEFT_SWIZZLE_PAIRS2(a) WEFT_SWIZZLE_B2(WEFT_SWIZZLE_TAKE2, a)
#define WEFT_SWIZZLE_PAIRS3(a) WEFT_SWIZZLE_B3(WEFT_SWIZZLE_TAKE2, a)
#define WEFT_SWIZZLE_PAIRS4(a) WEFT_SWIZZLE_B4(WEFT_SWIZZLE_TAKE2, a)
#define WEFT_SWIZZLE_TRIPLES2(a) WEFT_SWIZZLE_B2(WEFT_SWIZZLE_TRIPLE2, a)
#define WEFT_SWIZZLE_TRIPLES3(a) WEFT_SWIZZLE_B3(WEFT_SWIZZLE_TRIPLE3, a)
#define WEFT_SWIZZLE_TRIPLES4(a) WEFT_SWIZZLE_B4(WEFT_SWIZZLE_TRIPLE4, a)
#define WEFT_SWIZZLE_TRIPLE2(a, b) WEFT_SWIZZLE_C2(WEFT_SWIZZLE_TAKE3, a, b)
#define WEFT_SWIZZLE_TRIPLE3(a, b) WEFT_SWIZZLE_C3(WEFT_SWIZZLE_TAKE3, a, b)
#define WEFT_SWIZZLE_TRIPLE4(a, b) WEFT_SWIZZLE_C4(WEFT_SWIZZLE_TAKE3, a, b)
#define WEFT_SWIZZLE_QUADS2(a) WEFT_SWIZZLE_B2(WEFT_SWIZZLE_QUADB2, a)
#define WEFT_SWIZZLE_QUADS3(a) WEFT_SWIZZLE_B3(WEFT_SWIZZLE_QUADB3, a)
#define WEFT_SWIZZLE_QUADS4(a) WEFT_SWIZZLE_B4(WEFT_SWIZZLE_QUADB4, a)
#define WEFT_SWIZZLE_QUADB2(a, b) WEFT_SWIZZLE_C2(WEFT_SWIZZLE_QUADC2, a, b)
#define WEFT_SWIZZLE_QUADB3(a, b) WEFT_SWIZZLE_C3(WEFT_SWIZZLE_QUADC3, a, b)
#define WEFT_SWIZZLE_QUADB4(a, b) WEFT_SWIZZLE_C4(WEFT_SWIZZLE_QUADC4, a, b)
#define WEFT_SWIZZLE_QUADC2(a, b, c) WEFT_SWIZZLE_D2(WEFT_SWIZZLE_TAKE4, a, b, c)
#define WEFT_SWIZZLE_QUADC3(a, b, c) WEFT_SWIZZLE_D3(WEFT_SWIZZLE_TAKE4, a, b, c)
#define WEFT_SWIZZLE_QUADC4(a, b, c) WEFT_SWIZZLE_D4(WEFT_SWIZZLE_TAKE4, a, b, c)

inline constexpr std::uint8_t kComponent_x = 0, kComponent_y = 1, kComponent_z = 2, kComponent_w = 3;

template <class E, unsigned N>
struct Swizzler : Handle {
 protected:
  Swizzler() = default;
  explicit Swizzler(const Node& node) : Handle(node) {}
  template <unsigned M>
  Expr<Vector<E, M>> take(Where where, std::initializer_list<std::uint8_t> components) const {
    return Expr<Vector<E, M>>(At{value_node(swizzle(operand_at<Vector<E, N>>(this->weft_node_, where), components))});
  }
};

template <class E, unsigned N>
struct Swizzles;
template <class E>
struct Swizzles<E, 2> : Swizzler<E, 2> {
  using Swizzler<E, 2>::Swizzler;
  WEFT_SWIZZLES(2)
};
template <class E>
struct Swizzles<E, 3> : Swizzler<E, 3> {
  using Swizzler<E, 3>::Swizzler;
  WEFT_SWIZZLES(3)
};
template <class E>
struct Swizzles<E, 4> : Swizzler<E, 4> {
  using Swizzler<E, 4>::Swizzler;
  WEFT_SWIZZLES(4)
};

// --- components
template <class E, template <class> class Field>
struct Parts<Vector<E, 2>, Field> : Swizzles<E, 2> {
  Field<E> x, y;

 protected:
  explicit Parts(const Node& n) : Swizzles<E, 2>(n), x(At{n.part(0)}), y(At{n.part(1)}) {}
};

template <class E, template <class> class Field>
struct Parts<Vector<E, 3>, Field> : Swizzles<E, 3> {
  Field<E> x, y, z;

 protected:
  explicit Parts(const Node& n) : Swizzles<E, 3>(n), x(At{n.part(0)}), y(At{n.part(1)}), z(At{n.part(2)}) {}
};

template <class E, template <class> class Field>
struct Parts<Vector<E, 4>, Field> : Swizzles<E, 4> {
  Field<E> x, y, z, w;

 protected:
  explicit Parts(const Node& n)
      : Swizzles<E, 4>(n), x(At{n.part(0)}), y(At{n.part(1)}), z(At{n.part(2)}), w(At{n.part(3)}) {}
};

}  // namespace weft::dsl
