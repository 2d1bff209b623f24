// Buffers as kernels see them. A read out of range gives zero and a write out of range is dropped, unless the kernel is
// `unchecked`.
#pragma once

#include <weft/dsl/atomic.h>

namespace weft {

template <class T>
class BufferVar : public dsl::Handle {
 public:
  explicit BufferVar(const dsl::At& at) : dsl::Handle(at.node) {}

  Expr<T> read(dsl::Index index) const {
    return Expr<T>(dsl::At{dsl::value_node(dsl::apply_to_place("read", weft_node_, index.where, {index}))});
  }
  void write(dsl::Index index, dsl::Initial<T> value) const {
    dsl::apply_to_place("write", weft_node_, index.where, {index, value});
  }
  // The element as a place: b[i] = x, b[i].count += 1u.
  Ref<T> operator[](dsl::Index index) const { return Ref<T>(dsl::At{dsl::buffer_element(weft_node_, index)}); }
  AtomicRef<T> atomic(dsl::Index index) const
    requires AtomicValue<T>
  {
    return AtomicRef<T>(dsl::buffer_element(weft_node_, index));
  }
  // Number of elements.
  Expr<std::uint64_t> size(dsl::Where where = dsl::Where::current()) const {
    return Expr<std::uint64_t>(dsl::At{dsl::value_node(dsl::apply_to_place("buffer_size", weft_node_, where, {}))});
  }
};

// Waits until an integer of 32 or 64 bits in a buffer, which other blocks or commands raise by atomics, is at least
// `value`; the block goes on when none of its lanes waits. What came before the write that it waited for is seen after
// it. Only in kernels that are dispatched cooperatively.
template <class T>
void wait_until(const dsl::Place<T>& counter, const std::type_identity_t<dsl::Initial<T>>& value) {
  static_assert(AtomicValue<T> && dsl::Integer<T>,
                "wait_until() waits for a counter: an int, uint, std::int64_t or std::uint64_t in a buffer");
  dsl::apply_to_place("wait_until", dsl::Access::node(counter), value.where, {value});
}
template <class T>
void wait_until(const BufferVar<T>& buffer, const dsl::Index& index,
                const std::type_identity_t<dsl::Initial<T>>& value) {
  wait_until(buffer[index], value);
}

// Untyped memory, addressed in bytes; accesses need no alignment.
class ByteBufferVar : public dsl::Handle {
 public:
  explicit ByteBufferVar(const dsl::At& at) : dsl::Handle(at.node) {}

  template <dsl::Describable T>
  Expr<T> read(dsl::Index offset_bytes) const {
    return Expr<T>(dsl::At{dsl::value_node(
        dsl::apply_to_place("byte_read", weft_node_, offset_bytes.where, {offset_bytes}, 0, &dsl::kTypeInfo<T>))});
  }
  template <dsl::Value X>
  void write(dsl::Index offset_bytes, X&& value) const {
    dsl::apply_to_place("byte_write", weft_node_, offset_bytes.where,
                        {offset_bytes, dsl::operand<dsl::value_t<X>>(value, offset_bytes.where)});
  }
  // Number of bytes.
  Expr<std::uint64_t> size(dsl::Where where = dsl::Where::current()) const {
    return Expr<std::uint64_t>(dsl::At{dsl::value_node(dsl::apply_to_place("buffer_size", weft_node_, where, {}))});
  }
};

}  // namespace weft
