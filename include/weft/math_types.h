// The host's vectors and matrices: float2, int3, bool4, float4x4 and so on. They are laid out as kernels see them in
// memory: components without padding, aligned as one component, so that a float3 is 12 bytes; matrices are their
// columns one after the other. Their arithmetic is for preparing data; kernels have the DSL's own types (dsl.h).
#pragma once

#include <weft/export.h>

#include <cstddef>
#include <cstdint>

namespace weft {

using uint = std::uint32_t;

// IEEE binary16. Storage and conversion; arithmetic happens in float.
struct half {
  std::uint16_t bits = 0;

  half() = default;
  WEFT_API explicit half(float value);  // rounds to nearest even
  WEFT_API operator float() const;
  static half from_bits(std::uint16_t bits) {
    half h;
    h.bits = bits;
    return h;
  }
};

template <class T, unsigned N>
struct Vector;

template <class T>
struct Vector<T, 2> {
  T x{}, y{};

  constexpr Vector() = default;
  constexpr explicit Vector(T all) : x(all), y(all) {}
  constexpr Vector(T x, T y) : x(x), y(y) {}
  constexpr T& operator[](std::size_t i) { return i == 0 ? x : y; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : y; }
  friend constexpr bool operator==(const Vector&, const Vector&) = default;
};

template <class T>
struct Vector<T, 3> {
  T x{}, y{}, z{};

  constexpr Vector() = default;
  constexpr explicit Vector(T all) : x(all), y(all), z(all) {}
  constexpr Vector(T x, T y, T z) : x(x), y(y), z(z) {}
  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const Vector&, const Vector&) = default;
};

template <class T>
struct Vector<T, 4> {
  T x{}, y{}, z{}, w{};

  constexpr Vector() = default;
  constexpr explicit Vector(T all) : x(all), y(all), z(all), w(all) {}
  constexpr Vector(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}
  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  friend constexpr bool operator==(const Vector&, const Vector&) = default;
};

// `C` columns of `R` components each.
template <class T, unsigned C, unsigned R>
struct Matrix {
  Vector<T, R> columns[C]{};

  constexpr Vector<T, R>& operator[](std::size_t column) { return columns[column]; }
  constexpr const Vector<T, R>& operator[](std::size_t column) const { return columns[column]; }
  friend constexpr bool operator==(const Matrix&, const Matrix&) = default;

  static constexpr Matrix identity() {
    Matrix m;
    constexpr unsigned kDiagonal = C < R ? C : R;
    for (unsigned i = 0; i < kDiagonal; ++i) m[i][i] = T(1);
    return m;
  }
};

// --- arithmetic on vectors, component by component, and with a scalar on either side
namespace detail {
template <class T>
struct SameType {
  using type = T;
};
template <class T>
using NotDeduced = typename SameType<T>::type;
}  // namespace detail

#define WEFT_VECTOR_OPERATOR(symbol)                                                              \
  template <class T, unsigned N>                                                                  \
  constexpr Vector<T, N> operator symbol(const Vector<T, N>& a, const Vector<T, N>& b) {          \
    Vector<T, N> r;                                                                               \
    for (unsigned i = 0; i < N; ++i) r[i] = static_cast<T>(a[i] symbol b[i]);                     \
    return r;                                                                                     \
  }                                                                                               \
  template <class T, unsigned N>                                                                  \
  constexpr Vector<T, N> operator symbol(const Vector<T, N>& a, const detail::NotDeduced<T>& b) { \
    return a symbol Vector<T, N>(b);                                                              \
  }                                                                                               \
  template <class T, unsigned N>                                                                  \
  constexpr Vector<T, N> operator symbol(const detail::NotDeduced<T>& a, const Vector<T, N>& b) { \
    return Vector<T, N>(a) symbol b;                                                              \
  }                                                                                               \
  template <class T, unsigned N, class B>                                                         \
  constexpr Vector<T, N>& operator symbol## = (Vector<T, N> & a, const B& b) {                    \
    return a = a symbol b;                                                                        \
  }
WEFT_VECTOR_OPERATOR(+)
WEFT_VECTOR_OPERATOR(-)
WEFT_VECTOR_OPERATOR(*)
WEFT_VECTOR_OPERATOR(/)
#undef WEFT_VECTOR_OPERATOR

template <class T, unsigned N>
constexpr Vector<T, N> operator-(const Vector<T, N>& a) {
  Vector<T, N> r;
  for (unsigned i = 0; i < N; ++i) r[i] = static_cast<T>(-a[i]);
  return r;
}

template <class T, unsigned N>
constexpr T dot(const Vector<T, N>& a, const Vector<T, N>& b) {
  T sum = a[0] * b[0];
  for (unsigned i = 1; i < N; ++i) sum = sum + a[i] * b[i];
  return sum;
}

template <class T>
constexpr Vector<T, 3> cross(const Vector<T, 3>& a, const Vector<T, 3>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T, unsigned N>
T length(const Vector<T, N>& a) {
  return static_cast<T>(__builtin_sqrt(static_cast<double>(dot(a, a))));
}

template <class T, unsigned N>
Vector<T, N> normalize(const Vector<T, N>& a) {
  return a / length(a);
}

// --- arithmetic on matrices; `*` is the matrix product
template <class T, unsigned C, unsigned R>
constexpr Matrix<T, C, R> operator+(Matrix<T, C, R> a, const Matrix<T, C, R>& b) {
  for (unsigned c = 0; c < C; ++c) a[c] += b[c];
  return a;
}

template <class T, unsigned C, unsigned R>
constexpr Matrix<T, C, R> operator-(Matrix<T, C, R> a, const Matrix<T, C, R>& b) {
  for (unsigned c = 0; c < C; ++c) a[c] -= b[c];
  return a;
}

template <class T, unsigned C, unsigned R>
constexpr Matrix<T, C, R> operator*(Matrix<T, C, R> a, detail::NotDeduced<T> b) {
  for (unsigned c = 0; c < C; ++c) a[c] *= b;
  return a;
}

template <class T, unsigned C, unsigned R>
constexpr Vector<T, R> operator*(const Matrix<T, C, R>& a, const Vector<T, C>& b) {
  Vector<T, R> r = a[0] * b[0];
  for (unsigned c = 1; c < C; ++c) r += a[c] * b[c];
  return r;
}

template <class T, unsigned K, unsigned R, unsigned C>
constexpr Matrix<T, C, R> operator*(const Matrix<T, K, R>& a, const Matrix<T, C, K>& b) {
  Matrix<T, C, R> r;
  for (unsigned c = 0; c < C; ++c) r[c] = a * b[c];
  return r;
}

#define WEFT_SCALAR_TYPE(host, lower, upper, text) \
  using lower##2 = Vector<host, 2>;                \
  using lower##3 = Vector<host, 3>;                \
  using lower##4 = Vector<host, 4>;
#include <weft/scalar_types.def>

using float2x2 = Matrix<float, 2, 2>;
using float3x3 = Matrix<float, 3, 3>;
using float4x4 = Matrix<float, 4, 4>;
using double2x2 = Matrix<double, 2, 2>;
using double3x3 = Matrix<double, 3, 3>;
using double4x4 = Matrix<double, 4, 4>;

static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && sizeof(bool3) == 3 && sizeof(float4x4) == 64);

}  // namespace weft
