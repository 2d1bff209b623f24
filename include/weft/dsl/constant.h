// Data that kernels only read.
//
//   Constant<std::array<float, 4>> weights{{0.1f, 0.2f, 0.3f, 0.4f}};    // weights[i], or weights.read()
//   Spec<UInt> samples{0, 16u};                                          // chosen when the shader is compiled
//
// Both are objects of the host, made before or inside kernels, and outlive the kernels that they are recorded into only
// as long as recording takes.
#pragma once

#include <weft/dsl/value.h>

namespace weft {

template <dsl::Describable T>
class Constant {
 public:
  Constant(const T& value, const char* name = "constant") : value_(value), name_(name) {}
  Constant(const Constant&) = delete;
  Constant& operator=(const Constant&) = delete;

  Expr<T> read(dsl::Where where = dsl::Where::current()) const {
    return Expr<T>(dsl::At{dsl::value_node(dsl::evaluate(dsl::operand_at<T>(node(where), where)))});
  }
  Expr<dsl::part_t<T>> operator[](dsl::Index index) const
    requires dsl::Indexable<T>
  {
    using P = dsl::part_t<T>;
    const dsl::Node element = dsl::part(node(index.where), dsl::kTypeInfo<T>, index);
    return Expr<P>(dsl::At{dsl::value_node(dsl::evaluate(dsl::operand_at<P>(element, index.where)))});
  }

 private:
  dsl::Node node(dsl::Where where) const { return dsl::global(name_, dsl::kTypeInfo<T>, &value_, where); }

  T value_;
  const char* name_;
};

// Spec<UInt> and Spec<uint> are the same kind of constant. The id is how the application names it when it compiles the
// shader; a constant is a scalar.
template <class T>
class Spec : public dsl::Operators<T> {
 public:
  static_assert(dsl::Scalar<T>, "a specialisation constant is a scalar");
  Spec(std::uint32_t id, T initial, const char* name = nullptr)
      : initial_(initial), info_{name, id, &dsl::kTypeInfo<T>, &initial_} {}
  Spec(const Spec&) = delete;
  Spec& operator=(const Spec&) = delete;

 private:
  friend struct dsl::Access;
  T initial_;
  dsl::SpecInfo info_;
};

template <class T>
class Spec<Var<T>> : public Spec<T> {
 public:
  using Spec<T>::Spec;
};

namespace dsl {
template <class T>
struct ValueOf<Spec<Var<T>>> {
  using type = T;
};
}  // namespace dsl

}  // namespace weft
