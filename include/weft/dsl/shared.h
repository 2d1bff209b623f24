// Memory that a block's lanes share, declared at the top level of a kernel: Shared<float, 256> tile; an array, or a
// single cell: Shared<uint> count. It holds unspecified values until written.
#pragma once

#include <weft/dsl/atomic.h>

namespace weft {

template <class T, std::size_t N>
class Shared : public dsl::Place<std::array<T, N>> {
 public:
  Shared(dsl::Where where = dsl::Where::current())
      : dsl::Place<std::array<T, N>>(dsl::place_node(dsl::shared(dsl::kTypeInfo<std::array<T, N>>, where))) {}

  AtomicRef<T> atomic(dsl::Index index) const
    requires AtomicValue<T>
  {
    return weft::atomic((*this)[index]);
  }
  static constexpr std::size_t size() { return N; }
};

template <class T>
class Shared<T, 0> : public dsl::Place<T> {
 public:
  Shared(dsl::Where where = dsl::Where::current())
      : dsl::Place<T>(dsl::place_node(dsl::shared(dsl::kTypeInfo<T>, where))) {}

  void operator=(const Shared&)
    requires(sizeof(T) == 0);
  void operator=(dsl::Initial<T> value) { dsl::store(this->weft_node_, value); }
};

}  // namespace weft
