// How a host type looks to the recorder: TypeInfo, one constant for each type that a kernel can hold or address.
// Offsets, sizes and strides are the host's own, so that host and kernel cannot disagree about memory.
#pragma once

#include <weft/math_types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace weft::dsl {

enum class TypeClass : std::uint8_t { scalar, vector, matrix, array, structure, buffer, byte_buffer, reference };

struct TypeInfo;

struct MemberInfo {
  const char* name;
  const TypeInfo* type;
  std::size_t offset_bytes;
};

struct TypeInfo {
  TypeClass kind;
  const char* name = nullptr;         // scalar: its spelling in the IR; structure: as declared
  const TypeInfo* element = nullptr;  // vector, matrix: the scalar; array, buffer, reference: what they hold
  std::uint32_t columns = 0;          // matrix
  std::uint32_t count = 0;            // vector: components; matrix: rows; array: elements; structure: members
  std::size_t stride_bytes = 0;       // matrix, array, buffer
  std::size_t size_bytes = 0;
  std::size_t align_bytes = 1;
  const MemberInfo* members = nullptr;
  std::uint32_t depth = 0;  // of nested structures, vectors and matrices
};

// Structures nest at most this deep, counting the components of a vector in them.
inline constexpr std::uint32_t kMaxDepth = 6;

// Has a `value`, the TypeInfo. WEFT_STRUCT adds structures.
template <class T>
struct TypeInfoOf;

template <class T>
concept Describable = requires { TypeInfoOf<T>::value; };

template <class T>
  requires Describable<T>
inline constexpr const TypeInfo& kTypeInfo = TypeInfoOf<T>::value;

#define WEFT_SCALAR_TYPE(host, lower, upper, text)                                                          \
  template <>                                                                                               \
  struct TypeInfoOf<host> {                                                                                 \
    static constexpr TypeInfo value{                                                                        \
        .kind = TypeClass::scalar, .name = text, .size_bytes = sizeof(host), .align_bytes = alignof(host)}; \
  };
#include <weft/scalar_types.def>

template <class E, unsigned N>
struct TypeInfoOf<Vector<E, N>> {
  static constexpr TypeInfo value{.kind = TypeClass::vector,
                                  .element = &kTypeInfo<E>,
                                  .count = N,
                                  .size_bytes = sizeof(Vector<E, N>),
                                  .align_bytes = alignof(Vector<E, N>),
                                  .depth = 1};
};

template <class E, unsigned C, unsigned R>
struct TypeInfoOf<Matrix<E, C, R>> {
  static constexpr TypeInfo value{.kind = TypeClass::matrix,
                                  .element = &kTypeInfo<E>,
                                  .columns = C,
                                  .count = R,
                                  .stride_bytes = sizeof(Vector<E, R>),
                                  .size_bytes = sizeof(Matrix<E, C, R>),
                                  .align_bytes = alignof(Matrix<E, C, R>),
                                  .depth = 2};
};

template <class T, std::size_t N>
struct TypeInfoOf<std::array<T, N>> {
  static_assert(N >= 1, "an array in a kernel has at least one element");
  static constexpr TypeInfo value{.kind = TypeClass::array,
                                  .element = &kTypeInfo<T>,
                                  .count = N,
                                  .stride_bytes = sizeof(T),
                                  .size_bytes = sizeof(std::array<T, N>),
                                  .align_bytes = alignof(std::array<T, N>)};
};

// The resources of a kernel and the reference parameters of a callable.
template <class T>
inline constexpr TypeInfo kBufferInfo{.kind = TypeClass::buffer, .element = &kTypeInfo<T>, .stride_bytes = sizeof(T)};
inline constexpr TypeInfo kByteBufferInfo{.kind = TypeClass::byte_buffer, .stride_bytes = 1};
template <class T>
inline constexpr TypeInfo kReferenceInfo{.kind = TypeClass::reference, .element = &kTypeInfo<T>};

// The type that stands for a host type in kernels: int[4] is an array, an enum its underlying integer.
template <class T>
struct Stored {
  using type = T;
};
template <class T>
  requires std::is_enum_v<T>
struct Stored<T> {
  using type = std::underlying_type_t<T>;
};
template <class T, std::size_t N>
struct Stored<T[N]> {
  using type = std::array<typename Stored<T>::type, N>;
};
template <class T>
using stored_t = typename Stored<std::remove_cv_t<T>>::type;

constexpr std::uint32_t depth_of(const MemberInfo* members, std::size_t count) {
  std::uint32_t depth = 0;
  for (std::size_t i = 0; i < count; ++i) {
    depth = members[i].type->depth > depth ? members[i].type->depth : depth;
  }
  return depth + 1;
}

}  // namespace weft::dsl
