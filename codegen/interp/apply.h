// Applies a scalar function to every leaf of an op's operands, in every lane.
#pragma once

#include "codegen/interp/handlers.h"
#include "codegen/interp/scalar.h"

namespace weft::interp {

// result[w] = f(a[w]) with a of type T; f may give any scalar.
template <class T, class F>
void map_leaves(const Context& c, F f) {
  const Words a = c.operand(0);
  const Words r = c.result();
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    for (const std::uint32_t lane : c.lanes) {
      r.at(lane, w) = to_bits(f(from_bits<T>(a.at(lane, w))));
    }
  }
}

// result[w] = f(a[w], b[w]) with a of type A, b of type B.
template <class A, class B, class F>
void map_leaves2(const Context& c, F f) {
  const Words a = c.operand(0);
  const Words b = c.operand(1);
  const Words r = c.result();
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    for (const std::uint32_t lane : c.lanes) {
      r.at(lane, w) = to_bits(f(from_bits<A>(a.at(lane, w)), from_bits<B>(b.at(lane, w))));
    }
  }
}

// The same with the scalar type found from operand 0. `f` is generic and takes the types that the op's row allows.
template <class F>
void unary(const Context& c, F f) {
  visit_scalar(
      c.scalar_kind(0), [&]<class T>()
        requires requires(T x) { f(x); }
      { map_leaves<T>(c, f); });
}

template <class F>
void binary(const Context& c, F f) {
  visit_scalar(
      c.scalar_kind(0), [&]<class T>()
        requires requires(T x) { f(x, x); }
      { map_leaves2<T, T>(c, f); });
}

// A generic lambda around a function template of meaning.h, constrained as that is.
#define WEFT_MEANING(function) \
  [](auto... x) -> decltype(::weft::interp::meaning::function(x...)) { return ::weft::interp::meaning::function(x...); }

}  // namespace weft::interp
