// Operands: how values of the DSL and of the host come to an operator or function. Their constructors take the place in
// the user's code by a default argument, which an operator itself could not have.
#pragma once

#include <weft/dsl/recorder.h>
#include <weft/dsl/traits.h>

namespace weft::dsl {

// The base of all DSL objects that stand for a value or place.
class Handle {
 protected:
  Handle() = default;
  explicit Handle(const Node& node) : weft_node_(node) {}
  Node weft_node_;
  friend struct Access;
};

struct Access {
  static const Node& node(const Handle& handle) { return handle.weft_node_; }
  static void describe(const Handle& handle, Operand& operand) { operand.node = handle.weft_node_; }
  template <class T>
  static void describe(const Spec<T>& spec, Operand& operand) {
    operand.kind = OperandKind::spec;
    operand.bytes = &spec.info_;
  }
};

// Says of a constructor's argument that it is where the object lies, not what it is initialised with.
struct At {
  Node node;
};

inline Node value_node(ExprId id) { return {.root = id}; }
inline Node place_node(ExprId id) { return {.root = id, .kind = NodeKind::place}; }

template <class T>
Operand operand_at(const Node& node, Where where) {
  Operand o;
  o.node = node;
  o.type = o.to = &kTypeInfo<T>;
  o.where = where;
  return o;
}

template <class T>
std::uint64_t bits_of(const T& value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

// A value as an operand that becomes a T.
template <class T, class X>
Operand operand(const X& x, Where where) {
  Operand o;
  o.to = &kTypeInfo<T>;
  o.where = where;
  if constexpr (Recorded<X>) {
    Access::describe(x, o);
    o.type = &kTypeInfo<value_t<X&&>>;
  } else if constexpr (HostScalar<X>) {
    o.kind = OperandKind::bits;
    o.bits = bits_of(static_cast<element_t<T>>(x));
    o.type = &kTypeInfo<element_t<T>>;
  } else {
    o.kind = OperandKind::bytes;
    o.bytes = &x;
    o.type = &kTypeInfo<X>;
  }
  return o;
}

// The operand of an operator whose other side decides the type: it may be promoted to T.
template <class T>
struct In : Operand {
  template <OperandOf<T> X>
  In(X&& x, Where where = Where::current()) : Operand(operand<T>(x, where)) {}
};

// The operand of an operator that belongs to its type alone: a T of the DSL.
template <class T>
struct Own : Operand {
  template <Value X>
    requires(Recorded<X> && std::same_as<value_t<X>, T>)
  Own(X&& x, Where where = Where::current()) : Operand(operand<T>(x, where)) {}
};

// What a variable, an element of a buffer or a parameter of type T is set to.
template <class T>
struct Initial : Operand {
  template <InitialOf<T> X>
  Initial(X&& x, Where where = Where::current()) : Operand(operand<T>(x, where)) {}
};

// An index: an integer of any type.
struct Index : Operand {
  template <Value X>
    requires IntegerScalar<value_t<X>>
  Index(X&& x, Where where = Where::current()) : Operand(operand<value_t<X>>(x, where)) {}
};

// A part of a struct, array or matrix that is being made.
struct PartValue : Operand {
  template <Value X>
  PartValue(X&& x, Where where = Where::current()) : Operand(operand<value_t<X>>(x, where)) {}
};

// A condition.
using Condition = In<bool>;

}  // namespace weft::dsl
