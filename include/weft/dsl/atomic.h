// Atomics, on places in buffers and shared memory: atomic(counts[i]).fetch_add(1u), buffer.atomic(i).fetch_max(x). They
// are acquire-release at device scope, and give the value before. Integers of 32 and 64 bits have all of them, float
// and double load, store, exchange, add, sub, min and max.
#pragma once

#include <weft/dsl/value.h>

namespace weft {

template <class T>
concept AtomicValue = dsl::Scalar<T> && !std::same_as<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
class AtomicRef {
 public:
  explicit AtomicRef(const dsl::Node& place) : place_(place) {}

  Expr<T> load(dsl::Where where = dsl::Where::current()) const { return result("atomic_load", where, {}); }
  void store(dsl::Initial<T> value) const { dsl::apply_to_place("atomic_store", place_, value.where, {value}); }
  Expr<T> exchange(dsl::Initial<T> value) const { return result("atomic_exchange", value.where, {value}); }
  // Where the value is `expected`, it becomes `desired`.
  Expr<T> compare_exchange(dsl::Initial<T> expected, dsl::Initial<T> desired) const
    requires dsl::Integer<T>
  {
    return result("atomic_compare_exchange", expected.where, {expected, desired});
  }
  Expr<T> fetch_add(dsl::Initial<T> value) const { return result("atomic_add", value.where, {value}); }
  Expr<T> fetch_sub(dsl::Initial<T> value) const {
    if constexpr (dsl::Integer<T>) {
      return result("atomic_sub", value.where, {value});
    } else {
      return result("atomic_add", value.where, {negated(value)});
    }
  }
  Expr<T> fetch_min(dsl::Initial<T> value) const { return result("atomic_min", value.where, {value}); }
  Expr<T> fetch_max(dsl::Initial<T> value) const { return result("atomic_max", value.where, {value}); }
#define WEFT_DSL_ATOMIC_BITS(name, op)       \
  Expr<T> name(dsl::Initial<T> value) const  \
    requires dsl::Integer<T>                 \
  {                                          \
    return result(op, value.where, {value}); \
  }
  WEFT_DSL_ATOMIC_BITS(fetch_and, "atomic_and")
  WEFT_DSL_ATOMIC_BITS(fetch_or, "atomic_or")
  WEFT_DSL_ATOMIC_BITS(fetch_xor, "atomic_xor")
#undef WEFT_DSL_ATOMIC_BITS

 private:
  Expr<T> result(const char* op, dsl::Where where, std::initializer_list<dsl::Operand> operands) const {
    return Expr<T>(dsl::At{dsl::value_node(dsl::apply_to_place(op, place_, where, operands))});
  }
  static dsl::Operand negated(const dsl::Operand& value) {
    return dsl::operand_at<T>(dsl::value_node(dsl::apply("neg", value.where, {value})), value.where);
  }

  dsl::Node place_;
};

template <AtomicValue T>
AtomicRef<T> atomic(const dsl::Place<T>& place) {
  return AtomicRef<T>(dsl::Access::node(place));
}

// Orders the lane's accesses to buffers before it with those after it.
inline void memory_fence(dsl::Where where = dsl::Where::current()) { dsl::apply("fence", where, {}); }

}  // namespace weft
